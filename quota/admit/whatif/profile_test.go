package whatif_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// A profile that the scheduler does not start with is an error, and nothing is read.
func TestInvalidProfile(t *testing.T) {
	term := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "a", Operator: "Like"}}}
	for want, p := range map[string]whatif.Profile{
		`plugin "NodeName" with weight 1 does not compare nodes`:        {Weights: map[string]int32{"NodeName": 1}},
		`plugin "ImageLocality" with weight -1 does not compare nodes`:  {Weights: map[string]int32{"ImageLocality": -1}},
		"NodeResourcesFit: weight -1":                                   {Weights: map[string]int32{"NodeResourcesFit": -1}},
		"percentageOfNodesToScore: -1: not in valid range [0-100]":      {PercentageOfNodesToScore: -1},
		"percentageOfNodesToScore: 101: not in valid range [0-100]":     {PercentageOfNodesToScore: 101},
		`plugin "ImageLocality" refuses no nodes`:                       {NoFilters: []string{"ImageLocality"}},
		`NodeResourcesFit: type: Unsupported value: "Random"`:           {Fit: noderesources.ScoreOptions{Strategy: "Random"}},
		"NodeResourcesBalancedAllocation: resources[0].weight: Invalid": {Balanced: noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 2}}}},
		"parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported": {
			AddedAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}}},
		"parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: [0].matchExpressions[0].operator: Unsupported": {
			AddedAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: term}}}},
	} {
		p.SchedulerName = "own"
		c, err := whatif.Read(nil, whatif.Options{Profile: &p})
		if c != nil || err == nil || !strings.HasPrefix(err.Error(), `whatif: profile "own": `) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The error about several weights is always about the same one, and nil classes among those of the options are ignored.
func TestProfileAnswersTheSame(t *testing.T) {
	p := whatif.Profile{Weights: map[string]int32{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}}
	for range 20 {
		_, err := whatif.Read(nil, whatif.Options{Profile: &p})
		testkit.Equal(t, err.Error(), `whatif: profile "": plugin "a" with weight 1 does not compare nodes`)
	}
	opts := whatif.Options{Admission: admit.Options{PriorityClasses: []*schedulingv1.PriorityClass{nil}}}
	c, err := whatif.Read([]admit.APIObject{priorityClass("high", 10)}, opts)
	testkit.OK(t, err)
	pod := podOf("web", "1")
	pod.Spec.PriorityClassName = "high"
	result, _ := c.Apply(pod)
	testkit.Equal(t, result.Objects[0].Action, whatif.Created)
}

// Of pods of other schedulers, and of what else decides, the answer says so; without preemption, the pod waits.
func TestProfile(t *testing.T) {
	low, high := on("a", podOf("low", "1")), podOf("high", "1")
	high.Spec.Priority = pointer[int32](5)
	batch := podOf("batch", "1")
	batch.Spec.SchedulerName = "batch"
	p := &whatif.Profile{SchedulerName: "batch", Others: []string{"plugin Coscheduling"}, NoPreemption: true}
	c := read(t, whatif.Options{Profile: p}, node("a", "1"), low, priorityClass("high", 5))
	waits := did(c.Apply(withSpec(podOf("high", "1"), hasClass("high")))).Pods[0]
	testkit.Equal(t, waits.Waits.Message, "0/1 nodes are available: 1 Insufficient cpu.")
	testkit.NoDiff(t, waits.Unknown, []string{"plugin Coscheduling", "spec.schedulerName"})
	p = &whatif.Profile{PercentageOfNodesToScore: 100}
	preempts := did(read(t, whatif.Options{Profile: p}, node("a", "1"), low, priorityClass("high", 5)).Apply(withSpec(podOf("high", "1"), hasClass("high")))).Pods[0]
	testkit.Equal(t, preempts.Node, "a")
	own := did(c.Apply(batch)).Pods[0]
	testkit.NoDiff(t, own.Unknown, []string{"plugin Coscheduling"})
	usual := did(read(t, whatif.Options{}, node("a", "1"), low, priorityClass("high", 5)).Apply(withSpec(podOf("high", "1"), hasClass("high")))).Pods[0]
	testkit.Equal(t, usual.Node, "a")
	testkit.Equal(t, len(usual.Unknown), 0)
}

// The weights decide: the pod has its image on a, and b is empty.
func TestWeights(t *testing.T) {
	a := node("a", "4")
	a.Status.Images = []corev1.ContainerImage{{Names: []string{"app:1"}, SizeBytes: 400 << 20}}
	for name, test := range map[string]struct {
		profile *whatif.Profile
		want    string
	}{
		"default":   {nil, "b"}, // LeastAllocated 87 instead of 49, ImageLocality 18: 200 of 1000 MiB, from 23 on
		"images":    {&whatif.Profile{Weights: map[string]int32{"ImageLocality": 9}}, "a"},
		"nothing":   {&whatif.Profile{Weights: map[string]int32{"NodeResourcesFit": 0, "NodeResourcesBalancedAllocation": 0, "ImageLocality": 0}}, "a"},
		"filled":    {&whatif.Profile{Weights: map[string]int32{"ImageLocality": 0}, Fit: noderesources.ScoreOptions{Strategy: noderesources.MostAllocated}}, "a"},
		"resources": {&whatif.Profile{Weights: map[string]int32{"ImageLocality": 0}}, "b"},
	} {
		pod := podOf("p", "1")
		pod.Spec.Containers[0].Image = "app:1"
		c := read(t, whatif.Options{Profile: test.profile}, a, node("b", "4"), on("a", podOf("there", "3")))
		testkit.Equal(t, did(c.Apply(pod)).Pods[0].Node, test.want, name)
	}
}

// A pod on b wants such pods near, so that b is better than a, which has more left.
func TestPodAffinityOfProfile(t *testing.T) {
	near := corev1.PodAffinityTerm{TopologyKey: "name", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}
	preferring, requiring := on("b", podOf("there", "1")), on("b", podOf("there", "1"))
	preferring.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: near}}}}
	requiring.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{near}}}
	for name, test := range map[string]struct {
		there   *corev1.Pod
		profile *whatif.Profile
		want    string
	}{
		"preferred":          {preferring, nil, "b"},
		"preferred, ignored": {preferring, &whatif.Profile{IgnorePreferredTermsOfExistingPods: true}, "a"},
		"required":           {requiring, &whatif.Profile{}, "b"},
		"required, no score": {requiring, &whatif.Profile{HardPodAffinityWeight: pointer[int32](0)}, "a"},
	} {
		pod := podOf("p", "1")
		pod.Labels = map[string]string{"app": "web"}
		c := read(t, whatif.Options{Profile: test.profile}, node("a", "4"), node("b", "4"), test.there)
		testkit.Equal(t, did(c.Apply(pod)).Pods[0].Node, test.want, name)
	}
}

// Pods of a Service without constraints of their own are spread by those of the system: b has no such pod, but less room.
// An empty list has no constraints.
func TestDefaultConstraintsOfProfile(t *testing.T) {
	web := func(p *corev1.Pod) *corev1.Pod {
		p.Labels = map[string]string{"app": "web"}
		return p
	}
	onHost := func(name string) *corev1.Node {
		n := node(name, "4")
		n.Labels[corev1.LabelHostname] = name
		return n
	}
	service := &corev1.Service{ObjectMeta: meta("web"), Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "web"}}}
	for name, test := range map[string]struct {
		constraints []corev1.TopologySpreadConstraint
		want        string
	}{
		"of the system": {nil, "b"}, "none": {[]corev1.TopologySpreadConstraint{}, "a"},
	} {
		c := read(t, whatif.Options{Profile: &whatif.Profile{DefaultConstraints: test.constraints}}, onHost("a"), onHost("b"), service,
			on("a", web(podOf("there", "1"))), on("b", podOf("other", "2")))
		testkit.Equal(t, did(c.Apply(web(podOf("p", "1")))).Pods[0].Node, test.want, name)
	}
}
