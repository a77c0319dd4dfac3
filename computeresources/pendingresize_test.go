package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPendingResize(t *testing.T) {
	pending := func(reason string) corev1.PodCondition {
		return corev1.PodCondition{Type: corev1.PodResizePending, Reason: reason, Status: corev1.ConditionFalse}
	}
	inProgress := corev1.PodCondition{Type: corev1.PodResizeInProgress, Reason: "Infeasible"}
	for _, test := range []struct {
		name       string
		conditions []corev1.PodCondition
		want       computeresources.ResizeState
	}{
		{"no condition", nil, computeresources.ResizeNotPending},
		{"one in progress", []corev1.PodCondition{inProgress}, computeresources.ResizeNotPending},
		{"deferred", []corev1.PodCondition{pending("Deferred")}, computeresources.ResizeDeferred},
		{"infeasible, behind one in progress", []corev1.PodCondition{inProgress, pending("Infeasible")}, computeresources.ResizeInfeasible},
		{"an unknown reason", []corev1.PodCondition{pending("Later")}, computeresources.ResizePendingUnknown},
		{"the first counts", []corev1.PodCondition{pending("Deferred"), pending("Infeasible")}, computeresources.ResizeDeferred},
		{"the first counts, even with an unknown reason", []corev1.PodCondition{pending("Later"), pending("Infeasible")}, computeresources.ResizePendingUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, computeresources.PendingResize(&corev1.Pod{Status: corev1.PodStatus{Conditions: test.conditions}}), test.want, "PendingResize")
		})
	}
	testkit.Equal(t, computeresources.PendingResize(nil), computeresources.ResizeNotPending, "PendingResize of nil")
}
