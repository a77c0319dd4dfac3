package whatif_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// largeAndSmall returns nodes n-0000, n-0001 and so on, of which the first ones have four CPUs and the others two.
func largeAndSmall(large, all int) (nodes []admit.APIObject) {
	for i := range all {
		cpu := "2"
		if i < large {
			cpu = "4"
		}
		nodes = append(nodes, node(fmt.Sprintf("n-%04d", i), cpu))
	}
	return nodes
}

// All nodes with the highest score are named, and the answers after that follow the first one.
func TestEqualNodesAreNamed(t *testing.T) {
	c := read(t, whatif.Options{}, node("c", "4"), node("b", "4"), node("a", "2"), node("d", "4"))
	r := did(c.Apply(deployment("web", 3, "2")))
	var got []string
	for _, p := range r.Pods {
		got = append(got, fmt.Sprint(p.Node, p.Choice))
	}
	testkit.NoDiff(t, got, []string{
		"b{3 [b c d] 4 4 []}", "c{2 [c d] 4 4 []}", "d{0 [] 0 0 []}", // on d, a half is free, on the others nothing would be
	})
	for _, p := range r.Pods {
		now, err := r.After.Pod(inShop(p.Object.Name))
		testkit.OK(t, err)
		testkit.NoDiff(t, now.Choice, p.Choice)
	}
	// The pods that are there are spread by their Deployment, so that a is the best for a third one.
	moved := did(r.After.Delete(node("a", "2")))
	moved = did(moved.After.Drain("d"))
	for _, p := range moved.Pods {
		if p.Node != "" {
			testkit.NoDiff(t, p.Choice, whatif.Choice{Equal: 2, Nodes: []string{"b", "c"}, Feasible: 2, Scored: 2})
		}
	}
	testkit.Equal(t, len(moved.Pods), 2)
}

func TestAtMost100EqualNodesAreNamed(t *testing.T) {
	c := read(t, whatif.Options{}, largeAndSmall(101, 102)...)
	got := did(c.Apply(podOf("p", "1"))).Pods[0].Choice
	testkit.Equal(t, fmt.Sprint(got.Equal, len(got.Nodes), " ", got.Nodes[0], " ", got.Nodes[99]), "101 100 n-0000 n-0099")
	got.Nodes[0] = "" // is the caller's
	testkit.Equal(t, did(c.Apply(podOf("p", "1"))).Pods[0].Choice.Nodes[0], "n-0000")
}

// From 100 nodes on, the scheduler compares some of them.
//
// Source: https://kubernetes.io/docs/concepts/scheduling-eviction/scheduler-perf-tuning/: "the value is a linear formula
// which yields 50% for a 100-node cluster and yields 10% for a 5000-node cluster", at least 5 %.
func TestScheduledAmongASample(t *testing.T) {
	for _, test := range []struct {
		nodes, large, feasible int
		percent                int32
		scored                 int
	}{
		{nodes: 99, scored: 99}, {nodes: 100, scored: 100}, {nodes: 100, percent: 1, scored: 100},
		{nodes: 250, scored: 120},              // 48 %
		{nodes: 250, percent: 10, scored: 100}, // never fewer
		{nodes: 250, percent: 100, scored: 250},
		{nodes: 250, percent: 80, scored: 200},
		{nodes: 1000, scored: 420}, {nodes: 5000, scored: 500}, {nodes: 6000, scored: 300},
	} {
		opts := whatif.Options{Profile: &whatif.Profile{PercentageOfNodesToScore: test.percent}}
		got := did(read(t, opts, largeAndSmall(1, test.nodes)...).Apply(podOf("p", "1"))).Pods[0].Choice
		want := whatif.Choice{Equal: 1, Nodes: []string{"n-0000"}, Feasible: test.nodes, Scored: test.scored}
		if test.scored == test.nodes {
			want = whatif.Choice{} // the best one is known
		}
		testkit.NoDiff(t, got, want)
	}
	// Nodes without room count for how many are enough, and are not compared: 130 of 250 have room, of which 120 are.
	got := did(read(t, whatif.Options{}, largeAndSmall(130, 250)...).Apply(podOf("p", "3"))).Pods[0].Choice
	testkit.Equal(t, fmt.Sprint(got.Equal, got.Feasible, got.Scored), "130 130 120")
	got = did(read(t, whatif.Options{}, largeAndSmall(120, 250)...).Apply(podOf("p", "3"))).Pods[0].Choice
	testkit.Equal(t, fmt.Sprint(got.Equal, got.Feasible, got.Scored), "120 120 120")
	// With a list of nodes, only these count.
	p := podOf("p", "1")
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{
			{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"n-0100"}}}},
			{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"n-0200"}}}}}}}}
	got = did(read(t, whatif.Options{}, largeAndSmall(0, 250)...).Apply(p)).Pods[0].Choice
	testkit.NoDiff(t, got, whatif.Choice{Equal: 2, Nodes: []string{"n-0100", "n-0200"}, Feasible: 2, Scored: 2})
}

// Scores that are normalized depend on which nodes are compared.
func TestRelativeScoresAreNamed(t *testing.T) {
	affinity := func(a corev1.Affinity) func(p *corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Affinity = &a }
	}
	term := corev1.PodAffinityTerm{TopologyKey: "name", LabelSelector: &metav1.LabelSelector{}}
	for name, test := range map[string]struct {
		change func(p *corev1.Pod)
		want   string
	}{
		"plain":      {func(*corev1.Pod) {}, "[TaintToleration]"},
		"tolerating": {func(p *corev1.Pod) { p.Spec.Tolerations = []corev1.Toleration{{Operator: "Exists"}} }, "[]"},
		"node affinity": {affinity(corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
			{Weight: 1, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "name", Operator: "Exists"}}}}}}}),
			"[TaintToleration NodeAffinity]"},
		"pod affinity": {affinity(corev1.Affinity{PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
			{Weight: 1, PodAffinityTerm: term}}}}), "[TaintToleration InterPodAffinity]"},
		"spread": {func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "name", WhenUnsatisfiable: "ScheduleAnyway"}}
		}, "[TaintToleration PodTopologySpread]"},
	} {
		nodes := largeAndSmall(0, 250)
		nodes[7].(*corev1.Node).Spec.Taints = []corev1.Taint{{Key: "slow", Effect: "PreferNoSchedule"}}
		c := read(t, whatif.Options{}, append(nodes, on("n-0003", podOf("there", "1")))...)
		p := podOf("p", "1")
		test.change(p)
		result, after := c.Apply(p)
		got := result.Pods[0].Choice
		testkit.Equal(t, fmt.Sprint(got.Relative), test.want, name)
		testkit.Equal(t, got.Scored, 120, name)
		clear(got.Relative) // which belongs to the caller
		again, err := after.Pod(types.NamespacedName{Namespace: p.Namespace, Name: p.Name})
		testkit.OK(t, err)
		testkit.Equal(t, fmt.Sprint(again.Choice.Relative), test.want, name)
	}
}
