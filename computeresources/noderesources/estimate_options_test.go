package noderesources_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestEstimateOptions(t *testing.T) {
	template := testkit.List("cpu", "4", "memory", "8Gi", "pods", "4")
	pods := []noderesources.Request{placed("cpu", "1"), placed("cpu", "3"), placed("cpu", "2"), placed("cpu", "4")}
	small, large := testkit.List("cpu", "2", "pods", "9"), testkit.List("cpu", "6", "pods", "9")
	for name, test := range map[string]struct {
		pods []noderesources.Request
		opts noderesources.EstimateOptions
		want noderesources.Estimate
	}{
		"new nodes only": {
			pods: pods,
			want: noderesources.Estimate{Nodes: 3, LowerBound: 3, Placed: []int{1, 1, 2, 0}},
		},
		"existing nodes first, by name": {
			pods: pods,
			opts: noderesources.EstimateOptions{Existing: cluster(t, small, large)},
			want: noderesources.Estimate{Nodes: 1, LowerBound: 1, Placed: []int{1, 2, 0, 1}},
		},
		"existing nodes without room": {
			pods: pods,
			opts: noderesources.EstimateOptions{Existing: cluster(t, testkit.List("cpu", "9", "pods", "0"))},
			want: noderesources.Estimate{Nodes: 3, LowerBound: 1, Placed: []int{2, 2, 3, 1}},
		},
		"too large for a new node": {
			pods: []noderesources.Request{placed("cpu", "5"), placed("cpu", "5"), placed("cpu", "1")},
			opts: noderesources.EstimateOptions{Existing: cluster(t, large)},
			want: noderesources.Estimate{Placed: []int{0, -1, 0}, Unplaced: map[int]noderesources.Shortages{
				1: {{Resource: "cpu", Requested: 5000, Capacity: 4000, Unresolvable: true}},
			}},
		},
		"as many as fit, on existing nodes": {
			pods: pods,
			opts: noderesources.EstimateOptions{Existing: cluster(t, small, large), MaxNodes: -1},
			want: noderesources.Estimate{Placed: []int{1, -1, 0, 1}, Unplaced: enough(1)},
		},
		"no nodes at all": {
			pods: pods,
			opts: noderesources.EstimateOptions{MaxNodes: -1},
			want: noderesources.Estimate{Placed: []int{-1, -1, -1, -1}, Unplaced: enough(0, 1, 2, 3)},
		},
		"one node": {
			pods: pods,
			opts: noderesources.EstimateOptions{MaxNodes: 1},
			want: noderesources.Estimate{Nodes: 1, LowerBound: 1, Placed: []int{-1, -1, -1, 0}, Unplaced: enough(0, 1, 2)},
		},
		"two nodes, with later pods where there is room": {
			pods: pods,
			opts: noderesources.EstimateOptions{MaxNodes: 2},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{1, 1, -1, 0}, Unplaced: enough(2)},
		},
		"a limit that is not reached": {
			pods: pods,
			opts: noderesources.EstimateOptions{MaxNodes: 4},
			want: noderesources.Estimate{Nodes: 3, LowerBound: 3, Placed: []int{1, 1, 2, 0}},
		},
		"a filter of pods": {
			pods: pods,
			opts: noderesources.EstimateOptions{Filter: func(pod, _ int) bool { return pod != 3 }},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 2, Placed: []int{0, 0, 1, -1}, Unplaced: enough(3)},
		},
		"a filter of existing nodes": {
			pods: pods,
			opts: noderesources.EstimateOptions{Existing: cluster(t, large, small), Filter: func(_, node int) bool { return node != 0 }},
			want: noderesources.Estimate{Nodes: 2, LowerBound: 1, Placed: []int{3, 3, 1, 2}},
		},
		"no new nodes by a filter": {
			pods: pods,
			opts: noderesources.EstimateOptions{Existing: cluster(t, large), Filter: func(_, node int) bool { return node < 1 }},
			want: noderesources.Estimate{Placed: []int{-1, -1, 0, 0}, Unplaced: enough(0, 1)},
		},
		"too large is said of pods that a filter keeps off": {
			pods: []noderesources.Request{placed("cpu", "5")},
			opts: noderesources.EstimateOptions{Existing: cluster(t, large), Filter: func(_, _ int) bool { return false }},
			want: noderesources.Estimate{Placed: []int{-1}, Unplaced: map[int]noderesources.Shortages{
				0: {{Resource: "cpu", Requested: 5000, Capacity: 4000, Unresolvable: true}},
			}},
		},
		"an empty cluster": {
			pods: pods,
			opts: noderesources.EstimateOptions{Existing: &noderesources.Cluster{}},
			want: noderesources.Estimate{Nodes: 3, LowerBound: 3, Placed: []int{1, 1, 2, 0}},
		},
		"too large for an empty node, but not for one with requests below zero": {
			pods: []noderesources.Request{placed("ephemeral-storage", "2Gi"), placed("cpu", "4", "ephemeral-storage", "-2Gi")},
			opts: noderesources.EstimateOptions{Existing: cluster(t, small)},
			want: noderesources.Estimate{Nodes: 1, LowerBound: 1, Placed: []int{-1, 1}, Unplaced: map[int]noderesources.Shortages{
				0: {{Resource: "ephemeral-storage", Requested: 2 << 30, Unresolvable: true}},
			}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := noderesources.EstimateNodes(test.pods, ledger(t, template), test.opts)
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// A filter that keeps account of what it has accepted separates pods that must not share a node.
func TestEstimateWithFilterOfPairs(t *testing.T) {
	pods := []noderesources.Request{placed("cpu", "1"), placed("cpu", "1"), placed("cpu", "1"), placed("cpu", "1")}
	taken := map[int]bool{}
	got := noderesources.EstimateNodes(pods, ledger(t, testkit.List("cpu", "4", "pods", "9")), noderesources.EstimateOptions{
		Existing: cluster(t, testkit.List("cpu", "4", "pods", "9")),
		Filter: func(pod, node int) bool {
			if pod == 3 { // has no host port
				return true
			}
			was := taken[node]
			taken[node] = true
			return !was
		},
	})
	testkit.NoDiff(t, got, noderesources.Estimate{Nodes: 2, Placed: []int{0, 1, 2, 0}})
}

// A filter is asked about nodes on which the pod fits, and about a new one if the pod fits on an empty one.
func TestEstimateAsksTheFilter(t *testing.T) {
	pods := []noderesources.Request{placed("ephemeral-storage", "2Gi"), placed("cpu", "4", "ephemeral-storage", "-2Gi"), placed("cpu", "3"), placed("cpu", "2")}
	var asked [][2]int
	got := noderesources.EstimateNodes(pods, ledger(t, testkit.List("cpu", "4", "pods", "4")), noderesources.EstimateOptions{
		Existing: cluster(t, testkit.List("cpu", "2", "pods", "9"), testkit.List("cpu", "5", "pods", "9")),
		Filter: func(pod, node int) bool {
			asked = append(asked, [2]int{pod, node})
			return node != 1 && pod != 2
		},
	})
	testkit.NoDiff(t, got.Placed, []int{-1, 2, -1, 0})
	testkit.NoDiff(t, asked, [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 0}})
}

// If pods of different sizes are taken by an existing node, those that remain may fit less well.
func TestExistingNodesMayNeedMoreNewOnes(t *testing.T) {
	var pods []noderesources.Request
	for _, s := range []size{{21, 26}, {29, 6}, {17, 7}, {1, 22}, {5, 17}, {11, 7}} {
		pods = append(pods, s.request())
	}
	template := ledger(t, testkit.List("cpu", "44", "memory", "52Gi", "pods", "9"))
	testkit.NoDiff(t, noderesources.EstimateNodes(pods, template, noderesources.EstimateOptions{}), noderesources.Estimate{
		Nodes: 2, LowerBound: 2, Placed: []int{0, 1, 0, 1, 0, 1},
	})
	existing := cluster(t, testkit.List("cpu", "19", "memory", "10Gi", "pods", "9"))
	testkit.NoDiff(t, noderesources.EstimateNodes(pods, template, noderesources.EstimateOptions{Existing: existing}), noderesources.Estimate{
		Nodes: 3, LowerBound: 2, Placed: []int{1, 2, 0, 1, 2, 3},
	})
}

// The free amounts of existing nodes bound nothing if they may be more than an int64.
func TestLowerBoundBesideExistingNodes(t *testing.T) {
	classes := map[string]corev1.ResourceName{"class": "example.com/gpu"}
	template := ledger(t, testkit.List("cpu", "2", "memory", "9E", "example.com/gpu", "2", "pods", "9"))
	overcommitted := cluster(t, testkit.List("cpu", "1", "pods", "1"))
	addPod(t, overcommitted, "0", "a", placed("cpu", "3"))
	addPod(t, overcommitted, "1", "a", placed("cpu", "3"))
	unbounded := cluster(t, testkit.List("memory", "9E", "pods", "9"))
	addPod(t, unbounded, "0", "a", placed("memory", "-9E"))
	for name, test := range map[string]struct {
		pods     []noderesources.Request
		existing *noderesources.Cluster
		classes  map[string]corev1.ResourceName
		want     int
	}{
		"an overcommitted node has nothing":  {[]noderesources.Request{placed("cpu", "2"), placed("cpu", "1")}, overcommitted, nil, 2},
		"beyond int64":                       {[]noderesources.Request{placed("memory", "9E"), placed("memory", "9E")}, unbounded, nil, 0},
		"a node without the resource":        {[]noderesources.Request{placed("example.com/gpu", "2"), placed("example.com/gpu", "1")}, cluster(t, testkit.List("cpu", "1", "pods", "9")), nil, 2},
		"devices that are not counted":       {[]noderesources.Request{placed("example.com/gpu", "2"), placed("example.com/gpu", "1")}, cluster(t, testkit.List("cpu", "1", "pods", "9")), classes, 0},
		"devices, but not of a node":         {[]noderesources.Request{placed("example.com/gpu", "2"), placed("example.com/gpu", "1")}, cluster(t, testkit.List("example.com/gpu", "1", "pods", "9")), classes, 1},
		"devices, of one of the nodes":       {[]noderesources.Request{placed("example.com/gpu", "2"), placed("example.com/gpu", "1")}, cluster(t, testkit.List("example.com/gpu", "1", "pods", "9"), testkit.List("pods", "9")), classes, 0},
		"the resource is there":              {[]noderesources.Request{placed("example.com/gpu", "2"), placed("example.com/gpu", "1")}, cluster(t, testkit.List("example.com/gpu", "1", "pods", "9"), testkit.List("pods", "9")), nil, 1},
		"the number of pods":                 {slices.Repeat([]noderesources.Request{placed()}, 12), cluster(t, testkit.List("pods", "2")), nil, 2},
		"more is free than the pods request": {[]noderesources.Request{placed("cpu", "1")}, cluster(t, testkit.List("cpu", "8", "pods", "9")), nil, 0},
		"an exact number of nodes beside it": {[]noderesources.Request{placed("cpu", "2"), placed("cpu", "2"), placed("cpu", "1")}, cluster(t, testkit.List("cpu", "1", "pods", "1")), nil, 2},
		"one more than the exact number":     {[]noderesources.Request{placed("cpu", "2"), placed("cpu", "2"), placed("cpu", "1"), placed("cpu", "1m")}, cluster(t, testkit.List("cpu", "1", "pods", "1")), nil, 3},
	} {
		t.Run(name, func(t *testing.T) {
			opts := noderesources.EstimateOptions{Existing: test.existing, FitOptions: noderesources.FitOptions{ExtendedResources: test.classes}}
			testkit.Equal(t, noderesources.EstimateNodes(test.pods, template, opts).LowerBound, test.want)
		})
	}
}

// question is an estimate of pods that have the order of their sizes.
type question struct {
	template size
	existing []size
	pods     []size
	limit    int
	forbids  [][4]bool // by pod and the last digit of the node
}

func drawQuestion(t *rapid.T) (q question) {
	draw := func(least, most int64) size {
		return size{rapid.Int64Range(least, most).Draw(t, "cpu"), rapid.Int64Range(least, most).Draw(t, "memory")}
	}
	q.template = draw(1, 8)
	for range rapid.IntRange(0, 3).Draw(t, "existing") {
		q.existing = append(q.existing, draw(0, 9))
	}
	for range rapid.IntRange(0, 9).Draw(t, "pods") {
		q.pods = append(q.pods, draw(0, 5))
	}
	sum := func(s size) float64 {
		return float64(s.cpu)/float64(q.template.cpu) + float64(s.gi)/float64(q.template.gi)
	}
	slices.SortFunc(q.pods, func(a, b size) int { return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(b.cpu, a.cpu)) })
	q.limit = rapid.SampledFrom([]int{0, 0, -1, 1, 2, 3}).Draw(t, "limit")
	if rapid.Bool().Draw(t, "filter") {
		for range q.pods {
			var f [4]bool
			for i := range f {
				f[i] = rapid.IntRange(0, 3).Draw(t, "forbidden") == 0
			}
			q.forbids = append(q.forbids, f)
		}
	}
	return q
}

