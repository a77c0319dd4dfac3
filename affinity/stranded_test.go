package affinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func node(name string, unschedulable bool) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{Unschedulable: unschedulable}}
}

// placed is the pod of a placeholder on a node.
func placed(node string, change func(*corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ci", Name: "affinity-assistant-1-0", Labels: map[string]string{
			"app.kubernetes.io/component": "affinity-assistant", "app.kubernetes.io/instance": "affinity-assistant-1",
		}},
		Spec:   corev1.PodSpec{NodeName: node},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	if change != nil {
		change(pod)
	}
	return pod
}

func TestStranded(t *testing.T) {
	tainted := node("emptied", false)
	tainted.Spec.Taints = []corev1.Taint{{Key: "other", Effect: corev1.TaintEffectNoSchedule}, {Key: "karpenter.sh/disrupted", Effect: corev1.TaintEffectNoSchedule}}
	soft := node("soft", false)
	soft.Spec.Taints = []corev1.Taint{{Key: "karpenter.sh/disrupted", Effect: corev1.TaintEffectPreferNoSchedule}}
	mine := node("mine", false)
	mine.Spec.Taints = []corev1.Taint{{Key: "example.com/repair", Value: "soon", Effect: corev1.TaintEffectNoExecute}}
	both := node("both", true)
	both.Spec.Taints = tainted.Spec.Taints
	older := node("older", false)
	older.Spec.Taints = []corev1.Taint{{Key: "karpenter.sh/disruption", Effect: corev1.TaintEffectNoSchedule}}
	nodes := []*corev1.Node{node("open", false), nil, node("cordoned", true), tainted, soft, mine, both, node("back", false), older}
	now := metav1.Unix(0, 0)
	tolerating := func(key string, operator corev1.TolerationOperator, value string, effect corev1.TaintEffect) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.Tolerations = []corev1.Toleration{{Key: "other", Operator: corev1.TolerationOpExists}, {Key: key, Operator: operator, Value: value, Effect: effect}}
		}
	}
	ready := func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse}, {Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	started := func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.ContainersReady, Status: corev1.ConditionTrue}}
	}
	unready := func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}}
	}
	unknown := func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionUnknown}}
	}
	deleting := func(p *corev1.Pod) { p.DeletionTimestamp = &now }
	gone := affinity.StrandedOptions{Gone: []string{"gone", "back"}}
	repair := affinity.StrandedOptions{EmptyingTaints: []string{"example.com/repair"}}
	full := affinity.StrandedOptions{Full: []types.NamespacedName{{Namespace: "ci", Name: "affinity-assistant-1-0"}}}
	readyOnly := affinity.StrandedOptions{ReadyOnly: true, Gone: []string{"gone"}}
	none := affinity.StrandedOptions{}
	const unschedulable = "node.kubernetes.io/unschedulable"
	tests := []struct {
		name   string
		node   string
		change func(*corev1.Pod)
		opts   affinity.StrandedOptions
		want   affinity.StrandedCause // none is zero
	}{
		{"open", "open", nil, none, ""},
		{"cordoned", "cordoned", nil, none, affinity.NodeCordoned},
		{"node missing in the list, but not known to be gone", "gone", nil, none, ""},
		{"known to be gone", "gone", nil, gone, affinity.NodeGone},
		{"node reported gone but present", "back", nil, gone, ""},
		{"placeholder without a node", "", nil, affinity.StrandedOptions{Gone: []string{""}}, ""},
		{"pod that is not a placeholder", "cordoned", func(p *corev1.Pod) { p.Labels["app.kubernetes.io/component"] = "web" }, none, ""},
		{"other pod with the name of a placeholder", "cordoned", func(p *corev1.Pod) {
			p.Name, p.Labels["app.kubernetes.io/component"] = "affinity-assistant-0123456789-0", "web"
		}, none, ""},
		{"a pod without labels", "cordoned", func(p *corev1.Pod) { p.Labels = nil }, none, ""},
		{"older versions of an autoscaler", "older", nil, none, affinity.NodeEmptied},
		{"succeeded", "cordoned", func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, none, ""},
		{"failed", "gone", func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, gone, ""},
		{"placeholder pending on its node", "cordoned", func(p *corev1.Pod) { p.Status.Phase = corev1.PodPending }, none, affinity.NodeCordoned},
		{"being deleted", "cordoned", deleting, none, ""},
		{"being deleted, and emptied", "emptied", deleting, none, ""},
		{"being deleted, and full", "open", deleting, full, ""},
		{"being deleted on a gone node", "gone", deleting, gone, affinity.NodeGone},
		{"tolerates the taint", "cordoned", tolerating(unschedulable, corev1.TolerationOpExists, "", ""), none, ""},
		{"placeholder tolerates the effect of the taint", "cordoned", tolerating(unschedulable, "", "", corev1.TaintEffectNoSchedule), none, ""},
		{"placeholder tolerates the value of the taint", "cordoned", tolerating(unschedulable, corev1.TolerationOpEqual, "", ""), none, ""},
		{"tolerates everything", "cordoned", tolerating("", corev1.TolerationOpExists, "", ""), none, ""},
		{"tolerates everything, node gone", "gone", tolerating("", corev1.TolerationOpExists, "", ""), gone, affinity.NodeGone},
		{"tolerates everything, node full", "open", tolerating("", corev1.TolerationOpExists, "", ""), full, affinity.NodeFull},
		{"tolerates another taint", "cordoned", tolerating("node.kubernetes.io/not-ready", corev1.TolerationOpExists, "", ""), none, affinity.NodeCordoned},
		{"tolerates another effect", "cordoned", tolerating(unschedulable, corev1.TolerationOpExists, "", corev1.TaintEffectNoExecute), none, affinity.NodeCordoned},
		{"tolerates another value", "cordoned", tolerating(unschedulable, "", "true", ""), none, affinity.NodeCordoned},
		{"compares", "cordoned", tolerating(unschedulable, "Gt", "", ""), none, affinity.NodeCordoned},
		{"emptied by an autoscaler", "emptied", nil, none, affinity.NodeEmptied},
		{"emptied, and tolerated", "emptied", tolerating("karpenter.sh/disrupted", corev1.TolerationOpExists, "", ""), none, ""},
		{"cordoned and emptied", "both", nil, none, affinity.NodeCordoned},
		{"cordoned and emptied, the cordon tolerated", "both", tolerating(unschedulable, corev1.TolerationOpExists, "", ""), none, affinity.NodeEmptied},
		{"PreferNoSchedule taint", "soft", nil, none, ""},
		{"unrelated taint", "mine", nil, none, ""},
		{"configured taint", "mine", nil, repair, affinity.NodeEmptied},
		{"configured taint, tolerated by value", "mine", tolerating("example.com/repair", "", "soon", ""), repair, ""},
		{"taint that is not configured", "emptied", nil, repair, ""},
		{"no taints", "emptied", nil, affinity.StrandedOptions{EmptyingTaints: []string{}}, ""},
		{"full", "open", nil, full, affinity.NodeFull},
		{"full, node not in the list", "elsewhere", nil, full, affinity.NodeFull},
		{"full and cordoned", "cordoned", nil, full, affinity.NodeCordoned},
		{"full, in another namespace", "open", func(p *corev1.Pod) { p.Namespace = "other" }, full, ""},
		{"ready", "cordoned", ready, readyOnly, affinity.NodeCordoned},
		{"containers are ready, but not the pod", "cordoned", started, readyOnly, ""},
		{"not ready", "cordoned", unready, readyOnly, ""},
		{"not known to be ready", "cordoned", unknown, readyOnly, ""},
		{"not ready, without ReadyOnly", "cordoned", unready, none, affinity.NodeCordoned},
		{"not ready, node gone", "gone", unready, readyOnly, affinity.NodeGone},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pod := placed(test.node, test.change)
			var want []affinity.StrandedPlaceholder
			if test.want != "" {
				want = []affinity.StrandedPlaceholder{{
					Pod:       types.NamespacedName{Namespace: "ci", Name: "affinity-assistant-1-0"},
					Assistant: "affinity-assistant-1", Node: test.node, Cause: test.want,
					Force: test.want == affinity.NodeGone, Ready: test.name == "ready",
				}}
			}
			testkit.NoDiff(t, affinity.Stranded([]*corev1.Pod{nil, pod}, nodes, test.opts), want)
		})
	}
}

func TestStrandedIsSorted(t *testing.T) {
	var pods []*corev1.Pod
	for _, name := range []types.NamespacedName{{Namespace: "b", Name: "a"}, {Namespace: "a", Name: "c"}, {Namespace: "a", Name: "b"}} {
		pods = append(pods, placed("cordoned", func(p *corev1.Pod) { p.Namespace, p.Name = name.Namespace, name.Name }))
	}
	var got []string
	for _, s := range affinity.Stranded(pods, []*corev1.Node{node("cordoned", true)}, affinity.StrandedOptions{}) {
		got = append(got, s.Pod.String())
	}
	testkit.NoDiff(t, got, []string{"a/b", "a/c", "b/a"})
	if got := affinity.Stranded(nil, nil, affinity.StrandedOptions{}); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
