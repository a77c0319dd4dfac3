package placement_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/testkit"
)

func node(name string, taints ...corev1.Taint) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"name": name}}, Spec: corev1.NodeSpec{Taints: taints},
	}
}

// on returns the state of nodes with pods, by node.
func on(p *placement.Pod, nodes []*corev1.Node, pods ...[]*corev1.Pod) *placement.State {
	podsOn := func(i int) []*corev1.Pod {
		if i < len(pods) {
			return pods[i]
		}
		return nil
	}
	return p.On(nodes, interpodaffinity.NewIndex(nodes, podsOn), podsOn)
}

func taint(key string, effect corev1.TaintEffect) corev1.Taint {
	return corev1.Taint{Key: key, Effect: effect}
}

func in(key string, values ...string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: "In", Values: values}}}
}

func preferring(weight int32, term corev1.NodeSelectorTerm) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: weight, Preference: term}},
	}}
}

// The first plugin that refuses says why.
func TestRefusal(t *testing.T) {
	only := func(name string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{name}}}}
	}
	named := &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{only("c"), only("b")},
	}}}
	cordoned := node("a", taint("gpu", corev1.TaintEffectNoSchedule))
	cordoned.Spec.Unschedulable = true
	tolerating := []corev1.Toleration{{Key: corev1.TaintNodeUnschedulable, Operator: "Exists"}}
	other := map[string]string{"name": "b"}
	for name, test := range map[string]struct {
		spec corev1.PodSpec
		node *corev1.Node
		want string
	}{
		"no reason":      {corev1.PodSpec{}, node("a", taint("gpu", corev1.TaintEffectPreferNoSchedule)), ""},
		"named":          {corev1.PodSpec{Affinity: named}, node("b"), ""},
		"not named":      {corev1.PodSpec{Affinity: named, NodeName: "b"}, cordoned, "node(s) didn't satisfy plugin(s) [NodeAffinity]"},
		"node name":      {corev1.PodSpec{NodeName: "b"}, cordoned, "node(s) didn't match the requested node name"},
		"its node name":  {corev1.PodSpec{NodeName: "a"}, node("a"), ""},
		"cordoned":       {corev1.PodSpec{NodeSelector: other}, cordoned, "node(s) were unschedulable"},
		"tainted":        {corev1.PodSpec{NodeSelector: other, Tolerations: tolerating}, cordoned, "node(s) had untolerated taint(s)"},
		"to be executed": {corev1.PodSpec{NodeSelector: other}, node("a", taint("gpu", corev1.TaintEffectNoExecute)), "node(s) had untolerated taint(s)"},
		"selector":       {corev1.PodSpec{NodeSelector: other}, node("a"), "node(s) didn't match Pod's node affinity/selector"},
	} {
		p := placement.Of(&corev1.Pod{Spec: test.spec}, placement.Around{})
		testkit.Equal(t, p.Refusal(test.node), test.want, name)
		nodes := on(p, []*corev1.Node{nil, test.node})
		for range 2 { // also what is known
			testkit.NoDiff(t, []bool{nodes.Accepts(0), nodes.Accepts(1)}, []bool{false, test.want == ""}, name)
		}
	}
	names, areNamed := placement.Of(&corev1.Pod{Spec: corev1.PodSpec{Affinity: named}}, placement.Around{}).Named()
	testkit.NoDiff(t, names, []string{"b", "c"})
	testkit.Equal(t, areNamed, true)
}

