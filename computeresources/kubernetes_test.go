package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestParseRelease(t *testing.T) {
	for version, want := range map[string]string{"v1.36.3": "1.36", "1.37+": "1.37", "1.32": "", "latest": ""} {
		testkit.Contract(t, func() any {
			parsed, err := computeresources.ParseRelease(version)
			if err != nil {
				return err.Error()
			}
			return parsed
		})
		got, err := computeresources.ParseRelease(version)
		testkit.Equal(t, got, want, "the release of", version)
		testkit.Equal(t, err == nil, want != "", "an error for", version)
	}
}

// A pod level counts since 1.34, in each list, whether it is selected by the release or by the gate.
func TestPodLevelByRelease(t *testing.T) {
	spec := &corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", "1"), testkit.List("cpu", "2"))},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "3"), Limits: testkit.List("cpu", "4")},
	}
	for _, test := range []struct {
		kubernetes       computeresources.Kubernetes
		requests, limits string
	}{
		{computeresources.Kubernetes{}, "3", "4"},
		{computeresources.Kubernetes{Release: "1.33"}, "1", "2"},
		{computeresources.Kubernetes{Release: "1.34"}, "3", "4"},
		{computeresources.Kubernetes{Release: "1.33", PodLevelResources: testkit.On()}, "3", "4"},
		{computeresources.Kubernetes{Release: "1.38", PodLevelResources: testkit.Off()}, "1", "2"},
	} {
		opts := computeresources.Options{Kubernetes: test.kubernetes}
		testkit.NoDiff(t, computeresources.SpecRequests(spec, opts), testkit.List("cpu", test.requests))
		testkit.NoDiff(t, computeresources.SpecLimits(spec, opts), testkit.List("cpu", test.limits))
	}
}

// Since 1.38, a container without a limit of cpu or memory, or with zero, unbounds the pod, unless there is a pod-level
// limit. internal/conformance/componenthelpers compares with component-helpers v0.38.
func TestLimitsByRelease(t *testing.T) {
	limited := testkit.Container("limited", nil, testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi"))
	partly := testkit.Container("partly", nil, testkit.List("cpu", "1", "memory", "0"))
	unlimited := testkit.Container("unlimited", nil, nil)
	for _, test := range []struct {
		name       string
		spec       corev1.PodSpec
		until, now corev1.ResourceList
	}{
		{"all are limited", corev1.PodSpec{Containers: []corev1.Container{limited, limited}}, testkit.List("cpu", "2", "memory", "2Gi", "ephemeral-storage", "2Gi"), testkit.List("cpu", "2", "memory", "2Gi", "ephemeral-storage", "2Gi")},
		{"one is not", corev1.PodSpec{Containers: []corev1.Container{limited, unlimited}}, testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi"), testkit.List("ephemeral-storage", "1Gi")},
		{"an init container is not", corev1.PodSpec{InitContainers: []corev1.Container{unlimited}, Containers: []corev1.Container{limited}}, testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi"), testkit.List("ephemeral-storage", "1Gi")},
		{"a limit of zero", corev1.PodSpec{Containers: []corev1.Container{partly, limited}}, testkit.List("cpu", "2", "memory", "1Gi", "ephemeral-storage", "1Gi"), testkit.List("cpu", "2", "ephemeral-storage", "1Gi")},
		{
			"overhead, and a pod-level limit", corev1.PodSpec{
				Containers: []corev1.Container{limited, unlimited}, Overhead: testkit.List("cpu", "100m", "memory", "1Mi"),
				Resources: &corev1.ResourceRequirements{Limits: testkit.List("cpu", "3")},
			},
			testkit.List("cpu", "3100m", "memory", "1025Mi", "ephemeral-storage", "1Gi"), testkit.List("cpu", "3100m", "ephemeral-storage", "1Gi"),
		},
	} {
		for release, want := range map[string]corev1.ResourceList{"1.36": test.until, "": test.until, "1.38": test.now} {
			opts := computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: release}}
			testkit.NoDiff(t, computeresources.SpecLimits(&test.spec, opts), want, test.name, "in", release)
			testkit.NoDiff(t, computeresources.PodLimits(&corev1.Pod{Spec: test.spec}, opts), want, test.name, "of the pod in", release)
		}
	}
	spec := &corev1.PodSpec{Containers: []corev1.Container{limited, unlimited}}
	claimed := computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: "1.38"}, ClaimedFromNode: testkit.List("cpu", "1")}
	testkit.NoDiff(t, computeresources.SpecTotals(spec, computeresources.Limits, claimed), computeresources.Totals{EphemeralStorage: 1 << 30}, "beside claims")
}
