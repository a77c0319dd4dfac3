package topologyspread_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

func oneOf[T any](t *rapid.T, name string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, name)
}

func drawCluster(t *rapid.T) cluster {
	var lines []string
	for i := range rapid.IntRange(1, 6).Draw(t, "nodes") {
		line := fmt.Sprint(oneOf(t, "name", "n", "n", "n", "-"), " zone=", oneOf(t, "zone", "east", "west", "-", ""), " rack=", oneOf(t, "rack", "1", "2", "-"))
		line += " host=" + oneOf(t, "host", fmt.Sprint(i), fmt.Sprint(i), "-") + oneOf(t, "disk", " disk=ssd", "") + oneOf(t, "taint", " !gpu", "") + ":"
		for range rapid.IntRange(0, 4).Draw(t, "pods") {
			line += " " + drawPod(t)
		}
		lines = append(lines, line)
	}
	return clusterOf(lines...)
}

func drawPod(t *rapid.T) string {
	return oneOf(t, "pod", "web", "web,version=2", "db", "ops/web", "web*")
}

func drawSubject(t *rapid.T) *corev1.Pod {
	pod := podOf("web,version=2")
	if oneOf(t, "needs ssd", true, false) {
		onSSD(pod)
	}
	for range rapid.IntRange(0, 3).Draw(t, "constraints") {
		c := hard(oneOf(t, "key", zone, host, "rack"), rapid.Int32Range(1, 2).Draw(t, "maxSkew"))
		c.WhenUnsatisfiable = oneOf(t, "action", corev1.DoNotSchedule, corev1.ScheduleAnyway)
		if oneOf(t, "has matchLabelKeys", true, false) {
			c.MatchLabelKeys = []string{"version"}
		}
		if oneOf(t, "honors taints", true, false) {
			taintsPolicy(corev1.NodeInclusionPolicyHonor)(&c)
		}
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, c)
	}
	return pod
}

// answers are all answers about the nodes of a cluster.
func answers(c cluster, s *topologyspread.Spread) string {
	got := ""
	for i := range c.nodes {
		got += fmt.Sprintln(s.Refusal(i))
	}
	scores := make([]int64, len(c.nodes))
	return got + fmt.Sprint(s.Scores(all(c), scores), scores)
}

// all returns the numbers of nodes with an object.
func all(c cluster) (feasible []int) {
	for i, n := range c.nodes {
		if n != nil {
			feasible = append(feasible, i)
		}
	}
	return feasible
}

// Whatever pods came and left, the answers are those of counting afresh. Evict and Reprieve undo each other.
func TestChangesCountAsAfresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		constraints, err := topologyspread.Of(drawSubject(t), labels.SelectorFromSet(labels.Set{"app": "web"}), topologyspread.Defaults{}, release.Rules{})
		testkit.OK(t, err)
		s := constraints.On(c.nodes, c.podsOn)
		empty := constraints.On(c.nodes, nil)
		for i, pods := range c.pods {
			for _, pod := range pods {
				empty.Add(i, pod)
			}
		}
		testkit.Equal(t, answers(c, empty), answers(c, s), "pods added one by one")
		for range rapid.IntRange(0, 8).Draw(t, "changes") {
			i := rapid.IntRange(0, len(c.nodes)-1).Draw(t, "node")
			if len(c.pods[i]) > 0 && oneOf(t, "leaves", true, false) {
				s.Remove(i, c.pods[i][0])
				c.pods[i] = c.pods[i][1:]
			} else {
				pod := podOf(drawPod(t))
				s.Add(i, pod)
				c.pods[i] = append(c.pods[i], pod)
			}
			afresh := answers(c, constraints.On(c.nodes, c.podsOn))
			testkit.Equal(t, answers(c, s), afresh, "after a change")
			for _, pod := range c.pods[i] {
				s.Evict(i, pod)
			}
			for _, pod := range c.pods[i] {
				s.Reprieve(i, pod)
			}
			testkit.Equal(t, answers(c, s), afresh, "after a trial")
		}
	})
}

// What is missing or invalid does not matter, or is an error.
func TestNothing(t *testing.T) {
	c := clusterOf("a: web")
	none, err := topologyspread.Of(nil, labels.Everything(), topologyspread.Defaults{}, release.Rules{})
	testkit.OK(t, err)
	s := none.On(c.nodes, c.podsOn)
	s.Add(0, podOf("web"))
	s.Remove(0, podOf("web"))
	s.Evict(0, podOf("web"))
	s.Reprieve(0, podOf("web"))
	testkit.Equal(t, answers(c, s), " false\nfalse [0]")

	s = clusterWithNils().spread(t, web(hard(zone, 1), soft(host, 1), soft("rack", 1)))
	s.Add(0, nil)
	s.Remove(1, nil)
	s.Evict(2, nil)
	testkit.Equal(t, answers(*clusterWithNils(), s), "node(s) didn't match pod topology spread constraints (missing required label) true\n"+
		" false\nnode(s) didn't match pod topology spread constraints false\ntrue [100 50 0]") // a is ln 3, b is ln 4 + ln 3

	unknown := web(soft(zone, 1))
	unknown.Spec.TopologySpreadConstraints[0].WhenUnsatisfiable = "Maybe"
	none, err = topologyspread.Of(unknown, nil, topologyspread.Defaults{}, release.Rules{})
	if none != nil || err != nil {
		t.Errorf("%v, %v", none, err)
	}
	like := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "x", Operator: "Like"}}}
	_, err = topologyspread.Of(web(soft(zone, 1), hard(zone, 1, selecting(like))), nil, topologyspread.Defaults{}, release.Rules{})
	const want = `topologySpreadConstraints[1].labelSelector: "Like" is not a valid label selector operator`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func clusterWithNils() *cluster {
	c := clusterOf("-: web", "a zone=east rack=1", "b zone=west rack=1: web")
	c.pods[1] = append(c.pods[1], nil)
	return &c
}
