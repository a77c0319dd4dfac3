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

// limited returns the request of a pod with a limit of cpu.
func limited(cpu string) noderesources.Request {
	return noderesources.PodRequest(pod(testkit.Container("app", nil, testkit.List("cpu", cpu))), none)
}

func TestEstimateNodes(t *testing.T) {
	template := testkit.List("cpu", "4", "memory", "8Gi", "ephemeral-storage", "10Gi", "example.com/gpu", "2", "pods", "4")
	for name, test := range map[string]struct {
		daemons, pods []noderesources.Request
		opts          noderesources.EstimateOptions
		want          noderesources.Estimate
	}{
		"no pods": {want: noderesources.Estimate{Placed: []int{}}},
		"the greatest first, and the small ones where there is room": {
			pods: []noderesources.Request{placed("cpu", "1"), placed("cpu", "1"), placed("cpu", "3"), placed("cpu", "3")},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{0, 1, 0, 1}},
		},
		"by the sum of fractions, not by one resource": {
			// 3/4 + 0, 2/4 + 3/8, 1/4 + 5/8, 0 + 6/8
			pods: []noderesources.Request{placed("cpu", "3"), placed("cpu", "2", "memory", "3Gi"), placed("cpu", "1", "memory", "5Gi"), placed("memory", "6Gi")},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{1, 0, 0, 1}},
		},
		"equal sums by cpu": {
			pods: []noderesources.Request{placed("memory", "4Gi"), placed("cpu", "2"), placed("memory", "5Gi"), placed("memory", "5Gi")},
			want: noderesources.Estimate{Nodes: 3, LowerBound: 2, Placed: []int{2, 0, 0, 1}},
		},
		"equal sums by cpu, not by the list": {
			daemons: []noderesources.Request{placed(), placed(), placed()},
			pods:    []noderesources.Request{placed("memory", "4Gi"), placed("cpu", "2")},
			want:    noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{1, 0}},
		},
		"other resources do not order, but count": {
			pods: []noderesources.Request{placed("example.com/gpu", "1"), placed("cpu", "1", "example.com/gpu", "2"), placed("example.com/gpu", "1")},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{1, 0, 1}},
		},
		"storage does not order": {
			daemons: []noderesources.Request{placed(), placed(), placed()},
			pods:    []noderesources.Request{placed("ephemeral-storage", "9Gi"), placed("cpu", "1")},
			want:    noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{1, 0}},
		},
		"the number of pods": {
			pods: []noderesources.Request{placed(), placed(), placed(), placed(), placed()},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{0, 0, 0, 0, 1}},
		},
		"more than volume": {
			pods: []noderesources.Request{placed("cpu", "2100m"), placed("cpu", "2100m"), placed("cpu", "2100m")},
			want: noderesources.Estimate{Nodes: 3, LowerBound: 2, Placed: []int{0, 1, 2}},
		},
		"a sum of exactly two nodes": {
			pods: []noderesources.Request{placed("cpu", "4"), placed("cpu", "4")},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{0, 1}},
		},
		"beside the pods of DaemonSets": {
			daemons: []noderesources.Request{placed("cpu", "1"), placed("memory", "1Gi")},
			pods:    []noderesources.Request{placed("cpu", "3"), placed("cpu", "3"), placed("cpu", "1"), placed()},
			want:    noderesources.Estimate{Nodes: 3, LowerBound: 3, Placed: []int{0, 1, 2, 0}},
		},
		"too large": {
			pods: []noderesources.Request{placed("cpu", "5"), placed("cpu", "1"), placed("example.com/gpu", "3", "cpu", "9")},
			want: noderesources.Estimate{Nodes: 1, LowerBound: 1, Placed: []int{-1, 0, -1}, Unplaced: map[int]noderesources.Shortages{
				0: {{Resource: "cpu", Requested: 5000, Capacity: 4000, Unresolvable: true}},
				2: {
					{Resource: "cpu", Requested: 9000, Capacity: 4000, Unresolvable: true},
					{Resource: "example.com/gpu", Requested: 3, Capacity: 2, Unresolvable: true},
				},
			}},
		},
		"ignored": {
			pods: []noderesources.Request{placed("example.com/gpu", "3"), placed("example.com/gpu", "2"), placed("example.com/gpu", "2")},
			opts: noderesources.EstimateOptions{FitOptions: noderesources.FitOptions{IgnoredGroups: []string{"example.com"}}},
			want: noderesources.Estimate{Nodes: 1, LowerBound: 1, Placed: []int{0, 0, 0}},
		},
		"too large, of what is ignored too": {
			pods: []noderesources.Request{placed("cpu", "5", "example.com/gpu", "3")},
			opts: noderesources.EstimateOptions{FitOptions: noderesources.FitOptions{IgnoredGroups: []string{"example.com"}}},
			want: noderesources.Estimate{Placed: []int{-1}, Unplaced: map[int]noderesources.Shortages{
				0: {{Resource: "cpu", Requested: 5000, Capacity: 4000, Unresolvable: true}},
			}},
		},
		"equal requests by limits": {
			daemons: []noderesources.Request{placed(), placed(), placed()},
			pods:    []noderesources.Request{limited("1"), limited("2")},
			want:    noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{1, 0}},
		},
		"beyond int64": {
			pods: []noderesources.Request{placed("memory", "-9E"), placed("memory", "-9E"), placed("memory", "-9E"), placed("memory", "8Gi")},
			want: noderesources.Estimate{Nodes: 1, LowerBound: 1, Placed: []int{0, 0, 0, 0}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := noderesources.EstimateNodes(test.pods, ledger(t, template, test.daemons...), test.opts)
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// Equal requests are placed in the order of the list, also of a long one.
func TestEstimateOfEqualRequests(t *testing.T) {
	// Two of 2 CPUs fill a node, and then four of 1 do.
	pods, want := make([]noderesources.Request, 198), make([]int, 198)
	large, small := 0, 0
	for i := range pods {
		if i*7919%3 == 0 {
			pods[i], want[i] = placed("cpu", "2"), large/2
			large++
		}
	}
	for i := range pods {
		if i*7919%3 != 0 {
			pods[i], want[i] = placed("cpu", "1"), large/2+small/4
			small++
		}
	}
	nodes := large/2 + (small+3)/4
	got := noderesources.EstimateNodes(pods, ledger(t, testkit.List("cpu", "4", "pods", "10")), noderesources.EstimateOptions{})
	testkit.NoDiff(t, got, noderesources.Estimate{Nodes: nodes, LowerBound: nodes, Placed: want})
}

// A Filter may distinguish equal pods: nodes before that of the last pod are asked again.
func TestEstimateOfEqualRequestsWithFilter(t *testing.T) {
	var existing noderesources.Cluster
	for i := range 65 {
		testkit.OK(t, existing.AddNode(fmt.Sprintf("n-%02d", i), testkit.List("cpu", "4", "pods", "10")))
	}
	pods := []noderesources.Request{placed("cpu", "1"), placed("cpu", "1")}
	got := noderesources.EstimateNodes(pods, nil, noderesources.EstimateOptions{
		Existing: &existing, Filter: func(pod, node int) bool { return pod == 1 || node == 64 },
	})
	testkit.NoDiff(t, got.Placed, []int{64, 0})
}

// A resource that the template does not have does not count in the order.
func TestEstimateWithoutMemory(t *testing.T) {
	pods := []noderesources.Request{placed("cpu", "1"), placed("cpu", "2"), placed("cpu", "3"), placed("cpu", "2")}
	got := noderesources.EstimateNodes(pods, ledger(t, testkit.List("cpu", "4", "pods", "10")), noderesources.EstimateOptions{})
	testkit.NoDiff(t, got, noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{0, 1, 0, 1}})
}

func TestEstimateWithoutTemplate(t *testing.T) {
	want := noderesources.Estimate{Placed: []int{-1}, Unplaced: map[int]noderesources.Shortages{
		0: {{Resource: "pods", Requested: 1}, {Resource: "cpu", Requested: 1000, Unresolvable: true}},
	}}
	testkit.NoDiff(t, noderesources.EstimateNodes([]noderesources.Request{placed("cpu", "1")}, nil, noderesources.EstimateOptions{}), want)
}

// If more is free on a template than fits into an int64, the total requests give no bound.
func TestEstimateBeyondInt64(t *testing.T) {
	template := ledger(t, testkit.List("memory", "9E", "pods", "9"), placed("memory", "-9E"))
	got := noderesources.EstimateNodes([]noderesources.Request{placed("memory", "9E"), placed("memory", "9E")}, template, noderesources.EstimateOptions{})
	testkit.NoDiff(t, got, noderesources.Estimate{Nodes: 1, LowerBound: 1, Placed: []int{0, 0}})
}

// The order of the pods decides how many nodes they need: it is that of their requests, by what the template has.
func TestEstimateNodesInOrder(t *testing.T) {
	a, b, c := placed("cpu", "2", "memory", "1Gi"), placed("cpu", "1", "memory", "3Gi"), placed("cpu", "1", "memory", "1200Mi")
	for _, test := range []struct {
		name     string
		template *noderesources.Ledger
		requests []noderesources.Request
		placed   []int
	}{
		// Of all: a has 2/8 + 1/8, b 1/8 + 3/8. Of what is free: a has 2/2 + 1/8, b 1/2 + 3/8.
		{"pods on the template do not change the order", ledger(t, testkit.List("cpu", "8", "memory", "8Gi", "pods", "9"), placed("cpu", "6")), []noderesources.Request{a, b}, []int{1, 0}},
		// By memory alone, the first pod is the largest.
		{"a resource that the template lacks does not count", ledger(t, testkit.List("memory", "4Gi", "pods", "9")), []noderesources.Request{
			placed("cpu", "-1", "memory", "3Gi"), placed("memory", "2Gi"), placed("memory", "2Gi"),
		}, []int{0, 1, 1}},
		{"the sum of both counts", ledger(t, testkit.List("cpu", "4", "memory", "4Gi", "pods", "1")), []noderesources.Request{c, placed("cpu", "2"), placed("cpu", "1500m", "memory", "1500Mi")}, []int{1, 2, 0}},
	} {
		got := noderesources.EstimateNodes(test.requests, test.template, noderesources.EstimateOptions{})
		testkit.NoDiff(t, got.Placed, test.placed, test.name)
	}
}

// The lower bound is that of the scarcest resource, wherever its name is among the others.
func TestLowerBoundOfScalars(t *testing.T) {
	template := ledger(t, testkit.List("cpu", "8", "pods", "9", "example.com/a", "2", "example.com/b", "1", "example.com/c", "4"))
	r := placed("cpu", "1", "example.com/a", "1", "example.com/b", "1", "example.com/c", "1")
	got := noderesources.EstimateNodes([]noderesources.Request{r, r, r, r}, template, noderesources.EstimateOptions{})
	if got.LowerBound != 4 || got.Nodes != 4 {
		t.Errorf("from %d to %d nodes, want 4", got.LowerBound, got.Nodes)
	}
}

// size is what a pod requests, or a node has: cpu and memory in whole units.
type size struct{ cpu, gi int64 }

func (s size) request() noderesources.Request {
	return placed("cpu", fmt.Sprint(s.cpu), "memory", fmt.Sprintf("%dGi", s.gi))
}

// simulation is the estimator of the cluster autoscaler, without its limit of the time and its fast path.
// As there, a node that is added for a pod that does not fit on it remains, without pods.
type simulation struct {
	template size
	limit    int // of the number of nodes; 0 for none
	free     []size
	pods     []int // on each node
	isFull   bool  // whether the limit has been reached
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
	for ; i < n && !s.isFull; i++ {
		last := len(s.free) - 1
		if last < 0 || !s.add(pod, last) {
			if last >= 0 && s.pods[last] == 0 {
				return nodes
			}
			s.isFull = s.limit > 0 && len(s.free) == s.limit
			if s.isFull {
				return nodes
			}
			s.free, s.pods = append(s.free, s.template), append(s.pods, 0)
			last++
			if !s.add(pod, last) {
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
// See docs/decisions/computeresources.md#estimate-searches-from-the-first-node.
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
			got := noderesources.EstimateNodes(requests, template, noderesources.EstimateOptions{})
			if got.Nodes != test.nodes || !slices.Equal(got.Placed, test.ours) {
				t.Errorf("EstimateNodes: %d nodes, %v, want %d, %v", got.Nodes, got.Placed, test.nodes, test.ours)
			}
		})
	}
}

// With a search that starts at the first node, the estimator of the cluster autoscaler places each
// pod where EstimateNodes does, also with a limit of the number of nodes. Pods that fit on no node change
// nothing.
func TestEstimateEqualsAutoscalerWithoutRotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		template := size{rapid.Int64Range(1, 8).Draw(t, "cpu"), rapid.Int64Range(1, 8).Draw(t, "memory")}
		one := rapid.Custom(func(t *rapid.T) size {
			return size{rapid.Int64Range(0, 5).Draw(t, "cpu"), rapid.Int64Range(0, 5).Draw(t, "memory")}
		})
		groups := rapid.SliceOfNDistinct(one, 0, 8, rapid.ID[size]).Draw(t, "groups")
		sum := func(s size) float64 { return float64(s.cpu)/float64(template.cpu) + float64(s.gi)/float64(template.gi) }
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
		s := simulation{template: template, limit: rapid.SampledFrom([]int{0, 0, 1, 2, 4}).Draw(t, "limit")}
		nodes, placed := s.estimate(groups, counts)
		node := noderesources.NewLedger(testkit.List("cpu", fmt.Sprint(template.cpu), "memory", fmt.Sprintf("%dGi", template.gi), "pods", "99"))
		e := noderesources.EstimateNodes(requests, node, noderesources.EstimateOptions{MaxNodes: s.limit})
		if e.Nodes != nodes || !slices.Equal(e.Placed, placed) {
			t.Fatalf("%d nodes, want %d: %s", e.Nodes, nodes, gocmp.Diff(placed, e.Placed))
		}
	})
}
