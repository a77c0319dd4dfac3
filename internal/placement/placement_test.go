package placement_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/testkit"
)

func node(name string, taints ...corev1.Taint) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"name": name}}, Spec: corev1.NodeSpec{Taints: taints},
	}
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
		p := placement.Of(&corev1.Pod{Spec: test.spec})
		testkit.Equal(t, p.Refusal(test.node), test.want, name)
		nodes := p.On([]*corev1.Node{nil, test.node}, nil)
		for range 2 { // also what is known
			testkit.NoDiff(t, []bool{nodes.Accepts(0), nodes.Accepts(1)}, []bool{false, test.want == ""}, name)
		}
	}
	names, areNamed := placement.Of(&corev1.Pod{Spec: corev1.PodSpec{Affinity: named}}).Named()
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
		nodes := placement.Of(&corev1.Pod{Spec: test.spec}).On(test.nodes, nil)
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