// allows is the filter.
func (q *question) allows(pod, node int) bool { return q.forbids == nil || !q.forbids[pod][node%4] }

func (s size) within(free size) bool { return s.cpu <= free.cpu && s.gi <= free.gi }

func (s size) allocatable() corev1.ResourceList {
	return testkit.List("cpu", fmt.Sprint(s.cpu), "memory", fmt.Sprintf("%dGi", s.gi), "pods", "99")
}

// ask returns the answer of EstimateNodes. Half of each existing node is in use.
func (q *question) ask(t testkit.TB) noderesources.Estimate {
	opts := noderesources.EstimateOptions{MaxNodes: q.limit}
	if q.existing != nil {
		opts.Existing = &noderesources.Cluster{}
	}
	for i, s := range q.existing {
		name := fmt.Sprint(i)
		testkit.OK(t, opts.Existing.AddNode(name, size{2 * s.cpu, 2 * s.gi}.allocatable()))
		addPod(t, opts.Existing, "", name, s.request())
	}
	if q.forbids != nil {
		opts.Filter = q.allows
	}
	var requests []noderesources.Request
	for _, s := range q.pods {
		requests = append(requests, s.request())
	}
	return noderesources.EstimateNodes(requests, noderesources.NewLedger(q.template.allocatable()), opts)
}

