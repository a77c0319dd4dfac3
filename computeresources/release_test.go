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