func TestScores(t *testing.T) {
	avoid := func(keys ...string) (taints []corev1.Taint) {
		for _, key := range keys {
			taints = append(taints, taint(key, corev1.TaintEffectPreferNoSchedule))
		}
		return taints
	}
	plain := []*corev1.Node{node("a"), nil, node("b"), node("c")}
	tainted := []*corev1.Node{node("a", avoid("x", "y", "z")...), nil, node("b", avoid("x")...), node("c")}
	image := node("b")
	image.Status.Images = []corev1.ContainerImage{{Names: []string{"app:1"}, SizeBytes: 2000 << 20}}
	three := preferring(9, in("name", "b"))
	three.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = append(three.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution,
		corev1.PreferredSchedulingTerm{Weight: 3, Preference: in("name", "a", "b")}, corev1.PreferredSchedulingTerm{Weight: 1, Preference: in("name", "c")})
	app := []corev1.Container{{Image: "app:1"}}
	for name, test := range map[string]struct {
		spec  corev1.PodSpec
		nodes []*corev1.Node
		room  []int
		want  []int64
	}{
		"nothing differs":                          {corev1.PodSpec{}, plain, []int{0, 2, 3}, []int64{300, 301, 302}},
		"no room":                                  {corev1.PodSpec{}, tainted, nil, nil},
		"taints":                                   {corev1.PodSpec{}, tainted, []int{0, 2, 3}, []int64{0, 3*67 + 1, 302}},
		"taints of the rest":                       {corev1.PodSpec{}, tainted, []int{2, 3}, []int64{0, 301}},
		"one of the taints tolerated":              {corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "x", Operator: "Exists"}}}, tainted, []int{0, 2, 3}, []int64{0, 301, 302}},
		"the most preferred":                       {corev1.PodSpec{Affinity: three}, plain, []int{0, 2, 3}, []int64{300 + 2*25, 301 + 2*100, 302 + 2*8}},
		"the most preferred of two":                {corev1.PodSpec{Affinity: three}, plain, []int{0, 3}, []int64{300 + 2*100, 301 + 2*33}},
		"none of the preferred":                    {corev1.PodSpec{Affinity: preferring(9, in("name", "x"))}, plain, []int{0, 2}, []int64{300, 301}},
		"an invalid preference counts for nothing": {corev1.PodSpec{Affinity: preferring(9, in("name"))}, plain, []int{0, 2}, []int64{300, 301}},
		"images":                                   {corev1.PodSpec{Containers: app}, []*corev1.Node{node("a"), nil, image, node("c")}, []int{0, 2}, []int64{300, 301 + 65}}, // 100 (2000/3 - 23) / 977
	} {
		nodes := on(placement.Of(&corev1.Pod{Spec: test.spec}, placement.Around{}), test.nodes)
		for range 2 {
			var scores []int64
			for k := range test.room {
				scores = append(scores, int64(k)) // which are kept
			}
			nodes.AddScores(test.room, scores)
			testkit.NoDiff(t, scores, test.want, name)
		}
	}
}

const (
	noPort     = "node(s) didn't have free ports for the requested pod ports"
	noSpread   = "node(s) didn't match pod topology spread constraints"
	noLabel    = "node(s) didn't match pod topology spread constraints (missing required label)"
	noAffinity = "node(s) didn't match pod affinity rules"
	antiRules  = "node(s) didn't match pod anti-affinity rules"
	existing   = "node(s) didn't satisfy existing pods anti-affinity rules"
)

func web(change func(pod *corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Labels: map[string]string{"app": "web"}}}
	pod.Spec.Containers = []corev1.Container{{}}
	if change != nil {
		change(pod)
	}
	return pod
}

func ofWeb() *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
}

func withPort(pod *corev1.Pod) {
	pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}}
}

func spreading(action corev1.UnsatisfiableConstraintAction) func(pod *corev1.Pod) {
	return func(pod *corev1.Pod) {
		pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "name", WhenUnsatisfiable: action, LabelSelector: ofWeb()}}
	}
}

func near(pod *corev1.Pod) {
	pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: "name", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}},
	}}}
}

func nearWeb(pod *corev1.Pod) {
	pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
		{Weight: 5, PodAffinityTerm: corev1.PodAffinityTerm{TopologyKey: "name", LabelSelector: ofWeb()}},
	}}}
}

func alone(pod *corev1.Pod) {
	pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: "name", LabelSelector: ofWeb()},
	}}}
}

