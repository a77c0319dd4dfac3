package noderesources_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFirstFit(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "memory", "8Gi", "pods", "2"), testkit.List("cpu", "2", "memory", "8Gi", "pods", "9"))
	addPod(t, c, "0", "b", placed("cpu", "1"))
	before := testkit.Fingerprint(c)
	got := c.FirstFit([]noderesources.Request{
		placed("cpu", "3"), placed("cpu", "2"), placed("cpu", "1"), placed("memory", "8Gi"), placed("memory", "1"), placed("cpu", "5"),
	}, noderesources.FitOptions{})
	want := noderesources.Placements{
		Nodes: []string{"a", "", "a", "b", "", ""},
		Remaining: map[int]*noderesources.FitError{
			1: {Nodes: 2, Reasons: []noderesources.FitReason{{Resource: "cpu", Nodes: 2}}},
			4: {Nodes: 2, Reasons: []noderesources.FitReason{{Resource: "pods", Nodes: 1}, {Resource: "memory", Nodes: 1}}},
			5: {Nodes: 2, Reasons: []noderesources.FitReason{{Resource: "pods", Nodes: 1}, {Resource: "cpu", Nodes: 2, Unresolvable: 2}}},
		},
	}
	testkit.NoDiff(t, got, want)
	if after := testkit.Fingerprint(c); after != before {
		t.Errorf("the cluster has changed from\n%s to\n%s", before, after)
	}
}

func TestBestFit(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "memory", "4Gi", "pods", "9"), testkit.List("cpu", "4", "memory", "4Gi", "pods", "9"), testkit.List("cpu", "8", "memory", "8Gi", "pods", "9"))
	before := testkit.Fingerprint(c)
	small, large := placed("cpu", "1", "memory", "1Gi"), placed("cpu", "3", "memory", "3Gi")
	list := []noderesources.Request{small, small, large, small, small, large, large, large}
	for name, test := range map[string]struct {
		strategy noderesources.Strategy
		want     []string
	}{
		"where most is free":  {noderesources.LeastAllocated, []string{"c", "a", "c", "b", "a", "c", "b", ""}},
		"where least is free": {noderesources.MostAllocated, []string{"a", "a", "b", "b", "a", "c", "c", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: test.strategy})
			if err != nil {
				t.Fatal(err)
			}
			got := c.BestFit(list, scorer, noderesources.FitOptions{})
			testkit.NoDiff(t, got.Nodes, test.want)
			if len(got.Remaining) != 1 || got.Remaining[7] == nil || got.Remaining[7].Error() != "0/3 nodes are available: 3 Insufficient cpu, 3 Insufficient memory." {
				t.Errorf("remaining: %+v", got.Remaining)
			}
		})
	}
	if after := testkit.Fingerprint(c); after != before {
		t.Errorf("the cluster has changed from\n%s to\n%s", before, after)
	}
}

// Ignored resources do not count in placements either.
func TestPlacementsIgnoreResources(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"))
	list := []noderesources.Request{placed("cpu", "1", "example.com/x", "1"), placed("cpu", "1", "example.com/x", "1")}
	opts := noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/x"}}
	for name, p := range map[string]noderesources.Placements{"FirstFit": c.FirstFit(list, opts), "BestFit": c.BestFit(list, noderesources.Scorer{}, opts)} {
		testkit.NoDiff(t, p, noderesources.Placements{Nodes: []string{"a", "a"}}, name)
	}
}

// Pods that request as much of different resources are of different kinds.
func TestBestFitByNameOfScalars(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9", "example.com/fpga", "2"), testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "2"))
	fpga, gpu := placed("cpu", "1", "example.com/fpga", "1"), placed("cpu", "1", "example.com/gpu", "1")
	got := c.BestFit([]noderesources.Request{fpga, gpu, fpga, gpu}, noderesources.Scorer{}, noderesources.FitOptions{})
	testkit.NoDiff(t, got, noderesources.Placements{Nodes: []string{"a", "b", "a", "b"}})
}

