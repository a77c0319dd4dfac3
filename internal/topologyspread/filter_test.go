package topologyspread_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// refusals returns what each node answers: yes, no, or "label" if a required one is missing.
func refusals(t *testing.T, c cluster, s *topologyspread.Spread) string {
	t.Helper()
	var all []string
	for i := range c.nodes {
		message, isUnresolvable := s.Refusal(i)
		switch {
		case message == "" && !isUnresolvable:
			all = append(all, "yes")
		case message == "node(s) didn't match pod topology spread constraints" && !isUnresolvable:
			all = append(all, "no")
		case message == "node(s) didn't match pod topology spread constraints (missing required label)" && isUnresolvable:
			all = append(all, "label")
		default:
			t.Fatalf("%s: %q, %v", c.nodes[i].Name, message, isUnresolvable)
		}
	}
	return strings.Join(all, " ")
}

// The examples of the documentation of topology spread constraints, of the API's field comments, and of the KEPs.
func TestRefusals(t *testing.T) {
	twoZones := []string{"a zone=east: web", "b zone=east: web", "c zone=west: web", "d zone=west"}
	two := []string{"a zone=east disk=ssd: web web", "b zone=west disk=ssd: web", "c zone=north"}
	tainted := []string{"a zone=east: web web", "b zone=west: web", "c zone=north !gpu"}
	tolerating := web(hard(zone, 1, taintsPolicy(corev1.NodeInclusionPolicyHonor)))
	tolerating.Spec.Tolerations = []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpExists}}
	sixPods := []string{"a zone=1: web web", "b zone=2: web web", "c zone=3: web web"}
	for _, test := range []struct {
		name  string
		pod   *corev1.Pod
		nodes []string
		want  string
	}{
		{"the zone with fewer pods", web(hard(zone, 1)), twoZones, "no no yes yes"},
		{"as even as may be", web(hard(zone, 1)), []string{"a zone=1: web web", "b zone=2: web web", "c zone=3: web"}, "no no yes"},
		{"a larger skew", web(hard(zone, 2)), []string{"a zone=1: web web", "b zone=2: web web", "c zone=3: web"}, "yes yes yes"},
		{"zones and nodes", web(hard(zone, 1), hard(host, 1)), twoZones, "no no no yes"},
		{"constraints that conflict", web(hard(zone, 1), hard(host, 1)), []string{"a zone=east: web web", "b zone=east: web", "c zone=west: web web"}, "no no no"},
		{"an empty zone", web(hard(zone, 1)), []string{"a zone=east: web", "b zone=west"}, "no yes"},
		{"no pods", web(hard(zone, 1)), []string{"a zone=east", "b zone=west"}, "yes yes"},
		{"enough domains", web(hard(zone, 2, minDomains(3))), sixPods, "yes yes yes"},
		{"too few domains", web(hard(zone, 2, minDomains(4))), sixPods, "no no no"},
		{"too few domains, with room for one", web(hard(zone, 3, minDomains(4))), sixPods, "yes yes yes"},
		{"a constraint of ScheduleAnyway", web(soft(zone, 1)), twoZones, "yes yes yes yes"},
		{"a label is missing", web(hard(zone, 1)), []string{"a zone=east: web", "b"}, "yes label"},
		{"pods on nodes without a label", web(hard(zone, 1)), []string{"a zone=east: web web", "b: web web", "c zone=west: web"}, "no label yes"},
		{"an empty value of a label", web(hard(zone, 1)), []string{"a zone=: web", "b: web web", "c zone=west"}, "no label yes"},
		{"the first of two constraints", web(hard(zone, 1), hard("rack", 1)), []string{"a zone=east rack=1: web", "b zone=east", "c zone=west rack=1"}, "no no yes"},
		{"the label of the second constraint", web(hard("rack", 1), hard(zone, 1)), []string{"a zone=east rack=1: web", "b zone=east", "c zone=west rack=2"}, "no label yes"},
		{"a node with one of two labels", web(hard(zone, 1), hard("rack", 1)), []string{"a zone=east rack=1: web", "b zone=west rack=2: web", "c zone=north"}, "yes yes label"},
		{"no selector", web(hard(zone, 1, selecting(nil))), twoZones, "yes yes yes yes"},
		{"an empty selector", web(hard(zone, 1, selecting(&metav1.LabelSelector{}))), twoZones, "yes yes yes yes"},
		{"a selector of other pods", web(hard(zone, 1, selecting(&metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}))),
			[]string{"a zone=1: db db", "b zone=2: db", "c zone=3"}, "no yes yes"},
		{"pods of other namespaces, other pods, those being deleted", web(hard(zone, 1)), []string{"a zone=east: ops/web db web*", "b zone=west"}, "yes yes"},
		{"matchLabelKeys", web(hard(zone, 1, matchLabelKeys("version", "missing"))), []string{"a zone=east: web,version=1", "b zone=west: web,version=2"}, "yes no"},
		{"matchLabelKeys with an empty selector", web(hard(zone, 1, selecting(&metav1.LabelSelector{}), matchLabelKeys("version"))),
			[]string{"a zone=east: db,version=1", "b zone=west: db,version=2"}, "yes no"},
		{"matchLabelKeys without a selector", web(hard(zone, 1, selecting(nil), matchLabelKeys("version"))), []string{"a zone=east", "b zone=west: web,version=2"}, "yes yes"},
		{"nodes that the pod does not select", onSSD(web(hard(zone, 1))), two, "no yes yes"},
		{"nodes that the pod does not select, honored", onSSD(web(hard(zone, 1, affinityPolicy(corev1.NodeInclusionPolicyHonor)))), two, "no yes yes"},
		{"nodes that the pod does not select, ignored", onSSD(web(hard(zone, 1, affinityPolicy(corev1.NodeInclusionPolicyIgnore)))), two, "no no yes"},
		{"domains that the pod does not select are none", onSSD(web(hard(zone, 1, minDomains(3)))), two, "no no yes"},
		{"taints", web(hard(zone, 1)), tainted, "no no yes"},
		{"taints, ignored", web(hard(zone, 1, taintsPolicy(corev1.NodeInclusionPolicyIgnore))), tainted, "no no yes"},
		{"taints, honored", web(hard(zone, 1, taintsPolicy(corev1.NodeInclusionPolicyHonor))), tainted, "no yes yes"},
		{"taints, honored and tolerated", tolerating, tainted, "no no yes"},
		{"no node that the pod selects", onSSD(web(hard(zone, 1))), []string{"a zone=east: web web"}, "yes"},
		{"no node that the pod selects, and no minimum", onSSD(web(hard(zone, 1, minDomains(0)))), []string{"a zone=east: web web"}, "yes"},
		{"two kinds of constraints need different labels", web(hard(zone, 1), soft("rack", 1)), []string{"a zone=east: web", "b zone=west"}, "no yes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := clusterOf(test.nodes...)
			testkit.Equal(t, refusals(t, c, c.spread(t, test.pod)), test.want)
		})
	}
}