// Node a has a pod that may be in the way, which leaves and comes back; b has none, and c has no label. Ports come before
// resources, all others after.
func TestPodsInTheWay(t *testing.T) {
	unlabelled := node("c")
	unlabelled.Labels = nil
	nodes := []*corev1.Node{node("a"), node("b"), unlabelled, nil}
	two := func(pod *corev1.Pod) { withPort(pod); alone(pod) }
	crowded := func(pod *corev1.Pod) { spreading(corev1.DoNotSchedule)(pod); alone(pod) }
	final := placement.Refusal{Message: noLabel}
	for name, test := range map[string]struct {
		there, pod         *corev1.Pod
		before, after      []placement.Refusal // of a, b and c
		limited, elsewhere bool
		gains, excludes    bool
	}{
		"nothing":             {web(nil), web(nil), []placement.Refusal{{}, {}, {}}, []placement.Refusal{{}, {}, {}}, false, false, false, false},
		"a port":              {web(withPort), web(withPort), []placement.Refusal{{Message: noPort, Resolvable: true}, {}, {}}, []placement.Refusal{{}, {}, {}}, true, false, false, true},
		"a spread":            {web(nil), web(spreading(corev1.DoNotSchedule)), []placement.Refusal{{}, {}, {}}, []placement.Refusal{{Message: noSpread, Resolvable: true}, {}, final}, true, true, true, false},
		"a soft spread":       {web(nil), web(spreading(corev1.ScheduleAnyway)), []placement.Refusal{{}, {}, {}}, []placement.Refusal{{}, {}, {}}, false, false, false, false},
		"anti-affinity":       {web(nil), web(alone), []placement.Refusal{{}, {}, {}}, []placement.Refusal{{Message: antiRules, Resolvable: true}, {}, {}}, true, true, false, false},
		"the other's":         {web(alone), web(nil), []placement.Refusal{{}, {}, {}}, []placement.Refusal{{Message: existing, Resolvable: true}, {}, {}}, true, true, false, false},
		"affinity":            {web(nil), web(near), []placement.Refusal{{}, {}, {}}, []placement.Refusal{{Message: noAffinity}, {Message: noAffinity}, {Message: noAffinity}}, true, true, true, false},
		"a spread and others": {web(nil), web(crowded), []placement.Refusal{{}, {}, {}}, []placement.Refusal{{Message: noSpread, Resolvable: true}, {}, final}, true, true, true, false},
		"a port and others":   {web(withPort), web(two), []placement.Refusal{{Message: noPort, Resolvable: true}, {}, {}}, []placement.Refusal{{Message: antiRules, Resolvable: true}, {}, {}}, true, true, false, true},
	} {
		p := placement.Of(test.pod, placement.Around{})
		s := on(p, nodes, []*corev1.Pod{test.there})
		check := func(when string, isGone bool) {
			var before, after, byPods, wantByPods []placement.Refusal
			for i := range test.before {
				before, after, byPods = append(before, s.BeforeResources(i)), append(after, s.AfterResources(i)), append(byPods, s.ByPods(i))
				want := test.after[i]
				if test.before[i].Message != "" {
					want = test.before[i]
				}
				if i == 0 && isGone && want.Resolvable {
					want = placement.Refusal{}
				}
				wantByPods = append(wantByPods, want)
				testkit.Equal(t, s.Accepts(i), want == placement.Refusal{}, name, when)
			}
			testkit.NoDiff(t, byPods, wantByPods, name, when)
			if !isGone {
				testkit.NoDiff(t, before, test.before, name, when)
				testkit.NoDiff(t, after, test.after, name, when)
			}
			testkit.Equal(t, s.BeforeResources(3), placement.Refusal{}, name)
			testkit.Equal(t, s.AfterResources(3), placement.Refusal{}, name)
			testkit.Equal(t, s.Accepts(3), false, name)
		}
		check("at first", false)
		testkit.NoDiff(t, []bool{s.IsLimited(), s.IsLimitedElsewhere(), p.GainsByOthers(), p.ExcludesItself()}, []bool{test.limited, test.elsewhere, test.gains, test.excludes}, name)
		s.Evict(0, test.there)
		check("evicted", true)
		s.PutBack(0, test.there)
		check("put back", false)
		s.Remove(0, test.there)
		check("gone", true)
		s.Add(0, test.there)
		check("back", false)
	}
}

