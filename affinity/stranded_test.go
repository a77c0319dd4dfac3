package affinity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
	nodes := []*corev1.Node{node("open", false), nil, node("cordoned", true)}
	now := metav1.Unix(0, 0)
	tolerating := func(key string, operator corev1.TolerationOperator, value string, effect corev1.TaintEffect) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.Tolerations = []corev1.Toleration{{Key: "other", Operator: corev1.TolerationOpExists}, {Key: key, Operator: operator, Value: value, Effect: effect}}
		}
	}
	const unschedulable = "node.kubernetes.io/unschedulable"
	tests := []struct {
		name   string
		node   string
		change func(*corev1.Pod)
		want   affinity.Remedy
		none   bool
	}{
		{name: "open", node: "open", none: true},
		{name: "cordoned", node: "cordoned", want: affinity.Delete},
		{name: "missing", node: "gone", want: affinity.ForceDelete},
		{name: "not scheduled yet", node: "", none: true},
		{name: "another pod", node: "cordoned", change: func(p *corev1.Pod) { p.Labels["app.kubernetes.io/component"] = "web" }, none: true},
		{name: "a pod without labels", node: "gone", change: func(p *corev1.Pod) { p.Labels = nil }, none: true},
		{name: "succeeded", node: "cordoned", change: func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, none: true},
		{name: "failed", node: "gone", change: func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, none: true},
		{name: "pending on its node", node: "cordoned", change: func(p *corev1.Pod) { p.Status.Phase = corev1.PodPending }, want: affinity.Delete},
		{name: "on its way", node: "cordoned", change: func(p *corev1.Pod) { p.DeletionTimestamp = &now }, none: true},
		{name: "on its way, but nobody will tell", node: "gone", change: func(p *corev1.Pod) { p.DeletionTimestamp = &now }, want: affinity.ForceDelete},
		{name: "tolerates the taint", node: "cordoned", change: tolerating(unschedulable, corev1.TolerationOpExists, "", ""), none: true},
		{name: "tolerates its effect", node: "cordoned", change: tolerating(unschedulable, "", "", corev1.TaintEffectNoSchedule), none: true},
		{name: "tolerates its value", node: "cordoned", change: tolerating(unschedulable, corev1.TolerationOpEqual, "", ""), none: true},
		{name: "tolerates everything", node: "cordoned", change: tolerating("", corev1.TolerationOpExists, "", ""), none: true},
		{name: "tolerates everything, but is not there", node: "gone", change: tolerating("", corev1.TolerationOpExists, "", ""), want: affinity.ForceDelete},
		{name: "tolerates another taint", node: "cordoned", change: tolerating("node.kubernetes.io/not-ready", corev1.TolerationOpExists, "", ""), want: affinity.Delete},
		{name: "tolerates another effect", node: "cordoned", change: tolerating(unschedulable, corev1.TolerationOpExists, "", corev1.TaintEffectNoExecute), want: affinity.Delete},
		{name: "tolerates another value", node: "cordoned", change: tolerating(unschedulable, "", "true", ""), want: affinity.Delete},
		{name: "compares", node: "cordoned", change: tolerating(unschedulable, "Gt", "", ""), want: affinity.Delete},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var want []affinity.StrandedPlaceholder
			if !test.none {
				want = []affinity.StrandedPlaceholder{{
					Pod:       types.NamespacedName{Namespace: "ci", Name: "affinity-assistant-1-0"},
					Assistant: "affinity-assistant-1", Node: test.node, Remedy: test.want,
				}}
			}
			if diff := cmp.Diff(want, affinity.Stranded([]*corev1.Pod{nil, placed(test.node, test.change)}, nodes)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestStrandedIsSorted(t *testing.T) {
	var pods []*corev1.Pod
	for _, name := range []types.NamespacedName{{Namespace: "b", Name: "a"}, {Namespace: "a", Name: "c"}, {Namespace: "a", Name: "b"}} {
		pods = append(pods, placed("gone", func(p *corev1.Pod) { p.Namespace, p.Name = name.Namespace, name.Name }))
	}
	var got []string
	for _, s := range affinity.Stranded(pods, nil) {
		got = append(got, s.Pod.String())
	}
	if diff := cmp.Diff([]string{"a/b", "a/c", "b/a"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := affinity.Stranded(nil, nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestNamesOfRemedies(t *testing.T) {
	testkit.Enum[affinity.Remedy](t, "unspecified", "delete", "force-delete")
}

// Tekton looks at cordoned nodes only. Of a node that is gone nobody confirms that the pod
// has ended, so that its StatefulSet waits for ever, and with it the run.
func TestDivergenceMissingNode(t *testing.T) {
	got := affinity.Stranded([]*corev1.Pod{placed("gone", nil)}, []*corev1.Node{node("open", false)})
	if len(got) != 1 || got[0].Remedy != affinity.ForceDelete {
		t.Errorf("%v", got)
	}
}

// Tekton deletes a placeholder on a cordoned node even if it tolerates that: it may come
// back to the same node, to be deleted again, while the tasks could have followed it.
func TestDivergenceTolerantPlaceholder(t *testing.T) {
	tolerant := placed("cordoned", func(p *corev1.Pod) {
		p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	})
	if got := affinity.Stranded([]*corev1.Pod{tolerant}, []*corev1.Node{node("cordoned", true)}); got != nil {
		t.Errorf("%v", got)
	}
}