// slowly places one pod after the other, with a look at each node.
func (q *question) slowly() (placed []int, tooLarge, remaining int) {
	free := slices.Clone(q.existing)
	for i, pod := range q.pods {
		node := slices.IndexFunc(indices(len(free)), func(n int) bool { return pod.within(free[n]) && q.allows(i, n) })
		added := len(free) - len(q.existing)
		switch {
		case node >= 0:
		case !pod.within(q.template):
			tooLarge++
		case q.limit < 0 || q.limit > 0 && added == q.limit || !q.allows(i, len(free)):
			remaining++
		default:
			node, free = len(free), append(free, q.template)
		}
		placed = append(placed, node)
		if node >= 0 {
			free[node] = size{free[node].cpu - pod.cpu, free[node].gi - pod.gi}
		}
	}
	return placed, tooLarge, remaining
}

// fewest returns the smallest number of new nodes for the pods from the first on that are placed, by trying
// each node for each pod.
func (q *question) fewest(placed []int, pod int, free []size, best int) int {
	added := len(free) - len(q.existing)
	if added >= best || pod == len(q.pods) {
		return min(added, best)
	}
	if placed[pod] < 0 {
		return q.fewest(placed, pod+1, free, best)
	}
	for node := range len(free) + 1 {
		next := append(slices.Clone(free), q.template)[:max(node+1, len(free))]
		if s := q.pods[pod]; s.within(next[node]) && q.allows(pod, node) {
			next[node] = size{next[node].cpu - s.cpu, next[node].gi - s.gi}
			best = q.fewest(placed, pod+1, next, best)
		}
	}
	return best
}

