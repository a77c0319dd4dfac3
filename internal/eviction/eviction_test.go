package eviction_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPriority(t *testing.T) {
	pod := &corev1.Pod{}
	testkit.Equal(t, eviction.Priority(pod), 0)
	pod.Spec.Priority = new(int32)
	*pod.Spec.Priority = -7
	testkit.Equal(t, eviction.Priority(pod), -7)
}

func TestClass(t *testing.T) {
	list := testkit.List("cpu", "1", "memory", "1Gi")
	pod := &corev1.Pod{Spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list, Limits: list}}}
	testkit.Equal(t, eviction.Class(pod, release.Rules{}), corev1.PodQOSGuaranteed)
	testkit.Equal(t, eviction.Class(pod, release.Rules{PodLevelResources: testkit.Off()}), corev1.PodQOSBestEffort)
	pod.Status.QOSClass = corev1.PodQOSBurstable
	testkit.Equal(t, eviction.Class(pod, release.Rules{PodLevelResources: testkit.Off()}), corev1.PodQOSBurstable)
}

func TestRequests(t *testing.T) {
	spec := &corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", "2", "example.com/a", "1"), nil)},
		Overhead:   testkit.List("cpu", "100m", "memory", "1Gi", "example.com/a", "1"),
	}
	testkit.NoDiff(t, eviction.Requests(nil, spec, computeresources.Kubernetes{}), testkit.List("cpu", "2100m", "example.com/a", "2"))
	spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("memory", "2Gi")}
	testkit.NoDiff(t, eviction.Requests(nil, spec, computeresources.Kubernetes{}), testkit.List("memory", "3Gi"))
	testkit.NoDiff(t, eviction.Requests(nil, spec, computeresources.Kubernetes{PodLevelResources: new(bool)}), testkit.List("cpu", "2100m", "example.com/a", "2"))
	testkit.NoDiff(t, spec.Resources.Requests, testkit.List("memory", "2Gi"))
}
