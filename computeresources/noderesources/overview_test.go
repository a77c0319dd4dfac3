package noderesources_test

import (
	"fmt"
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// named returns a pod with one container and a phase.
func named(name string, phase corev1.PodPhase, requests, limits corev1.ResourceList) *corev1.Pod {
	p := pod(testkit.Container("c", requests, limits))
	p.Name, p.Status.Phase = name, phase
	return p
}

func TestOverview(t *testing.T) {
	resized := named("e", corev1.PodRunning, testkit.List("cpu", "10m"), nil)
	resized.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", AllocatedResources: testkit.List("cpu", "1")}}
	pods := []*corev1.Pod{
		named("b", corev1.PodRunning, testkit.List("cpu", "100m", "memory", "100M", "hugepages-2Mi", "4Mi", "b.com/x", "2"), testkit.List("cpu", "3", "b.com/x", "2")),
		nil,
		named("a", "", testkit.List("cpu", "180m", "memory", "1Mi", "other.com/x", "1"), nil),
		named("c", corev1.PodSucceeded, testkit.List("cpu", "1"), nil),
		named("d", corev1.PodFailed, testkit.List("cpu", "1"), nil),
		resized,
	}
	status := &corev1.NodeStatus{
		Capacity:    testkit.List("cpu", "100"),
		Allocatable: testkit.List("cpu", "1", "memory", "1Gi", "pods", "9", "hugepages-2Mi", "8Mi", "hugepages-1Gi", "0", "b.com/x", "4", "a.com/x", "1"),
	}
	// 29 of 100 are 28%, as kubectl computes it. Memory has the format of the first pod by name.
	want := []string{
		"cpu 290m (28%) 3 (300%)",
		"memory 101048576 (9%) 0 (0%)",
		"ephemeral-storage 0 (0%) 0 (0%)",
		"hugepages-1Gi 0 (0%) 0 (0%)",
		"hugepages-2Mi 4Mi (50%) 0 (0%)",
		"a.com/x 0 (0%) 0 (0%)",
		"b.com/x 2 (50%) 2 (50%)",
	}
	var got []string
	for _, r := range noderesources.OverviewOf(pods, status, computeresources.Kubernetes{}) {
		got = append(got, fmt.Sprintf("%s %s (%d%%) %s (%d%%)", r.Resource, r.Requests.String(), r.RequestsPercent, r.Limits.String(), r.LimitsPercent))
	}
	testkit.NoDiff(t, got, want)
}

func TestOverviewOfCapacity(t *testing.T) {
	pods := []*corev1.Pod{named("a", "", testkit.List("cpu", "1"), nil)}
	for name, test := range map[string]struct {
		status *corev1.NodeStatus
		want   int64
	}{
		"no status":             {nil, 0},
		"nothing allocatable":   {&corev1.NodeStatus{Capacity: testkit.List("cpu", "4")}, 25},
		"an empty list":         {&corev1.NodeStatus{Capacity: testkit.List("cpu", "4"), Allocatable: corev1.ResourceList{}}, 25},
		"negative allocatable":  {&corev1.NodeStatus{Allocatable: testkit.List("cpu", "-4")}, -25},
		"no cpu is allocatable": {&corev1.NodeStatus{Capacity: testkit.List("cpu", "4"), Allocatable: testkit.List("memory", "1")}, 0},
	} {
		if got := noderesources.OverviewOf(pods, test.status, computeresources.Kubernetes{}); len(got) != 3 || got[0].RequestsPercent != test.want {
			t.Errorf("%s: %v, want %d%%", name, got, test.want)
		}
	}
}

// The format is that of the first pod by namespace, and by name only in one namespace.
func TestOverviewFormats(t *testing.T) {
	first, second := named("z", "", testkit.List("memory", "1Mi"), nil), named("a", "", testkit.List("memory", "1M"), nil)
	first.Namespace, second.Namespace = "a", "b"
	got := noderesources.OverviewOf([]*corev1.Pod{second, first}, nil, computeresources.Kubernetes{})[1].Requests
	if got.Format != resource.BinarySI || got.Value() != 1<<20+1e6 {
		t.Errorf("%s in the format %s", got.String(), got.Format)
	}
}

func TestOverviewSaturates(t *testing.T) {
	status := &corev1.NodeStatus{Capacity: testkit.List("memory", "1")}
	for amount, want := range map[string]int64{"10E": math.MaxInt64, "-10E": math.MinInt64} {
		r := noderesources.OverviewOf([]*corev1.Pod{named("a", "", testkit.List("memory", amount), nil)}, status, computeresources.Kubernetes{})[1]
		testkit.Equal(t, r.RequestsPercent, want, amount, "of 1")
	}
}

// kubectl of 1.38 counts the status of a pod that is resized, and no limits of cpu and memory of which a container has
// none. Gates are those of the server, so they do not count.
func TestOverviewByRelease(t *testing.T) {
	resized := named("a", "", testkit.List("cpu", "1"), testkit.List("cpu", "2"))
	resized.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: resized.Spec.Containers[0].Name, AllocatedResources: testkit.List("cpu", "3"),
		Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", "3"), Limits: testkit.List("cpu", "4")},
	}}
	partly := named("b", "", nil, testkit.List("cpu", "5"))
	partly.Spec.Containers = append(partly.Spec.Containers, testkit.Container("unlimited", nil, nil))
	podLevel := named("c", "", nil, nil)
	podLevel.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "10")}
	podLevel.Status.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "100")}
	for release, want := range map[string]string{"1.33": "11 of 7", "1.36": "11 of 7", "": "11 of 7", "1.38": "13 of 4"} {
		kubernetes := computeresources.Kubernetes{Release: release, PodLevelResources: testkit.Off(), InPlacePodLevelResourcesVerticalScaling: testkit.On()}
		cpu := noderesources.OverviewOf([]*corev1.Pod{resized, partly, podLevel}, nil, kubernetes)[0]
		testkit.Equal(t, cpu.Requests.String()+" of "+cpu.Limits.String(), want, "requests and limits in", release)
	}
}
