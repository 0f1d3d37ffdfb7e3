// Resolves EC2's descriptions of instance types with the original's own code, under several node
// classes, and prints what came out, so that ours can be compared with it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	corev1 "k8s.io/api/core/v1"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// A question without types is about those of the question before.
type question struct {
	Region   string
	Zones    []v1.ZoneInfo
	Types    []ec2types.InstanceTypeInfo
	Settings settings
}

type settings struct {
	Family                  string
	Kubelet                 v1.KubeletConfiguration
	BlockDeviceMappings     []*v1.BlockDeviceMapping
	InstanceStorePolicy     *v1.InstanceStorePolicy
	NetworkInterfaces       []*v1.NetworkInterface
	CapacityReservations    []v1.CapacityReservation
	VMMemoryOverheadPercent float64
	ReservedENIs            int
}

type answer struct {
	Type        string
	Labels      map[string][]string
	Absent      []string
	Capacity    map[string]string
	Allocatable map[string]string
}

func main() {
	decoder := json.NewDecoder(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	var types []ec2types.InstanceTypeInfo
	for decoder.More() {
		var asked question
		if err := decoder.Decode(&asked); err != nil {
			log.Fatalf("reading a question: %v", err)
		}
		if len(asked.Types) > 0 {
			types = asked.Types
		}
		answers := []answer{}
		for _, info := range types {
			answers = append(answers, resolve(asked, asked.Settings, info))
		}
		if err := encoder.Encode(answers); err != nil {
			log.Fatalf("writing an answer: %v", err)
		}
	}
}

func resolve(asked question, one settings, info ec2types.InstanceTypeInfo) answer {
	ctx := options.ToContext(context.Background(), &options.Options{
		VMMemoryOverheadPercent: one.VMMemoryOverheadPercent,
		ReservedENIs:            one.ReservedENIs,
	})
	zones := []string{}
	for _, zone := range asked.Zones {
		zones = append(zones, zone.Zone)
	}
	reservations := []v1.CapacityReservation{}
	for _, reservation := range one.CapacityReservations {
		if reservation.InstanceType == string(info.InstanceType) {
			reservations = append(reservations, reservation)
		}
	}
	kubelet := one.Kubelet
	resolved := instancetype.NewInstanceType(ctx, info, asked.Region, zones, asked.Zones,
		one.BlockDeviceMappings, one.InstanceStorePolicy, one.NetworkInterfaces,
		kubelet.MaxPods, kubelet.PodsPerCore, kubelet.KubeReserved, kubelet.SystemReserved,
		kubelet.EvictionHard, kubelet.EvictionSoft, one.Family, reservations)
	found := answer{Type: resolved.Name, Labels: map[string][]string{}}
	for key, requirement := range resolved.Requirements {
		if requirement.Operator() == corev1.NodeSelectorOpDoesNotExist {
			found.Absent = append(found.Absent, key)
			continue
		}
		found.Labels[key] = requirement.Values()
	}
	found.Capacity = texts(resolved.Capacity)
	found.Allocatable = texts(resources.Subtract(resolved.Capacity, resolved.Overhead.Total()))
	return found
}

// texts gives amounts as plain decimal numbers: cores for cpu, bytes for memory.
func texts(list corev1.ResourceList) map[string]string {
	found := map[string]string{}
	for name, quantity := range list {
		if !quantity.IsZero() {
			found[string(name)] = quantity.AsDec().String()
		}
	}
	return found
}
