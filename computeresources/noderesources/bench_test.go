package noderesources_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// benchmarkNodes returns nodes with one extended resource. Every other node has room for the request.
func benchmarkNodes(b *testing.B, n int) ([]*noderesources.Ledger, noderesources.Request) {
	b.Helper()
	nodes := make([]*noderesources.Ledger, n)
	for i := range nodes {
		nodes[i] = noderesources.New(testkit.List("cpu", "64", "memory", "256Gi", "ephemeral-storage", "1Ti", "nvidia.com/gpu", "4", "pods", "110"))
		for pod := range 30 {
			testkit.OK(b, nodes[i].Add(types.UID(fmt.Sprint(pod)), placed("cpu", fmt.Sprint(1+i%2), "memory", "4Gi")))
		}
	}
	return nodes, placed("cpu", "10", "memory", "4Gi", "ephemeral-storage", "10Gi", "nvidia.com/gpu", "1")
}

func BenchmarkRequestOf(b *testing.B) {
	pod := testkit.RunningPod(true)
	b.ReportAllocs()
	for b.Loop() {
		noderesources.PodRequest(pod, none)
	}
}

func BenchmarkAddRemove(b *testing.B) {
	nodes, r := benchmarkNodes(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		if nodes[0].Add("a", r) != nil || nodes[0].Remove("a") != nil {
			b.Fatal("an error")
		}
	}
}

func BenchmarkFits(b *testing.B) {
	nodes, r := benchmarkNodes(b, 5000)
	b.ReportAllocs()
	for b.Loop() {
		fit := 0
		for _, node := range nodes {
			if node.Fits(r, noderesources.FitOptions{}) {
				fit++
			}
		}
		if fit != len(nodes)/2 {
			b.Fatalf("%d fit", fit)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	nodes, r := benchmarkNodes(b, 5000)
	for _, strategy := range strategies {
		scorer := scorerOf(b, strategy)
		b.Run(string(strategy), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, node := range nodes {
					node.Score(r, scorer)
				}
			}
		})
	}
}
