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
