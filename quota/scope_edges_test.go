package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// Without the gate for pod-level resources, they do not lift a pod out of BestEffort.
func TestScopeIgnoresPodLevel(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", nil, nil)},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1")},
	}}
	bestEffort := corev1.ScopedResourceSelectorRequirement{ScopeName: corev1.ResourceQuotaScopeBestEffort}
	for _, test := range []struct {
		ignore, want bool
	}{{false, false}, {true, true}} {
		object := quota.Pod(pod, time.Time{}, quota.PodOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: testkit.OffIf(test.ignore)}})
		if got, err := inScope(object, bestEffort); err != nil || got != test.want {
			t.Errorf("IgnorePodLevel %v: in scope BestEffort %v, %v, want %v", test.ignore, got, err, test.want)
		}
	}
}