// NoExecute excludes nodes, PreferNoSchedule does not.
func TestEffectsOfTaints(t *testing.T) {
	c := clusterOf("a zone=east: web", "b zone=west !x")
	for effect, want := range map[corev1.TaintEffect]string{
		corev1.TaintEffectNoSchedule: "yes yes", corev1.TaintEffectNoExecute: "yes yes", corev1.TaintEffectPreferNoSchedule: "no yes",
	} {
		c.nodes[1].Spec.Taints[0].Effect = effect
		testkit.Equal(t, refusals(t, c, c.spread(t, web(hard(zone, 1, taintsPolicy(corev1.NodeInclusionPolicyHonor))))), want, effect)
	}
}

// The minimum follows pods that come and leave.
func TestAddAndRemove(t *testing.T) {
	c := clusterOf("a zone=east: web", "b zone=west", "c zone=west disk=ssd")
	s := c.spread(t, web(hard(zone, 1)))
	testkit.Equal(t, refusals(t, c, s), "no yes yes")
	s.Add(1, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes yes yes", "one in each zone")
	s.Add(2, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes no no", "two in the west")
	s.Remove(0, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes no no", "none in the east")
	s.Add(0, podOf("web"))
	s.Add(0, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes yes yes", "two in each zone")
	s.Add(0, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "no yes yes", "three in the east")
	for _, other := range []string{"db", "ops/web", "web*"} {
		s.Add(0, podOf(other))
		s.Remove(1, podOf(other))
		testkit.Equal(t, refusals(t, c, s), "no yes yes", other)
	}
}

// Pods on nodes that do not count stay uncounted.
func TestAddWhereNothingCounts(t *testing.T) {
	c := clusterOf("a zone=east disk=ssd", "b zone=west disk=ssd", "c zone=east", "d disk=ssd")
	s := c.spread(t, onSSD(web(hard(zone, 1))))
	s.Add(2, podOf("web"))
	s.Add(3, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes yes yes label")
	s.Evict(2, podOf("web"))
	s.Reprieve(3, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes yes yes label")
	s.Add(0, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "no yes no label")
}

// The plugin's RemovePod subtracts what PreFilter did not count.
func TestEvict(t *testing.T) {
	c := clusterOf("a zone=east: web web*", "b zone=west")
	s := c.spread(t, web(hard(zone, 1)))
	testkit.Equal(t, refusals(t, c, s), "no yes")
	for _, other := range []string{"db", "ops/web"} {
		s.Evict(0, podOf(other))
		testkit.Equal(t, refusals(t, c, s), "no yes", other)
	}
	s.Evict(0, podOf("web*"))
	testkit.Equal(t, refusals(t, c, s), "yes yes", "one less")
	s.Evict(0, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes no", "two less, so that the east has -1")
	s.Reprieve(0, podOf("web"))
	s.Reprieve(0, podOf("web*"))
	testkit.Equal(t, refusals(t, c, s), "no yes", "all reprieved")

	s = c.spread(t, web(hard(zone, 1, selecting(&metav1.LabelSelector{}))))
	s.Add(0, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "yes yes", "an empty selector counts nothing")
	s.Reprieve(0, podOf("web"))
	testkit.Equal(t, refusals(t, c, s), "no yes", "an empty selector selects everything")
}

func TestEmptySelectorByRelease(t *testing.T) {
	c := clusterOf("a zone=east: web db", "b zone=west")
	pod := web(hard(zone, 1, selecting(&metav1.LabelSelector{})), soft(zone, 1, selecting(&metav1.LabelSelector{})))
	for version, want := range map[string]string{"1.37": "yes yes [100 100]", "1.38": "no yes [0 100]"} {
		constraints, err := topologyspread.Of(pod, nil, topologyspread.Defaults{}, release.Rules{Release: version})
		testkit.OK(t, err)
		s := constraints.On(c.nodes, c.podsOn)
		scores := make([]int64, 2)
		s.Scores([]int{0, 1}, scores)
		testkit.Equal(t, fmt.Sprint(refusals(t, c, s), " ", scores), want, version)
	}
}

func TestSelects(t *testing.T) {
	ofWeb, ofDB := map[string]string{"app": "web"}, map[string]string{"app": "db"}
	c := clusterOf("a zone=east")
	empty := selecting(&metav1.LabelSelector{})
	for _, test := range []struct {
		name    string
		pod     *corev1.Pod
		release string
		web, db bool
	}{
		{"no constraints", web(), "", false, false},
		{"a hard one", web(hard(zone, 1)), "", true, false},
		{"a soft one", web(soft(zone, 1)), "", true, false},
		{"an empty selector", web(hard(zone, 1, empty)), "1.37", false, false},
		{"an empty selector since 1.38", web(hard(zone, 1, empty)), "1.38", true, true},
	} {
		constraints, err := topologyspread.Of(test.pod, nil, topologyspread.Defaults{}, release.Rules{Release: test.release})
		testkit.OK(t, err)
		s := constraints.On(c.nodes, c.podsOn)
		testkit.Equal(t, [2]bool{s.Selects(ofWeb), s.Selects(ofDB)}, [2]bool{test.web, test.db}, test.name)
	}
}