// enough are unplaced pods for which an empty new node is large enough.
func enough(pods ...int) map[int]noderesources.Shortages {
	unplaced := map[int]noderesources.Shortages{}
	for _, pod := range pods {
		unplaced[pod] = nil
	}
	return unplaced
}

// count returns how many pods are not placed because they are too large for a new node, or for other reasons.
func count(e noderesources.Estimate, tooLarge bool) (n int) {
	for _, short := range e.Unplaced {
		if (len(short) > 0) == tooLarge {
			n++
		}
	}
	return n
}

func TestEstimateOptionsEqualSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuestion(t)
		e := q.ask(t)
		placed, tooLarge, remaining := q.slowly()
		if !slices.Equal(e.Placed, placed) || count(e, true) != tooLarge || count(e, false) != remaining {
			t.Fatalf("%+v, want %v, %d too large, %d remaining", e, placed, tooLarge, remaining)
		}
		for pod, node := range e.Placed {
			if _, unplaced := e.Unplaced[pod]; unplaced != (node < 0) {
				t.Fatalf("pod %d is on node %d, unplaced: %v", pod, node, unplaced)
			}
		}
		testkit.Equal(t, e.Nodes, max(0, slices.Max(append(placed, -1))-len(q.existing)+1), "nodes")
		if best := q.fewest(placed, 0, slices.Clone(q.existing), e.Nodes); e.LowerBound > best {
			t.Fatalf("at least %d nodes, but %d are enough", e.LowerBound, best)
		}
	})
}

