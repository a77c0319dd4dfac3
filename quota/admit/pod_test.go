package admit_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// A pod that tolerates everything gets no further tolerations.
func TestDefaultTolerations(t *testing.T) {
	p := pod(testkit.Container("app", nil, nil))
	p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	if got := compile(t, nil, nil, admit.Options{}).Create(p, admit.Attributes{}).Object.(*corev1.Pod).Spec.Tolerations; len(got) != 1 {
		t.Errorf("tolerations %v", got)
	}
}