// The scores of spread and pod affinity have weight 2; the default constraints spread what a Service or a controller
// selects: with a pod, a has 2 + ln 4, and b has 2.
func TestScoresOfPods(t *testing.T) {
	owned := web(func(pod *corev1.Pod) {
		yes := true
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", Controller: &yes}}
	})
	for name, test := range map[string]struct {
		pod    *corev1.Pod
		around placement.Around
		want   []int64
	}{
		"nothing":      {web(nil), placement.Around{}, []int64{300, 300}},
		"spread":       {web(spreading(corev1.ScheduleAnyway)), placement.Around{}, []int64{300, 300 + 200}},
		"pod affinity": {web(nearWeb), placement.Around{}, []int64{300 + 200, 300}},
		"a Service":    {web(nil), placement.Around{Services: []*corev1.Service{{Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "web"}}}}}, []int64{300 + 2*66, 300 + 200}},
		"a ReplicaSet": {owned, placement.Around{Controller: &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Selector: ofWeb()}}}, []int64{300 + 2*66, 300 + 200}},
	} {
		nodes := []*corev1.Node{node("a"), node("b")}
		for _, n := range nodes {
			n.Labels[corev1.LabelHostname] = n.Name
		}
		s := on(placement.Of(test.pod, test.around), nodes, []*corev1.Pod{web(nil)})
		for range 2 {
			scores := []int64{0, 0}
			s.AddScores([]int{0, 1}, scores)
			testkit.NoDiff(t, scores, test.want, name)
		}
	}
}

// Spread that only compares nodes counts each pod once, whether it comes before the first comparison or later.
func TestSpreadIsCountedOnce(t *testing.T) {
	nodes := []*corev1.Node{node("a"), node("b")}
	there := [][]*corev1.Pod{nil, nil}
	podsOn := func(i int) []*corev1.Pod { return there[i] }
	index := interpodaffinity.NewIndex(nodes, podsOn)
	s := placement.Of(web(spreading(corev1.ScheduleAnyway)), placement.Around{}).On(nodes, index, podsOn)
	come := func(i int) {
		pod := web(nil)
		index.Add(i, pod)
		s.Add(i, pod)
	}
	scores := func() []int64 {
		scores := []int64{0, 0}
		s.AddScores([]int{0, 1}, scores)
		return scores
	}
	come(0)
	testkit.NoDiff(t, scores(), []int64{300, 300 + 200}) // 1 pod and none
	come(1)
	testkit.NoDiff(t, scores(), []int64{300 + 200, 300 + 200})
	come(1)
	testkit.NoDiff(t, scores(), []int64{300 + 200, 300 + 2*33}) // ln 4 and 2 ln 4 are 1 and 3, so that b has 100 (3+1-3)/3
}

// With an invalid selector, no node is tried.
func TestInvalid(t *testing.T) {
	invalid := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "x", Operator: "Like"}}}
	spread, affine := web(spreading(corev1.DoNotSchedule)), web(alone)
	spread.Spec.TopologySpreadConstraints[0].LabelSelector = invalid
	affine.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector = invalid
	both := affine.DeepCopy() // the message of the first plugin
	both.Spec.TopologySpreadConstraints = spread.Spec.TopologySpreadConstraints
	lost := both.DeepCopy()
	using("data")(lost)
	for want, pod := range map[string]*corev1.Pod{
		"": web(nil), `persistentvolumeclaim "data" not found`: lost,
		`topologySpreadConstraints[0].labelSelector: "Like" is not a valid label selector operator`: both,
		`parsing pod: requiredAntiAffinityTerms: "Like" is not a valid label selector operator`:     affine,
	} {
		p := placement.Of(pod, placement.Around{})
		testkit.Equal(t, p.Invalid(), want)
		testkit.Equal(t, p.Object(), pod)
		testkit.Equal(t, on(p, []*corev1.Node{node("a")}).Accepts(0), want == "", want)
	}
}

