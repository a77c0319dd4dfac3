package noderesources_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// size is what a pod requests, or a node has: cpu and memory in whole units.
type size struct{ cpu, gi int64 }

func (s size) request() noderesources.Request {
	return placed("cpu", fmt.Sprint(s.cpu), "memory", fmt.Sprintf("%dGi", s.gi))
}

// simulation is the estimator of the cluster autoscaler, without its limits and its fast path. As
// there, a node that is added for a pod that does not fit on it remains, without pods.
type simulation struct {
	template size
	free     []size
	pods     []int // on each node
	rotates  bool
	found    int
}

// place returns the node of each pod of a group of equal pods, and -1 for those that are not placed.
func (s *simulation) place(pod size, n int) []int {
	nodes := slices.Repeat([]int{-1}, n)
	i := 0
	for ; i < n; i++ {
		nodes[i] = s.search(pod)
		if nodes[i] < 0 {
			break
		}
	}
	for ; i < n; i++ {
		last := len(s.free) - 1
		if last < 0 || !s.add(pod, last) {
			if last >= 0 && s.pods[last] == 0 {
				return nodes
			}
			s.free, s.pods = append(s.free, s.template), append(s.pods, 0)
			if last++; !s.add(pod, last) {
				return nodes
			}
		}
		nodes[i] = last
	}
	return nodes
}

// search adds a pod to a node that has room, and returns its index, or -1.
func (s *simulation) search(pod size) int {
	for i := range s.free {
		if s.rotates {
			i = (i + s.found + 1) % len(s.free)
		}
		if s.add(pod, i) {
			s.found = i
			return i
		}
	}
	return -1
}

func (s *simulation) add(pod size, node int) bool {
	free := &s.free[node]
	if pod.cpu > free.cpu || pod.gi > free.gi {
		return false
	}
	free.cpu -= pod.cpu
	free.gi -= pod.gi
	s.pods[node]++
	return true
}

// estimate returns what EstimateNodes does for groups of pods in this order.
func (s *simulation) estimate(groups []size, counts []int) (nodes int, placed []int) {
	for i, pod := range groups {
		placed = append(placed, s.place(pod, counts[i])...)
	}
	for _, n := range s.pods {
		if n > 0 {
			nodes++
		}
	}
	return nodes, placed
}

// The pods are the largest first already, and no two of them are of equal size.
func TestDivergenceEstimateSearchesFromTheFirstNode(t *testing.T) {
	template := ledger(t, testkit.List("cpu", "4", "memory", "8Gi", "pods", "9"))
	for name, test := range map[string]struct {
		pods                   []size
		autoscaler, ours       []int
		autoscalerNodes, nodes int
	}{
		"the autoscaler uses fewer nodes": {
			pods:       []size{{3, 4}, {4, 1}, {0, 4}, {1, 1}},
			autoscaler: []int{0, 1, 1, 0}, autoscalerNodes: 2,
			ours: []int{0, 1, 0, 2}, nodes: 3,
		},
		"the autoscaler uses more nodes": {
			pods:       []size{{4, 2}, {2, 3}, {0, 5}, {1, 2}},
			autoscaler: []int{0, 1, 1, 2}, autoscalerNodes: 3,
			ours: []int{0, 1, 0, 1}, nodes: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var requests []noderesources.Request
			for _, pod := range test.pods {
				requests = append(requests, pod.request())
			}
			s := simulation{template: size{4, 8}, rotates: true}
			nodes, placed := s.estimate(test.pods, slices.Repeat([]int{1}, len(test.pods)))
			if nodes != test.autoscalerNodes || !slices.Equal(placed, test.autoscaler) {
				t.Errorf("the autoscaler: %d nodes, %v, want %d, %v", nodes, placed, test.autoscalerNodes, test.autoscaler)
			}
			got := noderesources.EstimateNodes(requests, template, noderesources.FitOptions{})
			if got.Nodes != test.nodes || !slices.Equal(got.Placed, test.ours) {
				t.Errorf("EstimateNodes: %d nodes, %v, want %d, %v", got.Nodes, got.Placed, test.nodes, test.ours)
			}
		})
	}
}

// With a search that starts at the first node, the estimator of the cluster autoscaler places each
// pod where EstimateNodes does. Pods that fit on no node change nothing.
func TestEstimateEqualsAutoscalerWithoutRotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		template := size{rapid.Int64Range(1, 8).Draw(t, "cpu"), rapid.Int64Range(1, 8).Draw(t, "memory")}
		one := rapid.Custom(func(t *rapid.T) size {
			return size{rapid.Int64Range(0, 5).Draw(t, "cpu"), rapid.Int64Range(0, 5).Draw(t, "memory")}
		})
		groups := rapid.SliceOfNDistinct(one, 0, 8, rapid.ID[size]).Draw(t, "groups")
		sum := func(s size) float64 {
			return float64(s.cpu)/float64(template.cpu) + float64(s.gi)/float64(template.gi)
		}
		slices.SortFunc(groups, func(a, b size) int {
			return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(b.cpu, a.cpu))
		})
		var counts []int
		var requests []noderesources.Request
		for _, pod := range groups {
			n := rapid.IntRange(1, 5).Draw(t, "pods")
			counts = append(counts, n)
			requests = append(requests, slices.Repeat([]noderesources.Request{pod.request()}, n)...)
		}
		s := simulation{template: template}
		nodes, placed := s.estimate(groups, counts)
		node := noderesources.New(testkit.List("cpu", fmt.Sprint(template.cpu), "memory", fmt.Sprintf("%dGi", template.gi), "pods", "99"))
		e := noderesources.EstimateNodes(requests, node, noderesources.FitOptions{})
		if e.Nodes != nodes || !slices.Equal(e.Placed, placed) {
			t.Fatalf("%d nodes, want %d: %s", e.Nodes, nodes, gocmp.Diff(placed, e.Placed))
		}
	})
}
