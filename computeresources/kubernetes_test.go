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
