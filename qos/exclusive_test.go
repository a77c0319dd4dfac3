package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// An empty spec.resources makes a pod BestEffort up to 1.36 (ComputePodQOS of v1.36.3), and does not count in 1.37.
func TestExclusiveCPUsByRelease(t *testing.T) {
	amounts := testkit.List("cpu", "2", "memory", "1Gi")
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", amounts, amounts)}, Resources: &corev1.ResourceRequirements{},
	}}
	for release, want := range map[string]int64{"1.36": 0, "1.37": 2} {
		got := qos.ExclusiveCPUs(pod, &pod.Spec.Containers[0], computeresources.Kubernetes{Release: release})
		testkit.Equal(t, got, want, "of", release)
	}
}