// What random estimates have to reach, so that they show something.
func TestDrawsOfEstimateOptions(t *testing.T) {
	testkit.Reached(t, 2000, func(t *rapid.T) (reached []string) {
		q := drawQuestion(t)
		e := q.ask(t)
		isExisting := func(node int) bool { return node >= 0 && node < len(q.existing) }
		if slices.ContainsFunc(e.Placed, isExisting) && e.Nodes > 1 {
			reached = append(reached, "both kinds of nodes")
		}
		for pod, node := range e.Placed {
			if isExisting(node) && !q.pods[pod].within(q.template) {
				reached = append(reached, "too large for a new node")
			}
		}
		for pod, short := range e.Unplaced {
			switch {
			case len(short) > 0:
			case q.limit < 0:
				reached = append(reached, "no new nodes")
			case e.Nodes == q.limit && slices.ContainsFunc(e.Placed[pod:], func(node int) bool { return node >= len(q.existing) }):
				reached = append(reached, "a later pod on the last node")
			case e.Nodes != q.limit:
				reached = append(reached, "kept off by the filter")
			}
		}
		if e.Nodes > 0 && e.LowerBound == 0 {
			reached = append(reached, "no bound")
		}
		return reached
	}, "both kinds of nodes", "too large for a new node", "no new nodes", "a later pod on the last node", "kept off by the filter", "no bound")
}

