// Command hashes reads one JSON object per line and prints the original's drift hash of each.
//
// A line is {"kind": "NodePool" | "EC2NodeClass", "caBundle": "...", "object": {...}}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

type question struct {
	Kind     string          `json:"kind"`
	CABundle *string         `json:"caBundle"`
	Object   json.RawMessage `json:"object"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatalf("reading a question: %v", err)
		}
		hash, err := hashOf(asked)
		if err != nil {
			log.Fatalf("hashing %s: %v", asked.Object, err)
		}
		fmt.Println(hash)
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func hashOf(asked question) (string, error) {
	switch asked.Kind {
	case "NodePool":
		pool := &karpv1.NodePool{}
		err := json.Unmarshal(asked.Object, pool)
		return pool.Hash(), err
	case "EC2NodeClass":
		class := &awsv1.EC2NodeClass{}
		err := json.Unmarshal(asked.Object, class)
		return class.Hash(asked.CABundle), err
	}
	return "", fmt.Errorf("unknown kind %q", asked.Kind)
}
