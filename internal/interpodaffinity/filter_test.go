package interpodaffinity_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Most cases are those of TestRequiredAffinityMultipleNodes and TestRequiredAffinitySingleNode of the plugin.
func TestRefusal(t *testing.T) {
	// Nodes a and b are in zone 1, c in zone 2, and d has no labels.
	nodes := []*corev1.Node{zoned("a", "1"), zoned("b", "1"), zoned("c", "2"), node("d", nil)}
	namespaces := map[string]map[string]string{"shop": {"team": "red"}, "bank": {"team": "red"}, "lab": {"team": "blue"}, "bare": nil}
	affinity, antiAffinity, existing := "affinity", "anti-affinity", "existing"
	for name, test := range map[string]struct {
		incoming *corev1.Pod
		pods     []*corev1.Pod
		want     [4]string
		skips    bool
	}{
		"no pods and no terms":     {incoming: pod(web), skips: true},
		"terms that select others": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(web, repel("host", "db")))}, skips: true},
		"affinity in the zone": {incoming: pod(db, attract("zone", "web")), pods: []*corev1.Pod{on("a", pod(web))},
			want: [4]string{"", "", affinity, affinity}},
		"affinity on the host": {incoming: pod(db, attract("host", "web")), pods: []*corev1.Pod{on("a", pod(web))},
			want: [4]string{"", affinity, affinity, affinity}},
		"one pod for all terms": {incoming: pod(db, attract("host", "web"), attract("zone", "web")), pods: []*corev1.Pod{on("a", pod(web))},
			want: [4]string{"", affinity, affinity, affinity}},
		"two pods with a term each": {incoming: pod(db, attract("zone", "web"), attract("zone", "db")),
			pods: []*corev1.Pod{on("a", pod(web)), on("a", pod(db))},
			want: [4]string{affinity, affinity, affinity, affinity}},
		"the first of a group": {incoming: pod(web, attract("zone", "web")), want: [4]string{"", "", "", affinity}},
		"the first of a group lacks a label of a term": {incoming: pod(web, attract("zone", "web"), attract("missing", "web")),
			want: [4]string{affinity, affinity, affinity, affinity}},
		"the first does not select itself": {incoming: pod(web, attract("zone", "db")), want: [4]string{affinity, affinity, affinity, affinity}},
		"the first of a group by one term only": {incoming: pod(web, attract("zone", "web"), attract("zone", "db")),
			want: [4]string{affinity, affinity, affinity, affinity}},
		"the second of a group": {incoming: pod(web, attract("zone", "web")), pods: []*corev1.Pod{on("c", pod(web))},
			want: [4]string{affinity, affinity, "", affinity}},
		"the other of the group is on a node without the label": {incoming: pod(web, attract("zone", "web")),
			pods: []*corev1.Pod{on("d", pod(web))}, want: [4]string{"", "", "", affinity}},
		"the other of the group has one of the labels": {incoming: pod(web, attract("zone", "web"), attract("disk", "web")),
			pods: []*corev1.Pod{on("a", pod(web))}, want: [4]string{affinity, affinity, affinity, affinity}},

		"anti-affinity in the zone": {incoming: pod(db, repel("zone", "web")), pods: []*corev1.Pod{on("a", pod(web))},
			want: [4]string{antiAffinity, antiAffinity, "", ""}},
		"anti-affinity with any term": {incoming: pod(db, repel("zone", "other"), repel("host", "web")), pods: []*corev1.Pod{on("a", pod(web))},
			want: [4]string{antiAffinity, "", "", ""}},
		"anti-affinity without the label": {incoming: pod(db, repel("missing", "web")), pods: []*corev1.Pod{on("a", pod(web))}},
		"anti-affinity to itself":         {incoming: pod(web, repel("zone", "web"))},
		"affinity comes before anti-affinity": {incoming: pod(db, attract("host", "web"), repel("zone", "web")), pods: []*corev1.Pod{on("a", pod(web))},
			want: [4]string{antiAffinity, affinity, affinity, affinity}},

		"existing anti-affinity": {incoming: pod(web), pods: []*corev1.Pod{on("b", pod(db, repel("zone", "web")))},
			want: [4]string{existing, existing, "", ""}},
		"existing anti-affinity with any term": {incoming: pod(web), pods: []*corev1.Pod{on("b", pod(db, repel("zone", "x"), repel("host", "web")))},
			want: [4]string{"", existing, "", ""}},
		"existing anti-affinity without the label": {incoming: pod(web), pods: []*corev1.Pod{on("b", pod(db, repel("missing", "web")))}, skips: true},
		"existing anti-affinity on a node without labels": {incoming: pod(web), pods: []*corev1.Pod{on("d", pod(db, repel("host", "web")))},
			skips: true},
		"own anti-affinity comes before that of others": {incoming: pod(web, repel("host", "db")),
			pods: []*corev1.Pod{on("a", pod(db, repel("zone", "web")))}, want: [4]string{antiAffinity, existing, "", ""}},
		"existing affinity is not symmetric":   {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, attract("host", "x")))}, skips: true},
		"preferred terms refuse nothing":       {incoming: pod(web, shun(100, "zone", "db")), pods: []*corev1.Pod{on("a", pod(db, shun(9, "zone", "web")))}, skips: true},
		"existing anti-affinity in two groups": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, repel("host", "web"))), on("c", pod(web, repel("zone", "web")))}, want: [4]string{existing, "", existing, ""}},

		"another namespace": {incoming: pod(db, repel("host", "web")), pods: []*corev1.Pod{on("a", pod(web, in("bank")))}},
		"a named namespace": {incoming: pod(db, repel("host", "web", inNamespaces("lab", "bank"))),
			pods: []*corev1.Pod{on("a", pod(web, in("bank"))), on("b", pod(web))}, want: [4]string{antiAffinity, "", "", ""}},
		"namespaces of a team": {incoming: pod(db, repel("host", "web", ofTeam("red"))),
			pods: []*corev1.Pod{on("a", pod(web, in("bank"))), on("b", pod(web)), on("c", pod(web, in("lab")))},
			want: [4]string{antiAffinity, antiAffinity, "", ""}},
		"namespaces of a team and a name": {incoming: pod(db, repel("host", "web", inNamespaces("lab"), ofTeam("green"))),
			pods: []*corev1.Pod{on("a", pod(web, in("bank"))), on("b", pod(web)), on("c", pod(web, in("lab")))},
			want: [4]string{"", "", antiAffinity, ""}},
		"all namespaces, with those that are not known": {incoming: pod(db, repel("host", "web", inAll)),
			pods: []*corev1.Pod{on("a", pod(web, in("bank"))), on("b", pod(web, in("unknown")))}, want: [4]string{antiAffinity, antiAffinity, "", ""}},
		"namespaces without a team that are known": {incoming: pod(db, repel("host", "web", withoutTeam)),
			pods: []*corev1.Pod{on("a", pod(web, in("bare"))), on("b", pod(web, in("unknown")))}, want: [4]string{antiAffinity, "", "", ""}},

		"existing term of another namespace": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, in("bank"), repel("host", "web")))}, skips: true},
		"existing term about a team": {incoming: pod(web), pods: []*corev1.Pod{
			on("a", pod(db, in("bank"), repel("host", "web", ofTeam("red")))), on("b", pod(db, in("bank"), repel("host", "web", ofTeam("blue"))))},
			want: [4]string{existing, "", "", ""}},
		"existing term about a name": {incoming: pod(web), pods: []*corev1.Pod{on("a", pod(db, in("bank"), repel("host", "web", inNamespaces("shop"))))},
			want: [4]string{existing, "", "", ""}},
		"existing term about namespaces without a team": {incoming: pod(web, in("unknown")),
			pods: []*corev1.Pod{on("a", pod(db, repel("host", "web", withoutTeam)))}, want: [4]string{existing, "", "", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			c := cluster{nodes, test.pods, namespaces}
			state := c.state(test.incoming, interpodaffinity.Options{})
			testkit.NoDiff(t, c.reasons(state), test.want[:])
			testkit.Equal(t, state.SkipsFilter(), test.skips, "skips")
		})
	}
}

