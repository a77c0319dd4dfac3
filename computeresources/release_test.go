package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// SetDefaults_Pod of v1.36.3, which v1.37.2 follows without PodLevelResourcesFixDefaulting, sets pod-level requests only
// of a pod with pod-level limits.
func TestPodLevelRequestDefaultsByGate(t *testing.T) {
	off := computeresources.Kubernetes{PodLevelResourcesFixDefaulting: testkit.Off()}
	on := computeresources.Kubernetes{Release: "1.36", PodLevelResourcesFixDefaulting: testkit.On()}
	limit, request := testkit.List("memory", "2Gi"), testkit.List("cpu", "2")
	for _, test := range []struct {
		name             string
		kubernetes       computeresources.Kubernetes
		requests, limits corev1.ResourceList
		want             int // changes
	}{
		{"1.36 with a limit", computeresources.Kubernetes{Release: "1.36"}, nil, limit, 2},
		{"1.36 without a limit", computeresources.Kubernetes{Release: "1.36"}, request, nil, 0},
		{"1.36 with the gate", on, nil, limit, 0},
		{"1.37", computeresources.Kubernetes{}, nil, limit, 0},
		{"1.37 without the gate", off, nil, limit, 2},
	} {
		spec := &corev1.PodSpec{
			Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", "1", "memory", "1Gi"), nil)},
			Resources:  &corev1.ResourceRequirements{Requests: test.requests, Limits: test.limits},
		}
		testkit.Equal(t, len(computeresources.ApplyRequestDefaults(spec, test.kubernetes)), test.want, test.name)
	}
}

// AggregateContainerLimits of component-helpers v0.38.0-beta.0 has no cpu if a container limits it to zero, so that
// nothing is derived from it.
func TestPodLevelLimitOfZeroByRelease(t *testing.T) {
	for release, want := range map[string]string{"": "1", "1.38": ""} {
		spec := &corev1.PodSpec{
			Containers: []corev1.Container{
				testkit.Container("app", nil, testkit.List("cpu", "1")), testkit.Container("proxy", nil, testkit.List("cpu", "0")),
			},
			Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1")},
		}
		computeresources.ApplyPodLevelDefaults(spec, computeresources.Kubernetes{Release: release})
		got := ""
		if limit, set := spec.Resources.Limits["cpu"]; set {
			got = limit.String()
		}
		testkit.Equal(t, got, want, "the limit of the pod in", release)
	}
}

// Up to 1.33, pod-level amounts are not validated, and up to 1.36, an empty spec.resources makes both pods BestEffort.
func TestValidateResizeByRelease(t *testing.T) {
	of := func(request string, podLevel *corev1.ResourceRequirements) *corev1.Pod {
		amounts := testkit.List("cpu", request, "memory", "1Gi")
		return &corev1.Pod{
			Spec: corev1.PodSpec{
				Containers: []corev1.Container{testkit.Container("app", amounts, testkit.List("cpu", "2", "memory", "1Gi"))}, Resources: podLevel,
			},
			Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
				Name: "app", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, Resources: &corev1.ResourceRequirements{},
			}}},
		}
	}
	causes := func(release string, podLevel *corev1.ResourceRequirements) map[computeresources.ResizeCause]bool {
		found := map[computeresources.ResizeCause]bool{}
		opts := computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: release}}
		for _, p := range computeresources.ValidateResize(of("2", podLevel), of("1", podLevel), opts) {
			found[p.Cause] = true
		}
		return found
	}
	empty := &corev1.ResourceRequirements{}
	invalid := &corev1.ResourceRequirements{Requests: testkit.List("cpu", "4"), Limits: testkit.List("cpu", "3")}
	testkit.Equal(t, causes("1.36", empty)[computeresources.ResizeChangesClass], false, "the class changes in 1.36")
	testkit.Equal(t, causes("1.37", empty)[computeresources.ResizeChangesClass], true, "the class changes in 1.37")
	testkit.Equal(t, causes("1.33", invalid)[computeresources.ResizeInvalid], false, "pod-level amounts are invalid in 1.33")
	testkit.Equal(t, causes("1.37", invalid)[computeresources.ResizeInvalid], true, "pod-level amounts are invalid in 1.37")
}

// Up to 1.36, the largest amount of a container counts, also one that needs arbitrary precision.
func TestLargestAmountsAreExact(t *testing.T) {
	const large, small = "12345678901234567890123", "1Gi"
	for _, amounts := range [][3]string{{large, small, small}, {small, large, small}, {small, small, large}} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("memory", amounts[0]), nil), container("b", list("memory", "1"), nil)}}}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", AllocatedResources: list("memory", amounts[1]),
			Resources: &corev1.ResourceRequirements{Requests: list("memory", amounts[2])}}}
		got := computeresources.PodRequests(pod, computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}})
		testkit.NoDiff(t, got, list("memory", "12345678901234567890124"), amounts)
	}
}
