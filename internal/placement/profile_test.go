package placement_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

func profile(t *testing.T, c placement.Config) *placement.Profile {
	t.Helper()
	p, err := placement.NewProfile(c)
	testkit.OK(t, err)
	return p
}

// A plugin that is no filter refuses nothing, and it alone.
func TestNoFilters(t *testing.T) {
	features := web(func(pod *corev1.Pod) {
		pod.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestartAllContainers}}
	})
	named := web(func(pod *corev1.Pod) {
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"b"}}}}},
		}}}
	})
	invalid := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "x", Operator: "Like"}}}
	cordoned := node("a")
	cordoned.Spec.Unschedulable = true
	bare := node("a")
	bare.Labels = nil
	for name, test := range map[string]struct {
		plugin string
		pod    *corev1.Pod
		node   *corev1.Node
		there  *corev1.Pod
	}{
		"another node": {placement.NodeName, web(func(pod *corev1.Pod) { pod.Spec.NodeName = "b" }), node("a"), nil},
		"cordoned":     {placement.NodeUnschedulable, web(nil), cordoned, nil},
		"tainted":      {placement.TaintToleration, web(nil), node("a", taint("gpu", corev1.TaintEffectNoSchedule)), nil},
		"a selector":   {placement.NodeAffinity, web(func(pod *corev1.Pod) { pod.Spec.NodeSelector = map[string]string{"name": "b"} }), node("a"), nil},
		"a name":       {placement.NodeAffinity, named, node("a"), nil},
		"a port":       {placement.NodePorts, web(withPort), node("a"), web(withPort)},
		"a claim":      {placement.VolumeBinding, web(using("data")), node("a"), nil},
		"spread":       {placement.PodTopologySpread, web(spreading(corev1.DoNotSchedule)), bare, nil},
		"invalid spread": {placement.PodTopologySpread, web(func(pod *corev1.Pod) {
			spreading(corev1.DoNotSchedule)(pod)
			pod.Spec.TopologySpreadConstraints[0].LabelSelector = invalid
		}), node("a"), nil},
		"anti-affinity": {placement.InterPodAffinity, web(alone), node("a"), web(nil)},
		"no other pod":  {placement.InterPodAffinity, web(near), node("a"), nil},
		"invalid terms": {placement.InterPodAffinity, web(func(pod *corev1.Pod) {
			alone(pod)
			pod.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector = invalid
		}), node("a"), nil},
		"its own feature": {placement.NodeDeclaredFeatures, features, node("a"), nil},
	} {
		accepts := func(config placement.Config) (accepts, gains bool) {
			p := placement.Of(test.pod, placement.Around{Profile: profile(t, config)})
			var pods []*corev1.Pod
			if test.there != nil {
				pods = append(pods, test.there)
			}
			s := on(p, []*corev1.Node{test.node}, pods)
			if got := s.BeforeResources(0).Message + s.AfterResources(0).Message + p.Invalid(); (got == "") != s.Accepts(0) {
				t.Errorf("%s: %q", name, got)
			}
			if s.Accepts(0) {
				testkit.Equal(t, s.MayOpen(0), true, name)
				testkit.Equal(t, s.AfterResources(0), placement.Refusal{}, name)
				testkit.Equal(t, s.IsLimitedElsewhere(), false, name)
			}
			return s.Accepts(0), p.GainsByOthers()
		}
		got, _ := accepts(placement.Config{})
		testkit.Equal(t, got, false, name)
		got, gains := accepts(placement.Config{NoFilters: []string{test.plugin}})
		testkit.Equal(t, got, true, name)
		testkit.Equal(t, gains, false, name)
	}
	older := placement.Of(features, placement.Around{Rules: release.Rules{Release: "1.34"}})
	testkit.Equal(t, on(older, []*corev1.Node{node("a")}).Accepts(0), true)
}

// Weights replace those of the default profile, one by one.
func TestWeights(t *testing.T) {
	image := node("a", taint("x", corev1.TaintEffectPreferNoSchedule))
	image.Status.Images = []corev1.ContainerImage{{Names: []string{"app:1"}, SizeBytes: 4000 << 20}}
	pod := web(func(pod *corev1.Pod) {
		spreading(corev1.ScheduleAnyway)(pod)
		pod.Spec.Containers[0].Image = "app:1"
		pod.Spec.Affinity = preferring(9, in("name", "a"))
		pod.Spec.Affinity.PodAffinity = &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
			{Weight: 5, PodAffinityTerm: corev1.PodAffinityTerm{TopologyKey: "name", LabelSelector: ofWeb()}}}}
	})
	// Node a has the image, the taint, what the pod prefers and another pod.
	scores := func(weights map[string]int32) []int64 {
		p := placement.Of(pod, placement.Around{Profile: profile(t, placement.Config{Weights: weights})})
		scores := []int64{0, 0}
		on(p, []*corev1.Node{image, node("b")}, []*corev1.Pod{web(nil)}).AddScores([]int{0, 1}, scores)
		return scores
	}
	none := map[string]int32{placement.TaintToleration: 0, placement.NodeAffinity: 0, placement.PodTopologySpread: 0, placement.InterPodAffinity: 0, placement.ImageLocality: 0}
	testkit.NoDiff(t, scores(nil), []int64{2*100 + 2*100 + 100, 3*100 + 2*100})
	testkit.NoDiff(t, scores(none), []int64{0, 0})
	for plugin, want := range map[string][]int64{
		placement.TaintToleration: {0, 700}, placement.NodeAffinity: {700, 0}, placement.PodTopologySpread: {0, 700},
		placement.InterPodAffinity: {700, 0}, placement.ImageLocality: {700, 0},
	} {
		weights := map[string]int32{plugin: 7}
		for other := range none {
			if other != plugin {
				weights[other] = 0
			}
		}
		testkit.NoDiff(t, scores(weights), want, plugin)
	}
}

