package interpodaffinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// An index and a state count a pod from when it comes until it goes.
func TestPodsComeAndGo(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), zoned("b", "2")}}
	index := interpodaffinity.NewIndex(c.nodes, c.podsOn)
	incoming := interpodaffinity.Of(pod(web, repel("host", "db"), prefer(1, "zone", "db")), nil, interpodaffinity.Options{})
	state := incoming.On(index)
	expect := func(what string, want ...string) {
		t.Helper()
		testkit.NoDiff(t, c.reasons(state), want, what)
		testkit.NoDiff(t, c.reasons(incoming.On(index)), want, what, "from the start")
	}
	first, second, hostile := pod(db), pod(db), pod(nil, repel("zone", "web"))
	for _, p := range []*corev1.Pod{first, second} {
		index.Add(0, p)
		state.Add(0, p)
	}
	expect("two pods on a", "anti-affinity", "")
	testkit.NoDiff(t, c.scores(state), []int64{100, 0})
	index.Remove(0, first)
	state.Remove(0, first)
	expect("one pod on a", "anti-affinity", "")
	index.Remove(0, first)
	index.Remove(1, second)
	expect("pods that are not there", "anti-affinity", "")
	state.Add(1, hostile)
	index.Add(1, hostile)
	expect("a pod on b that refuses others", "anti-affinity", "existing")
	state.Remove(0, second)
	index.Remove(0, second)
	expect("no pod on a", "", "existing")
	if c.scores(state) != nil {
		t.Error("no pod is selected")
	}
	index.Remove(1, hostile)
	state.Remove(1, hostile)
	expect("no pod", "", "")
}

// Nodes that come after the others are known, with pods in the same domains.
func TestAppend(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1")}}
	index := interpodaffinity.NewIndex(c.nodes, c.podsOn)
	incoming := interpodaffinity.Of(pod(web, repel("zone", "db")), nil, interpodaffinity.Options{})
	index.Add(0, pod(db))
	testkit.NoDiff(t, c.reasons(incoming.On(index)), []string{"anti-affinity"})
	c.nodes = append(c.nodes, zoned("b", "2"), zoned("c", "1"))
	index.Append(c.nodes)
	testkit.NoDiff(t, c.reasons(incoming.On(index)), []string{"anti-affinity", "", "anti-affinity"})
	index.Add(1, pod(db))
	testkit.NoDiff(t, c.reasons(incoming.On(index)), []string{"anti-affinity", "anti-affinity", "anti-affinity"})
}

// A pod of a group may come as soon as the first of them has come, and as long as one is there.
func TestGroupComesAndGoes(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), zoned("b", "2")}}
	state := c.state(pod(web, attract("zone", "web"), attract("host", "web")), interpodaffinity.Options{})
	testkit.NoDiff(t, c.reasons(state), []string{"", ""})
	state.Add(0, pod(web))
	testkit.NoDiff(t, c.reasons(state), []string{"", "affinity"})
	state.Remove(0, pod(web))
	testkit.NoDiff(t, c.reasons(state), []string{"", ""})
}

// A pod of the group does not count if its node is in no domain of the affinity, even if it is in those of other terms.
func TestGroupOutsideOfTopology(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), node("b", map[string]string{"host": "b"})},
		pods: []*corev1.Pod{on("b", pod(web, repel("host", "web")))}}
	state := c.state(pod(web, attract("zone", "web")), interpodaffinity.Options{})
	testkit.NoDiff(t, c.reasons(state), []string{"", "affinity"})
}

// The plugin is skipped again when the last pod that refuses others has gone.
func TestSkipsFilterAgain(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1")}}
	state := c.state(pod(web), interpodaffinity.Options{})
	hostile := pod(nil, repel("zone", "web"))
	for _, want := range []bool{true, false, true} {
		testkit.Equal(t, state.SkipsFilter(), want)
		if want {
			state.Add(0, hostile)
		} else {
			state.Remove(0, hostile)
		}
	}
}

// A copy shares what does not change with its original.
func TestClone(t *testing.T) {
	shared := pod(db, repel("host", "web"))
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), zoned("b", "2")}, pods: []*corev1.Pod{on("a", shared), on("a", pod(db))}}
	original := interpodaffinity.NewIndex(c.nodes, c.podsOn)
	copies := []*interpodaffinity.Index{original.Clone(), original.Clone()}
	copies[0].Add(1, shared)
	copies[1].Remove(0, shared)
	for i, want := range [][]string{{"existing", "existing"}, {"", ""}} {
		incoming := interpodaffinity.Of(pod(web), nil, interpodaffinity.Options{})
		testkit.NoDiff(t, c.reasons(incoming.On(copies[i])), want, "copy", i)
		testkit.NoDiff(t, c.reasons(incoming.On(original)), []string{"existing", ""}, "original")
	}
	apart := interpodaffinity.Of(pod(web, repel("host", "db")), nil, interpodaffinity.Options{})
	testkit.NoDiff(t, c.reasons(apart.On(copies[0])), []string{"anti-affinity", "anti-affinity"}, "copy with a pod more")
	testkit.NoDiff(t, c.reasons(apart.On(copies[1])), []string{"anti-affinity", ""}, "copy with a pod less")
	testkit.NoDiff(t, c.reasons(apart.On(original)), []string{"anti-affinity", ""}, "original")
}

// Pods with the same affinity are only in one group if they are in one namespace: their terms are about that.
func TestGroupsOfNamespaces(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), zoned("b", "2")}, pods: []*corev1.Pod{
		on("a", pod(db, repel("host", "web"))), on("b", pod(db, in("bank"), repel("host", "web"))),
	}}
	testkit.NoDiff(t, c.reasons(c.state(pod(web), interpodaffinity.Options{})), []string{"existing", ""})
	testkit.NoDiff(t, c.reasons(c.state(pod(web, in("bank")), interpodaffinity.Options{})), []string{"", "existing"})
}

// A node that only pods refer to has no domains, and its pods do not count. Nil and empty objects have no terms.
func TestNodesAndPodsThatAreMissing(t *testing.T) {
	podsOn := func(i int) []*corev1.Pod {
		return [][]*corev1.Pod{{nil, {}, pod(db)}, {nil, pod(db), pod(db, repel("zone", "web"), prefer(1, "zone", "web"))}}[i]
	}
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), nil}}
	index := interpodaffinity.NewIndex(c.nodes, podsOn)
	state := interpodaffinity.Of(pod(web, attract("zone", "web"), prefer(1, "host", "db")), nil, interpodaffinity.Options{}).On(index)
	for range 2 {
		testkit.NoDiff(t, c.reasons(state), []string{"", "affinity"})
		testkit.NoDiff(t, c.scores(state), []int64{100, 0})
		for i := range c.nodes {
			index.Add(i, nil)
			index.Remove(i, nil)
			state.Add(i, nil)
			state.Remove(i, nil)
		}
		index.Add(1, pod(web))
		index.Remove(1, pod(web))
		state.Add(1, pod(web))
	}
	none := interpodaffinity.Of(nil, nil, interpodaffinity.Options{}).On(index)
	testkit.NoDiff(t, c.reasons(none), []string{"", ""})
	testkit.Equal(t, none.SkipsFilter(), true, "skips")
	testkit.Equal(t, c.scores(none) == nil, true, "has no scores")
}