// Placing many pods onto many nodes gives the same result as choosing a node for each pod in turn
// and adding it.
func TestPlacementsOfManyPods(t *testing.T) {
	for name, test := range map[string]struct{ nodes, kinds, pods int }{
		"a few kinds in turn":                        {nodes: 200, kinds: 7, pods: 1200},
		"each pod of its own":                        {nodes: 70, kinds: 1 << 20, pods: 300},
		"more kinds than there are scores in memory": {nodes: 3, kinds: 4100, pods: 8300},
	} {
		t.Run(name, func(t *testing.T) {
			node := func(i int) string { return fmt.Sprintf("n-%03d", i) }
			newCluster := func() *noderesources.Cluster {
				var c noderesources.Cluster
				for i := range test.nodes {
					if err := c.AddNode(node(i), testkit.List("cpu", fmt.Sprint(20+i%3), "memory", "20Gi", "pods", fmt.Sprint(10*test.pods/test.nodes))); err != nil {
						t.Fatal(err)
					}
				}
				return &c
			}
			list := make([]noderesources.Request, test.pods)
			for i := range list {
				kind := i % test.kinds
				list[i] = placed("cpu", fmt.Sprint(1+kind*7919%5000, "m"), "memory", fmt.Sprint(1+kind*104729%9000, "Mi"))
			}
			first, best := newCluster().FirstFit(list, noderesources.FitOptions{}), newCluster().BestFit(list, noderesources.Scorer{}, noderesources.FitOptions{})
			ofFirst, ofBest := newCluster(), newCluster()
			for i, r := range list {
				uid, want := types.UID(fmt.Sprint(i)), firstOf(ofFirst, r, noderesources.FitOptions{})
				if want != "" {
					addPod(t, ofFirst, uid, want, r)
				}
				if first.Nodes[i] != want {
					t.Fatalf("first fit of pod %d on %q, want %q", i, first.Nodes[i], want)
				}
				want, _, found := ofBest.Best(r, noderesources.Scorer{}, noderesources.FitOptions{})
				if found {
					addPod(t, ofBest, uid, want, r)
				}
				if best.Nodes[i] != want {
					t.Fatalf("best fit of pod %d on %q, want %q", i, best.Nodes[i], want)
				}
			}
			if podsOf(t, ofFirst)+len(first.Remaining) != len(list) || podsOf(t, ofBest)+len(best.Remaining) != len(list) {
				t.Error("pods are missing")
			}
		})
	}
}

// Pods with equal requests differ in scores if more of their containers request nothing.
func TestBestFitCountsDefaults(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "400m", "memory", "10Gi", "pods", "9"), testkit.List("cpu", "10", "memory", "600Mi", "pods", "9"), testkit.List("cpu", "1k", "memory", "1Ti", "pods", "1"))
	addPod(t, c, "0", "a", placed("cpu", "0", "memory", "1Gi"))
	one, three := noderesources.PodRequest(pod(app()), none), noderesources.PodRequest(pod(app(), app(), app()), none)
	for want, second := range map[string]noderesources.Request{"b": one, "a": three} {
		got := c.BestFit([]noderesources.Request{one, second}, noderesources.Scorer{}, noderesources.FitOptions{})
		testkit.NoDiff(t, got.Nodes, []string{"c", want})
	}
}

// Pods that request different amounts of a scalar resource are of different kinds.
func TestBestFitByAmountOfScalars(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "4"), testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "8"), testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "4"))
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated, Resources: weights("example.com/gpu")})
	if err != nil {
		t.Fatal(err)
	}
	one, six := placed("cpu", "1", "example.com/gpu", "1"), placed("cpu", "1", "example.com/gpu", "6")
	got := c.BestFit([]noderesources.Request{one, six, one, six}, scorer, noderesources.FitOptions{})
	testkit.NoDiff(t, got.Nodes, []string{"a", "b", "b", ""})
}