// The added affinity counts for each pod, beside its own.
func TestAddedAffinity(t *testing.T) {
	added := preferring(4, in("name", "b")).NodeAffinity
	added.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{in("name", "a", "b")}}
	around := placement.Around{Profile: profile(t, placement.Config{AddedAffinity: added})}
	nodes := []*corev1.Node{node("a"), node("b"), node("c")}
	elsewhere := on(placement.Of(web(func(pod *corev1.Pod) { pod.Spec.NodeSelector = map[string]string{"name": "d"} }), around), nodes)
	testkit.Equal(t, elsewhere.BeforeResources(2), placement.Refusal{Message: "node(s) didn't match scheduler-enforced node affinity"}, "the first reason")
	testkit.Equal(t, elsewhere.BeforeResources(1), placement.Refusal{Message: "node(s) didn't match Pod's node affinity/selector"})
	s := on(placement.Of(web(func(pod *corev1.Pod) { pod.Spec.Affinity = preferring(8, in("name", "a")) }), around), nodes)
	testkit.Equal(t, s.BeforeResources(2), placement.Refusal{Message: "node(s) didn't match scheduler-enforced node affinity"})
	scores := []int64{0, 0}
	s.AddScores([]int{0, 1}, scores)
	testkit.NoDiff(t, scores, []int64{300 + 2*100, 300 + 2*50})
	scores = []int64{0, 0}
	on(placement.Of(web(nil), around), nodes).AddScores([]int{0, 1}, scores)
	testkit.NoDiff(t, scores, []int64{300, 300 + 2*100})
	listed := placement.Around{Profile: profile(t, placement.Config{Spread: topologyspread.Defaults{IsList: true, Constraints: []corev1.TopologySpreadConstraint{
		{MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule}}}}), Services: []*corev1.Service{{Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "web"}}}}}
	testkit.Equal(t, on(placement.Of(web(nil), listed), nodes).AfterResources(0).Message, noLabel)
}

func TestNewProfileRefuses(t *testing.T) {
	invalid := in("name", "a")
	invalid.MatchExpressions[0].Operator = "Like"
	for want, config := range map[string]placement.Config{
		`plugin "NodePorts" with weight 1 does not compare nodes`:      {Weights: map[string]int32{"NodePorts": 1}},
		`plugin "ImageLocality" with weight -1 does not compare nodes`: {Weights: map[string]int32{"ImageLocality": -1}},
		`plugin "ImageLocality" refuses no nodes`:                      {NoFilters: []string{"ImageLocality"}},
		"parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: nodeSelectorTerms[1].": {AddedAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{in("name", "a"), invalid}}}},
		"parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: [0].": {AddedAffinity: preferring(1, invalid).NodeAffinity},
	} {
		if p, err := placement.NewProfile(config); p != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Ports are counted before a pod is evicted, even if nobody has asked about the node.
func TestEvictBeforeAsking(t *testing.T) {
	there := web(withPort)
	s := on(placement.Of(web(withPort), placement.Around{}), []*corev1.Node{node("a")}, []*corev1.Pod{there})
	s.Evict(0, there)
	testkit.Equal(t, s.Accepts(0), true)
	s.PutBack(0, there)
	testkit.Equal(t, s.Accepts(0), false)
	testkit.Equal(t, s.MayOpen(0), true)

	cordoned := node("a")
	cordoned.Spec.Unschedulable = true
	s = on(placement.Of(web(withPort), placement.Around{}), []*corev1.Node{cordoned}, []*corev1.Pod{there})
	testkit.Equal(t, s.MayOpen(0), false)
	testkit.Equal(t, on(placement.Of(web(near), placement.Around{}), []*corev1.Node{node("a")}).MayOpen(0), false)
	testkit.Equal(t, placement.Of(web(using("data")), placement.Around{}).ExcludesItself(), false)
	testkit.Equal(t, placement.Of(web(func(pod *corev1.Pod) {
		pod.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{IQN: "disk"}}}}
	}), placement.Around{}).ExcludesItself(), true)
}
