// Command conversion reads one question per line and prints the original's answer as JSON.
//
// {"ask": "convert", "kind": "NodePool", "from": "v1beta1", "object": {...}, "pools": {"name": "720h"}}
// gives the object in the other version. {"ask": "read", "kind": ..., "from": ..., "object": ...} gives
// the object as its Go type writes it again, or an error where that type does not know a field.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	awsv1beta1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"knative.dev/pkg/apis"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1beta1 "sigs.k8s.io/karpenter/pkg/apis/v1beta1"
	"sigs.k8s.io/karpenter/pkg/operator/injection"
)

type question struct {
	Ask    string            `json:"ask"`
	Kind   string            `json:"kind"`
	From   string            `json:"from"`
	Object json.RawMessage   `json:"object"`
	Pools  map[string]string `json:"pools"`
}

type answer struct {
	Object any    `json:"object,omitempty"`
	Error  string `json:"error,omitempty"`
}

type kind struct {
	group   string
	v1      func() apis.Convertible
	v1beta1 func() apis.Convertible
}

var kinds = map[string]kind{
	"NodePool": {
		group:   "karpenter.sh",
		v1:      func() apis.Convertible { return &karpv1.NodePool{} },
		v1beta1: func() apis.Convertible { return &karpv1beta1.NodePool{} },
	},
	"NodeClaim": {
		group:   "karpenter.sh",
		v1:      func() apis.Convertible { return &karpv1.NodeClaim{} },
		v1beta1: func() apis.Convertible { return &karpv1beta1.NodeClaim{} },
	},
	"EC2NodeClass": {
		group:   "karpenter.k8s.aws",
		v1:      func() apis.Convertible { return &awsv1.EC2NodeClass{} },
		v1beta1: func() apis.Convertible { return &awsv1beta1.EC2NodeClass{} },
	},
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatalf("reading a question: %v", err)
		}
		object, err := answered(asked)
		said := answer{Object: object}
		if err != nil {
			said = answer{Error: err.Error()}
		}
		if err := out.Encode(said); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func answered(asked question) (any, error) {
	known, ok := kinds[asked.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", asked.Kind)
	}
	object := known.v1()
	if asked.From == "v1beta1" {
		object = known.v1beta1()
	}
	decoder := json.NewDecoder(bytes.NewReader(asked.Object))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(object); err != nil {
		return nil, err
	}
	if asked.Ask == "read" {
		return object, nil
	}
	return converted(known, asked, object)
}

func converted(known kind, asked question, object apis.Convertible) (any, error) {
	ctx := contextWith(asked.Pools)
	if asked.From == "v1" {
		beta := known.v1beta1()
		err := object.ConvertTo(ctx, beta)
		return typed(beta, known.group+"/v1beta1", asked.Kind), err
	}
	v1 := known.v1()
	err := v1.ConvertFrom(ctx, object)
	return typed(v1, known.group+"/v1", asked.Kind), err
}

// The webhook's server writes kind and version after conversion; so do we.
func typed(object apis.Convertible, apiVersion, kind string) any {
	object.(runtime.Object).GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(apiVersion, kind))
	return object
}

func contextWith(pools map[string]string) context.Context {
	scheme := runtime.NewScheme()
	group := schema.GroupVersion{Group: "karpenter.sh", Version: "v1"}
	metav1.AddToGroupVersion(scheme, group)
	scheme.AddKnownTypes(group, &karpv1.NodePool{}, &karpv1.NodePoolList{})
	objects := []client.Object{}
	for name, expireAfter := range pools {
		pool := &karpv1.NodePool{ObjectMeta: metav1.ObjectMeta{Name: name}}
		pool.Spec.Template.Spec.ExpireAfter = karpv1.MustParseNillableDuration(expireAfter)
		objects = append(objects, pool)
	}
	kube := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()
	classes := []schema.GroupVersionKind{{Group: "karpenter.k8s.aws", Version: "v1", Kind: "EC2NodeClass"}}
	return injection.WithClient(injection.WithNodeClasses(context.Background(), classes), kube)
}