// Several nodes are not compared by invalid preferred terms, unless the plugin is disabled.
func TestUnscored(t *testing.T) {
	pod := web(func(pod *corev1.Pod) {
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: preferring(1, corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "size", Operator: "Gt", Values: []string{"large"}}}}).NodeAffinity}
	})
	disabled, err := placement.NewProfile(placement.Config{Weights: map[string]int32{placement.NodeAffinity: 0}, NoFilters: []string{placement.NodeAffinity}})
	testkit.OK(t, err)
	onlyFilters, err := placement.NewProfile(placement.Config{Weights: map[string]int32{placement.NodeAffinity: 0}})
	testkit.OK(t, err)
	onlyScores, err := placement.NewProfile(placement.Config{Weights: map[string]int32{placement.NodeAffinity: 1}, NoFilters: []string{placement.NodeAffinity}})
	testkit.OK(t, err)
	p := placement.Of(pod, placement.Around{})
	testkit.Equal(t, p.Unscored(), `running PreScore plugin "NodeAffinity": [0].matchExpressions[0].values[0]: Invalid value: "large": for 'Gt', 'Lt' operators, the value must be an integer`)
	testkit.Equal(t, p.Invalid(), "")
	testkit.Equal(t, p.GainsByOthers(), true)
	testkit.Equal(t, placement.Of(pod, placement.Around{Profile: disabled}).Unscored(), "")
	testkit.Equal(t, placement.Of(pod, placement.Around{Profile: onlyFilters}).Unscored(), p.Unscored())
	testkit.Equal(t, placement.Of(pod, placement.Around{Profile: onlyScores}).Unscored(), p.Unscored())
	testkit.Equal(t, placement.Of(web(nil), placement.Around{}).Unscored(), "")
}

// Scores that are normalized over the nodes with room are relative, unless they are the same for all of them.
func TestRelativeScores(t *testing.T) {
	avoided := node("b", taint("x", corev1.TaintEffectPreferNoSchedule))
	none, err := placement.NewProfile(placement.Config{Weights: map[string]int32{placement.TaintToleration: 0, placement.PodTopologySpread: 0, placement.InterPodAffinity: 0}})
	testkit.OK(t, err)
	little, err := placement.NewProfile(placement.Config{Weights: map[string]int32{placement.TaintToleration: 1, placement.PodTopologySpread: 1, placement.InterPodAffinity: 1}})
	testkit.OK(t, err)
	for _, test := range []struct {
		pod     *corev1.Pod
		profile *placement.Profile
		room    []int
		want    string
	}{
		{web(nil), nil, []int{0, 1}, "[TaintToleration]"},
		{web(nil), nil, []int{0}, "[]"}, // has no taint
		{web(nil), none, []int{0, 1}, "[]"},
		{web(nil), little, []int{0, 1}, "[TaintToleration]"},
		{web(spreading(corev1.ScheduleAnyway)), nil, []int{0}, "[PodTopologySpread]"},
		{web(spreading(corev1.ScheduleAnyway)), none, []int{0}, "[]"},
		{web(spreading(corev1.ScheduleAnyway)), little, []int{0}, "[PodTopologySpread]"},
		{web(nearWeb), nil, []int{0, 1}, "[TaintToleration InterPodAffinity]"},
		{web(nearWeb), none, []int{0, 1}, "[]"},
		{web(nearWeb), little, []int{0}, "[InterPodAffinity]"},
		{web(func(pod *corev1.Pod) { pod.Spec.Affinity = preferring(1, in("name", "a")) }), none, []int{0, 1}, "[NodeAffinity]"},
	} {
		nodes := []*corev1.Node{node("a"), avoided}
		s := on(placement.Of(test.pod, placement.Around{Profile: test.profile}), nodes, []*corev1.Pod{web(nil)})
		for range 2 {
			testkit.Equal(t, fmt.Sprint(s.AddScores(test.room, make([]int64, len(test.room)))), test.want)
		}
	}
}

// A pod that waits costs little for each node: spread that only compares nodes is not counted before nodes are compared.
func TestSpreadIsCountedLate(t *testing.T) {
	if measure.Race {
		t.Skip("the race detector allocates")
	}
	var nodes []*corev1.Node
	for i := range 100 {
		nodes = append(nodes, node(fmt.Sprint("n-", i)))
	}
	none := func(int) []*corev1.Pod { return nil }
	index := interpodaffinity.NewIndex(nodes, none)
	allocations := func(action corev1.UnsatisfiableConstraintAction) float64 {
		p := placement.Of(web(spreading(action)), placement.Around{})
		return testing.AllocsPerRun(10, func() { p.On(nodes, index, none) })
	}
	soft, hard := allocations(corev1.ScheduleAnyway), allocations(corev1.DoNotSchedule)
	if soft > 5 || hard <= soft {
		t.Errorf("%v allocations, and %v for one that refuses nodes", soft, hard)
	}
}
