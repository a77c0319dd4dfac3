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
		nodes[i] = noderesources.NewLedger(testkit.List("cpu", "64", "memory", "256Gi", "ephemeral-storage", "1Ti", "nvidia.com/gpu", "4", "pods", "110"))
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
					node.Score(r, only(scorer))
				}
			}
		})
	}
}

// BenchmarkEstimateNodes places 5,000 pods of 50 kinds, on new nodes only, beside 500 nodes that exist, and
// with a filter.
func BenchmarkEstimateNodes(b *testing.B) {
	pods := make([]noderesources.Request, 5000)
	for i := range pods {
		pods[i] = placed("cpu", fmt.Sprintf("%dm", 100+i%50*70), "memory", fmt.Sprintf("%dMi", 100+i*7919%50*150))
	}
	template := noderesources.NewLedger(testkit.List("cpu", "16", "memory", "64Gi", "pods", "110"))
	var existing noderesources.Cluster
	for i := range 500 {
		testkit.OK(b, existing.AddNode(fmt.Sprintf("node-%03d", i), template.Allocatable()))
	}
	for name, opts := range map[string]noderesources.EstimateOptions{
		"new": {}, "existing": {Existing: &existing}, "limit": {MaxNodes: 100},
		"filter": {Existing: &existing, Filter: func(pod, node int) bool { return pod%7 != node%7 }},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				noderesources.EstimateNodes(pods, template, opts)
			}
		})
	}
}
