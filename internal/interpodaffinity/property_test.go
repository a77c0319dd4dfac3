package interpodaffinity_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Reasons and scores are those of the reference, whether pods are counted from the start or come and go later. The copies
// of an index do not change each other.
func TestMatchesReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testkit.PodAffinityClusters(6, 12).Draw(t, "cluster")
		r := reference{c, 1}
		options := interpodaffinity.Options{}
		if rapid.Bool().Draw(t, "hard weight") {
			r.hardWeight = rapid.Int32Range(0, 5).Draw(t, "weight")
			options.HardPodAffinityWeight = &r.hardWeight
		}
		incoming := interpodaffinity.Of(c.Incoming, c.NamespaceLabels(), options)
		index := indexOf(c)
		state := incoming.On(index)
		if listsOf(c.Incoming).isInvalid() {
			checkInvalid(t, incoming, state, c)
			return
		}
		testkit.Equal(t, incoming.Invalid(), "", "invalid")
		for i := range index.Pods(c.Incoming.Namespace, func(map[string]string) bool { return true }) {
			testkit.Equal(t, i > 0, true, "a pod of no node is in the index")
		}
		r.check(t, state)

		before, after := state, index.Clone()
		state = incoming.On(after)
		all := c.Pods
		r.move(t, after, state)
		r.check(t, state)
		r.check(t, incoming.On(after))
		c.Pods = all
		r.check(t, before)
		r.check(t, incoming.On(index))
	})
}

// indexOf returns an index whose node i+1 is node i of a cluster. Node 0 is one that only pods refer to, and has all of
// the pods as well.
func indexOf(c *testkit.PodAffinityCluster) *interpodaffinity.Index {
	return interpodaffinity.NewIndex(append([]*corev1.Node{nil}, c.Nodes...), func(i int) []*corev1.Pod {
		if i == 0 {
			return c.Pods
		}
		return c.PodsOn(i - 1)
	})
}

// move removes some of the pods, and adds others.
func (r reference) move(t *rapid.T, index *interpodaffinity.Index, state *interpodaffinity.State) {
	all := r.Pods
	r.PodAffinityCluster.Pods = nil
	for _, pod := range all {
		i := 1 + slices.Index(r.Nodes, r.nodeOf(pod))
		if rapid.Bool().Draw(t, "leaves") {
			index.Remove(i, pod)
			state.Remove(i, pod)
		} else {
			r.PodAffinityCluster.Pods = append(r.PodAffinityCluster.Pods, pod)
		}
	}
	others := testkit.PodAffinityClusters(1, 6).Draw(t, "others").Pods
	for _, pod := range others {
		i := rapid.IntRange(1, len(r.Nodes)).Draw(t, "node")
		pod.Spec.NodeName = r.Nodes[i-1].Name
		index.Add(0, pod)
		state.Add(0, pod)
		r.PodAffinityCluster.Pods = append(r.PodAffinityCluster.Pods, pod)
		if rapid.Bool().Draw(t, "first in the index") {
			index.Add(i, pod)
			state.Add(i, pod)
		} else {
			state.Add(i, pod)
			index.Add(i, pod)
		}
	}
}

// check compares a state with the reference.
func (r reference) check(t *rapid.T, state *interpodaffinity.State) {
	refused := false
	var feasible []int
	for i, node := range r.Nodes {
		reason, helps := state.Refusal(i + 1)
		want, wantHelps := r.refusal(node)
		if reason != want || helps != wantHelps {
			t.Fatalf("%s: %q, %v, want %q, %v", node.Name, reason, helps, want, wantHelps)
		}
		refused = refused || reason != ""
		if rapid.IntRange(0, 3).Draw(t, "infeasible") > 0 || i == 0 {
			feasible = append(feasible, i+1)
		}
	}
	if refused && state.SkipsFilter() {
		t.Fatal("a node is refused, and the filter is skipped")
	}
	sums, isScored := r.scores()
	var want []int64
	for _, i := range feasible {
		want = append(want, sums[i-1])
	}
	got := make([]int64, len(feasible))
	for k := range got {
		got[k] = 1 << k // which are replaced
	}
	skipped := state.Scores(feasible, got)
	testkit.Equal(t, skipped, !isScored, "skipped")
	testkit.NoDiff(t, got, normalized(want), "scores")
}

// checkInvalid checks that invalid terms refuse all nodes.
func checkInvalid(t *rapid.T, incoming *interpodaffinity.Incoming, state *interpodaffinity.State, c *testkit.PodAffinityCluster) {
	for i := range len(c.Nodes) + 1 {
		reason, helps := state.Refusal(i)
		if reason == "" || reason != incoming.Invalid() || helps {
			t.Fatalf("%q, %v", reason, helps)
		}
		state.Add(i, c.Incoming)
		state.Remove(i, c.Incoming)
	}
	testkit.Equal(t, state.SkipsFilter(), false, "skips")
}

// The clusters that are drawn have all reasons, and scores of all kinds.
func TestClustersReachAll(t *testing.T) {
	const skipsFilter, skipsScore, noDifference, between = "filter is skipped", "score is skipped", "equal scores", "scores between 0 and 100"
	testkit.Reached(t, 1000, func(t *rapid.T) (reached []string) {
		c := testkit.PodAffinityClusters(6, 12).Draw(t, "cluster")
		incoming := interpodaffinity.Of(c.Incoming, c.NamespaceLabels(), interpodaffinity.Options{})
		if incoming.Invalid() != "" {
			return []string{"invalid"}
		}
		state := incoming.On(interpodaffinity.NewIndex(c.Nodes, c.PodsOn))
		var feasible []int
		for i := range c.Nodes {
			reason, _ := state.Refusal(i)
			reached = append(reached, reason)
			feasible = append(feasible, i)
		}
		if state.SkipsFilter() {
			reached = append(reached, skipsFilter)
		}
		scores := make([]int64, len(feasible))
		if state.Scores(feasible, scores) {
			return append(reached, skipsScore)
		}
		if slices.Max(scores) == 0 {
			reached = append(reached, noDifference)
		}
		if slices.ContainsFunc(scores, func(score int64) bool { return score > 0 && score < 100 }) {
			reached = append(reached, between)
		}
		return reached
	}, "", "node(s) didn't match pod affinity rules", "node(s) didn't match pod anti-affinity rules",
		"node(s) didn't satisfy existing pods anti-affinity rules", "invalid", skipsFilter, skipsScore, noDifference, between)
}