// Laws for any requests, also below zero and beyond int64.
func TestEstimateOptionsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, template := requests(t), noderesources.NewLedger(shape(t))
		existing := cluster(t, shape(t), shape(t))
		addPod(t, existing, "", "b", placed("cpu", "1", "memory", "1Gi"))
		plain := noderesources.EstimateNodes(list, template, noderesources.EstimateOptions{})
		testkit.NoDiff(t, noderesources.EstimateNodes(list, template, noderesources.EstimateOptions{
			Existing: &noderesources.Cluster{}, MaxNodes: len(list) + 1, Filter: func(_, _ int) bool { return true },
		}), plain, "with options that change nothing")

		modulus := rapid.IntRange(2, 9).Draw(t, "filter")
		var accepted [][2]int
		opts := noderesources.EstimateOptions{Existing: existing, Filter: func(pod, node int) bool {
			if (pod+node)%modulus == 0 {
				return false
			}
			accepted = append(accepted, [2]int{pod, node})
			return true
		}}
		all := noderesources.EstimateNodes(list, template, opts)
		checkReplay(t, list, template, existing, all, accepted)
		for _, limit := range []int{-1, 1, 2, 3} {
			accepted, opts.MaxNodes = nil, limit
			prefix := noderesources.EstimateNodes(list, template, opts)
			checkReplay(t, list, template, existing, prefix, accepted)
			checkPrefix(t, prefix, all, 2+max(limit, 0))
		}

		beside := noderesources.EstimateNodes(list, template, noderesources.EstimateOptions{Existing: existing})
		if len(beside.Unplaced) > len(plain.Unplaced) || count(beside, false) > 0 {
			t.Fatalf("beside existing nodes, %v are not placed, else %v", beside.Unplaced, plain.Unplaced)
		}
		if beside.LowerBound > plain.LowerBound && !slices.ContainsFunc(list, hasNegative) {
			t.Fatalf("at least %d nodes beside existing ones, %d without", beside.LowerBound, plain.LowerBound)
		}
		if len(list) > 0 {
			equal := slices.Repeat(list[:1], len(list))
			with := noderesources.EstimateNodes(equal, template, noderesources.EstimateOptions{Existing: existing})
			if without := noderesources.EstimateNodes(equal, template, noderesources.EstimateOptions{}); with.Nodes > without.Nodes {
				t.Fatalf("%d nodes beside existing ones, %d without", with.Nodes, without.Nodes)
			}
		}
	})
}

// checkReplay checks that the filter has accepted exactly the placements, and that each pod fits at its turn.
func checkReplay(t *rapid.T, list []noderesources.Request, template *noderesources.Ledger, existing *noderesources.Cluster, e noderesources.Estimate, accepted [][2]int) {
	var nodes []*noderesources.Ledger
	for _, name := range existing.Nodes() {
		nodes = append(nodes, node(t, existing, name))
	}
	for range e.Nodes {
		nodes = append(nodes, noderesources.NewLedger(template.Allocatable()))
	}
	placements := 0
	for _, node := range e.Placed {
		if node >= 0 {
			placements++
		}
	}
	testkit.Equal(t, len(accepted), placements, "placements that the filter has accepted")
	for _, a := range accepted {
		pod, n := a[0], a[1]
		testkit.Equal(t, e.Placed[pod], n, "the node of pod", pod)
		if !nodes[n].Fits(list[pod], noderesources.FitOptions{}) {
			t.Fatalf("pod %d does not fit on node %d: %v", pod, n, resourcelist.String(nodes[n].Free()))
		}
		testkit.OK(t, nodes[n].Add("", list[pod]))
	}
	if e.LowerBound > e.Nodes || e.LowerBound < 0 {
		t.Fatalf("%d nodes, at least %d", e.Nodes, e.LowerBound)
	}
}

// checkPrefix checks that a limit leaves out the pods that all places on nodes from behind on.
func checkPrefix(t *rapid.T, got, all noderesources.Estimate, behind int) {
	want, unplaced := slices.Clone(all.Placed), map[int]noderesources.Shortages{}
	maps.Copy(unplaced, all.Unplaced)
	for pod, node := range want {
		if node >= behind {
			want[pod], unplaced[pod] = -1, nil
		}
	}
	testkit.NoDiff(t, got.Placed, want, "placed")
	testkit.Equal(t, fmt.Sprint(got.Unplaced), fmt.Sprint(unplaced), "unplaced")
	testkit.Equal(t, got.Nodes, min(all.Nodes, behind-2), "nodes")
}
