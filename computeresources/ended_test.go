package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestHasEnded(t *testing.T) {
	for phase, want := range map[corev1.PodPhase]bool{
		corev1.PodSucceeded: true, corev1.PodFailed: true,
		corev1.PodPending: false, corev1.PodRunning: false, corev1.PodUnknown: false, "": false,
	} {
		pod := &corev1.Pod{Status: corev1.PodStatus{Phase: phase}}
		testkit.Equal(t, computeresources.HasEnded(pod), want, "phase", phase)
		testkit.Contract(t, func() any { return computeresources.HasEnded(pod) }, pod)
	}
	testkit.Equal(t, computeresources.HasEnded(nil), false, "nil")
}
