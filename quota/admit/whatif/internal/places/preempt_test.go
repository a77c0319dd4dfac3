package places_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

func withPriority(name, node string, priority int32) *places.Pod {
	object := plainPod(name)
	object.Spec.Priority = &priority
	return &places.Pod{NamespacedName: types.NamespacedName{Namespace: "ns", Name: name}, Object: object, Node: node,
		Request: noderesources.PodRequest(object, computeresources.Options{})}
}

// A pod that is nominated to a node preempts no others while its victim there is terminating. Pods of the same shape may.
//
// Source: PodEligibleToPreemptOthers of k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption.
func TestNominatedPodsArePreemptingAlready(t *testing.T) {
	victim := withPriority("victim", "a", 1)
	victim.Object.DeletionTimestamp = &metav1.Time{}
	victim.Object.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler},
	}
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{plainNode("a", "1", nil), plainNode("b", "1", nil)}, []*places.Pod{victim, withPriority("low", "b", 0)})
	nominated, other := withPriority("nominated", "", 5), withPriority("other", "", 5)
	nominated.Object.Status.NominatedNodeName = "a"
	shape := p.ShapeOf(other.Object, around)
	nominated.Shape, other.Shape = shape, shape
	node, _ := p.Preempt(nominated, noBudgets)
	testkit.Equal(t, node, "", "the victim is terminating")
	node, victims := p.Preempt(other, noBudgets)
	testkit.Equal(t, node, "b")
	testkit.NoDiff(t, names(victims), []string{"ns/low"})
}

// A node that comes has pods of a lower priority than those that were known.
func TestPreemptOnANodeThatComes(t *testing.T) {
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{plainNode("a", "1", nil)}, []*places.Pod{withPriority("high", "a", 9), withPriority("low", "b", 0)})
	waits := withPriority("waits", "", 5)
	waits.Shape = p.ShapeOf(waits.Object, around)
	node, _ := p.Preempt(waits, noBudgets)
	testkit.Equal(t, node, "")
	p.SetNode(plainNode("b", "1", nil))
	node, _ = p.Preempt(waits, noBudgets)
	testkit.Equal(t, node, "b")
}

// A pod of a DaemonSet preempts on its own node.
func TestDaemonsPreemptOnTheirNode(t *testing.T) {
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{plainNode("a", "1", nil), plainNode("b", "1", nil)}, []*places.Pod{withPriority("high", "a", 9), withPriority("low", "b", 0)})
	for target, want := range map[string]string{"a": "", "b": "b"} {
		daemon := withPriority("daemon", "", 5)
		daemon.Object.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: onlyOn(target)}}
		daemon.Shape = p.ShapeOf(daemon.Object, around)
		node, _ := p.Preempt(daemon, noBudgets)
		testkit.Equal(t, node, want, target)
	}
}
