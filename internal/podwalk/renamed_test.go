package podwalk_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestNames(t *testing.T) {
	list := testkit.List
	names := podwalk.Names{CPU: "x/cpu", Memory: "x/memory"}
	pod := &corev1.Pod{
		Spec: corev1.PodSpec{
			Containers:     []corev1.Container{testkit.Container("a", list("x/cpu", "1500", "cpu", "7", "x/gpu", "1"), list("x/memory", "1Gi", "memory", "1"))},
			InitContainers: []corev1.Container{testkit.Container("i", nil, corev1.ResourceList{})},
			Overhead:       list("x/cpu", "5", "cpu", "1", "memory", "2"),
			Resources:      &corev1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("memory", "1")},
		},
		Status: corev1.PodStatus{
			ContainerStatuses:     []corev1.ContainerStatus{{Name: "a", AllocatedResources: list("x/cpu", "1"), Resources: &corev1.ResourceRequirements{Limits: list("x/memory", "3")}}},
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "i", AllocatedResources: list("x/memory", "4"), Resources: &corev1.ResourceRequirements{Requests: list("x/cpu", "5")}}},
			AllocatedResources:    list("x/cpu", "2"),
			Resources:             &corev1.ResourceRequirements{Requests: list("x/cpu", "3")},
		},
	}
	before := pod.DeepCopy()
	want := &corev1.Pod{
		Spec: corev1.PodSpec{
			Containers:     []corev1.Container{testkit.Container("a", list("cpu", "1500m", "x/gpu", "1"), list("memory", "1Gi"))},
			InitContainers: []corev1.Container{testkit.Container("i", nil, corev1.ResourceList{})},
			Overhead:       list("cpu", "5m", "memory", "2"),
		},
		Status: corev1.PodStatus{
			ContainerStatuses:     []corev1.ContainerStatus{{Name: "a", AllocatedResources: list("cpu", "1m"), Resources: &corev1.ResourceRequirements{Limits: list("memory", "3")}}},
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "i", Resources: &corev1.ResourceRequirements{Requests: list("cpu", "5m")}, AllocatedResources: list("memory", "4")}},
			AllocatedResources:    list("cpu", "2m"),
			Resources:             &corev1.ResourceRequirements{Requests: list("cpu", "3m")},
		},
	}
	testkit.NoDiff(t, names.Pod(pod), want)
	testkit.NoDiff(t, pod, before, "the pod was written")
	kept := pod.Spec
	kept.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "1", "hugepages-2Mi", "2Mi")}
	testkit.NoDiff(t, names.Spec(&kept).Resources, &corev1.ResourceRequirements{Limits: list("hugepages-2Mi", "2Mi")}, "pod level")
	kept.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "1", "hugepages-2Mi", "2Mi")}
	testkit.NoDiff(t, names.Spec(&kept).Resources, &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "2Mi")}, "requests only")
	if names.Pod(nil) != nil || names.Spec(nil) != nil {
		t.Error("nil becomes something")
	}
}

// Milli-CPUs are whole ones, rounded up.
func TestMilliCPUs(t *testing.T) {
	names := podwalk.Names{CPU: "x/cpu"}
	for set, want := range map[string]string{
		"1500": "1500m", "1.5": "2m", "1e-3": "1m", "-1": "-1m", "-1.5": "-1m", "-500m": "0", "1Ki": "1024m",
		"9223372036854775807": "9223372036854775807m", "-9223372036854775807": "-9223372036854775807m",
	} {
		r := names.Requirements(&corev1.ResourceRequirements{Requests: testkit.List("x/cpu", set)})
		if got := r.Requests[corev1.ResourceCPU]; got.String() != want || got.Format != resource.DecimalSI {
			t.Errorf("%s: %s %s, want %s", set, got.Format, got.String(), want)
		}
	}
}
