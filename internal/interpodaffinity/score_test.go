package interpodaffinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Most cases are those of TestPreferredAffinity of the plugin.
func TestScores(t *testing.T) {
	// Nodes a and b are in zone 1, c in zone 2, and d has no labels.
	nodes := []*corev1.Node{zoned("a", "1"), zoned("b", "1"), zoned("c", "2"), node("d", nil)}
	namespaces := map[string]map[string]string{"shop": {"team": "red"}, "bank": {"team": "red"}, "lab": {"team": "blue"}}
	zero, ten := int32(0), int32(10)
	for name, test := range map[string]struct {
		incoming *corev1.Pod
		pods     []*corev1.Pod
		options  interpodaffinity.Options
		want     []int64 // nil if the plugin is skipped
	}{
		"no terms": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(web))}},
		"a pod in the zone": {incoming: pod(web, prefer(5, "zone", "db")), pods: []*corev1.Pod{on("a", pod(db))},
			want: []int64{100, 100, 0, 0}},
		"more pods in one zone": {incoming: pod(web, prefer(5, "zone", "db")), pods: []*corev1.Pod{on("a", pod(db)), on("b", pod(db)), on("c", pod(db))},
			want: []int64{100, 100, 50, 0}},
		"rounded down": {incoming: pod(web, prefer(3, "zone", "db"), prefer(1, "host", "db")), pods: []*corev1.Pod{on("a", pod(db)), on("c", pod(web))},
			want: []int64{100, 75, 0, 0}}, // 4, 3, 0, 0
		"two thirds": {incoming: pod(web, prefer(2, "zone", "db"), prefer(1, "host", "db")), pods: []*corev1.Pod{on("a", pod(db))},
			want: []int64{100, 66, 0, 0}}, // 3, 2, 0, 0
		"the order of the plugin's float64 arithmetic": {incoming: pod(web, prefer(100, "zone", "db"), prefer(29, "zone", "x")),
			pods: []*corev1.Pod{on("a", pod(db)), on("c", pod(map[string]string{"app": "x"}))}, want: []int64{100, 100, 28, 0}}, // 100 * (29.0 / 100)
		"anti-affinity": {incoming: pod(web, shun(5, "zone", "db")), pods: []*corev1.Pod{on("a", pod(db))},
			want: []int64{0, 0, 100, 100}},
		"anti-affinity to one and two pods": {incoming: pod(web, shun(5, "zone", "db")),
			pods: []*corev1.Pod{on("a", pod(db)), on("a", pod(db)), on("c", pod(db))}, want: []int64{0, 0, 50, 100}},
		"affinity in the zone, anti-affinity on the host": {incoming: pod(web, prefer(8, "zone", "web"), shun(5, "host", "web")),
			pods: []*corev1.Pod{on("a", pod(web))}, want: []int64{37, 100, 0, 0}}, // 3, 8, 0, 0
		"the label is missing":   {incoming: pod(web, prefer(5, "missing", "db")), pods: []*corev1.Pod{on("a", pod(db))}},
		"the node has no labels": {incoming: pod(web, prefer(5, "zone", "db")), pods: []*corev1.Pod{on("d", pod(db))}},
		"the sum is zero": {incoming: pod(web, prefer(5, "zone", "db"), shun(5, "zone", "db")), pods: []*corev1.Pod{on("a", pod(db))},
			want: []int64{0, 0, 0, 0}},
		"a weight of zero":  {incoming: pod(web, prefer(0, "zone", "db")), pods: []*corev1.Pod{on("a", pod(db))}, want: []int64{0, 0, 0, 0}},
		"another namespace": {incoming: pod(web, prefer(5, "zone", "db")), pods: []*corev1.Pod{on("a", pod(db, in("bank")))}},
		"namespaces of a team and a name": {incoming: pod(web, prefer(5, "zone", "db", ofTeam("red"), inNamespaces("lab"))),
			pods: []*corev1.Pod{on("a", pod(db, in("bank"))), on("c", pod(db, in("lab"))), on("c", pod(db, in("lab"))), on("c", pod(db, in("none")))},
			want: []int64{50, 50, 100, 0}},

		"existing affinity": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, prefer(5, "zone", "web")))}, want: []int64{100, 100, 0, 0}},
		"existing anti-affinity": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, shun(5, "zone", "web")))},
			want: []int64{0, 0, 100, 100}},
		"existing terms of two pods on a node": {incoming: pod(web),
			pods: []*corev1.Pod{on("a", pod(db, prefer(5, "zone", "web"))), on("a", pod(db, prefer(5, "zone", "web"))), on("c", pod(db, prefer(5, "zone", "web")))},
			want: []int64{100, 100, 50, 0}},
		"existing terms about others": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, prefer(5, "zone", "x"), shun(3, "host", "x")))}},
		"existing term about a team": {incoming: pod(web, in("bank")), pods: []*corev1.Pod{on("a", pod(db, prefer(5, "zone", "web", ofTeam("red"))))},
			want: []int64{100, 100, 0, 0}},
		"all four kinds of preferred terms": {incoming: pod(web, prefer(8, "host", "db"), shun(5, "zone", "x")),
			pods: []*corev1.Pod{on("a", pod(db)), on("b", pod(map[string]string{"app": "x"})), on("c", pod(nil, prefer(8, "zone", "web"), shun(7, "host", "web")))},
			want: []int64{100, 0, 75, 62}}, // 3, -5, 1, 0

		"required affinity of others": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, attract("zone", "web"), attract("host", "web")))},
			want: []int64{100, 50, 0, 0}},
		"required affinity of others with a weight": {incoming: pod(web), options: interpodaffinity.Options{HardPodAffinityWeight: &ten},
			pods: []*corev1.Pod{on("a", pod(db, attract("zone", "web"))), on("c", pod(db, prefer(5, "zone", "web")))}, want: []int64{100, 100, 50, 0}},
		"required affinity of others with a weight of one": {incoming: pod(web),
			pods: []*corev1.Pod{on("a", pod(db, attract("zone", "web"))), on("c", pod(db, prefer(4, "zone", "web")))}, want: []int64{25, 25, 100, 0}},
		"required affinity of others without a weight": {incoming: pod(web), options: interpodaffinity.Options{HardPodAffinityWeight: &zero},
			pods: []*corev1.Pod{on("a", pod(db, attract("zone", "web")))}},
		"required terms of the pod":              {incoming: pod(web, attract("zone", "db"), repel("zone", "x")), pods: []*corev1.Pod{on("a", pod(db))}},
		"required anti-affinity of others":       {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, repel("zone", "web")))}},
		"required affinity of others, elsewhere": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, attract("zone", "web"))), on("d", pod(db, attract("zone", "web")))}, want: []int64{100, 100, 0, 0}},

		"existing preferred terms are ignored": {incoming: pod(web), options: interpodaffinity.Options{IgnorePreferredTermsOfExistingPods: true},
			pods: []*corev1.Pod{on("a", pod(db, prefer(5, "zone", "web"))), on("a", pod(db, attract("zone", "web")))}},
		"required terms do not change that": {incoming: pod(web, attract("zone", "db")), options: interpodaffinity.Options{IgnorePreferredTermsOfExistingPods: true},
			pods: []*corev1.Pod{on("a", pod(db, prefer(5, "zone", "web")))}},
		"existing preferred terms are not ignored if the pod has some": {incoming: pod(web, shun(1, "host", "x")),
			options: interpodaffinity.Options{IgnorePreferredTermsOfExistingPods: true},
			pods:    []*corev1.Pod{on("a", pod(db, prefer(5, "zone", "web"))), on("c", pod(db, attract("zone", "web")))}, want: []int64{100, 100, 20, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			c := cluster{nodes, test.pods, namespaces}
			testkit.NoDiff(t, c.scores(c.state(test.incoming, test.options)), test.want)
		})
	}
}

// Scores are relative to the feasible nodes, in their order.
func TestScoresOfFeasibleNodes(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), zoned("b", "2"), zoned("c", "3"), zoned("d", "4")}}
	for _, name := range []string{"a", "a", "a", "a", "b", "b", "b", "c", "d"} {
		c.pods = append(c.pods, on(name, pod(db)))
	}
	state := c.state(pod(web, prefer(7, "zone", "db")), interpodaffinity.Options{})
	for _, test := range []struct{ feasible, want []int64 }{
		{[]int64{0, 1, 2, 3}, []int64{100, 66, 0, 0}},
		{[]int64{2, 1}, []int64{0, 100}},
		{[]int64{1, 0}, []int64{0, 100}},
		{[]int64{2, 3}, []int64{0, 0}},
		{[]int64{0}, []int64{0}},
		{nil, nil},
	} {
		var feasible []int
		for _, i := range test.feasible {
			feasible = append(feasible, int(i))
		}
		got := make([]int64, 5)
		got[4] = 7
		testkit.Equal(t, state.Scores(feasible, got), false, "skipped")
		testkit.NoDiff(t, append([]int64(nil), got[:len(feasible)]...), test.want)
		testkit.Equal(t, got[4], 7, "what follows the scores")
	}
}