// Preemption may help against pods that are there, and not against those that are not.
func TestPreemptionMayHelp(t *testing.T) {
	for name, test := range map[string]struct {
		incoming, there *corev1.Pod
		want            string
		helps           bool
	}{
		"affinity":      {pod(db, attract("zone", "db")), pod(db, in("bank")), "", false},
		"no affinity":   {pod(web, attract("zone", "db")), pod(web), "node(s) didn't match pod affinity rules", false},
		"anti-affinity": {pod(db, repel("zone", "web")), pod(web), "node(s) didn't match pod anti-affinity rules", true},
		"existing":      {pod(web), pod(db, repel("zone", "web")), "node(s) didn't satisfy existing pods anti-affinity rules", true},
	} {
		t.Run(name, func(t *testing.T) {
			c := cluster{nodes: []*corev1.Node{zoned("a", "1")}, pods: []*corev1.Pod{on("a", test.there)}}
			reason, helps := c.state(test.incoming, interpodaffinity.Options{}).Refusal(0)
			testkit.Equal(t, reason, test.want)
			testkit.Equal(t, helps, test.helps, "preemption may help")
		})
	}
}

// The API server accepts invalid values in a selector. The pod waits with the message of the selector; lists of terms of
// pods on nodes are ignored if one of their terms is invalid.
func TestInvalidTerms(t *testing.T) {
	bad := "{{.bad-value.}}"
	c := cluster{nodes: []*corev1.Node{zoned("a", "1")}, pods: []*corev1.Pod{
		on("a", pod(db, repel("host", bad), repel("host", "web"), shun(7, "host", "web"))),
		on("a", pod(db, prefer(7, "host", bad), prefer(7, "host", "web"), attract("host", "web", ofTeam(bad)), attract("host", "web"))),
		on("a", pod(db, shun(7, "host", "web", ofTeam(bad)))),
	}}
	testkit.NoDiff(t, c.reasons(c.state(pod(web), interpodaffinity.Options{})), []string{""})

	for name, test := range map[string]struct {
		pod   *corev1.Pod
		lists []string
	}{
		"affinity":                {pod(web, attract("host", bad)), []string{"requiredAffinityTerms"}},
		"anti-affinity":           {pod(web, repel("host", bad)), []string{"requiredAntiAffinityTerms"}},
		"preferred affinity":      {pod(web, prefer(1, "host", bad)), []string{"preferredAffinityTerms"}},
		"preferred anti-affinity": {pod(web, shun(1, "host", bad)), []string{"preferredAntiAffinityTerms"}},
		"namespace selector":      {pod(web, repel("host", "web", ofTeam(bad))), []string{"requiredAntiAffinityTerms"}},
		"all": {pod(web, attract("host", bad), repel("host", bad), prefer(1, "host", bad), shun(1, "host", bad)),
			[]string{"requiredAffinityTerms", "requiredAntiAffinityTerms", "preferredAffinityTerms", "preferredAntiAffinityTerms"}},
	} {
		t.Run(name, func(t *testing.T) {
			incoming := interpodaffinity.Of(test.pod, nil, interpodaffinity.Options{})
			message := incoming.Invalid()
			for _, list := range test.lists {
				before, after, found := strings.Cut(message, list+": ")
				if !found || !strings.Contains(after, `Invalid value: "{{.bad-value.}}"`) || !strings.HasPrefix(message, "parsing pod: ") {
					t.Errorf("%q has no %s", message, list)
				}
				message = before[:len("parsing pod: ")] + after
			}
			state := incoming.On(interpodaffinity.NewIndex(c.nodes, c.podsOn))
			reason, helps := state.Refusal(0)
			testkit.Equal(t, reason, incoming.Invalid())
			testkit.Equal(t, helps, false, "preemption may help")
			testkit.Equal(t, state.SkipsFilter(), false, "skips")
			state.Add(0, pod(db))
			if c.scores(state) != nil {
				t.Error("a pod without a node has scores")
			}
		})
	}
}
