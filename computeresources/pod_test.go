package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	list      = testkit.List
	container = testkit.Container
	sidecar   = testkit.Sidecar
)

func TestPodRequests(t *testing.T) {
	pod := func(init []corev1.Container, apps ...corev1.Container) corev1.PodSpec {
		return corev1.PodSpec{InitContainers: init, Containers: apps}
	}
	tests := []struct {
		name string
		spec corev1.PodSpec
		opts computeresources.Options
		want corev1.ResourceList
	}{
		{
			name: "an init container above the sum counts alone",
			spec: pod([]corev1.Container{container("setup", list("cpu", "5"), nil)}, container("a", list("cpu", "1"), nil), container("b", list("cpu", "2"), nil)),
			want: list("cpu", "5"),
		},
		{
			name: "a sidecar runs beside the init containers after it",
			spec: pod([]corev1.Container{sidecar("proxy", list("cpu", "1"), nil), container("setup", list("cpu", "3"), nil)}, container("a", list("cpu", "2"), nil)),
			want: list("cpu", "4"),
		},
		{
			name: "a sidecar does not run beside the init containers before it",
			spec: pod([]corev1.Container{container("setup", list("cpu", "3"), nil), sidecar("proxy", list("cpu", "1"), nil)}, container("a", list("cpu", "1"), nil)),
			want: list("cpu", "3"),
		},
		{
			name: "pod-level requests replace the sum, and may stand alone",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "memory", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "3", "hugepages-2Mi", "4Mi", "ephemeral-storage", "9Gi")},
			},
			want: list("cpu", "3", "memory", "1Gi", "hugepages-2Mi", "4Mi"),
		},
		{
			name: "pod-level limits alone change no request",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "3")},
			},
			want: list("cpu", "1"),
		},
		{
			name: "overhead is added, even to resources that nothing else requests",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "3")},
				Overhead:   list("cpu", "250m", "memory", "120Mi"),
			},
			want: list("cpu", "3250m", "memory", "120Mi"),
		},
		{
			name: "missing requests of app and init containers count, requests of zero do not",
			spec: pod([]corev1.Container{container("setup", nil, nil)}, container("a", list("cpu", "0"), nil), container("b", nil, nil)),
			opts: computeresources.Options{MissingRequests: list("cpu", "100m", "memory", "200Mi")},
			want: list("cpu", "100m", "memory", "400Mi"),
		},
		{
			name: "missing requests of a resource that no container names",
			spec: pod(nil, container("a", list("cpu", "1"), nil), container("b", nil, nil)),
			opts: computeresources.Options{MissingRequests: list("example.com/gpu", "2")},
			want: list("cpu", "1", "example.com/gpu", "4"),
		},
		{
			name: "claims are added to the containers, and pod-level requests replace the sum",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "memory", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "4Gi")},
			},
			opts: computeresources.Options{ClaimedFromNode: list("cpu", "2", "memory", "1Gi", "hugepages-1Gi", "1Gi")},
			want: list("cpu", "3", "memory", "4Gi", "hugepages-1Gi", "1Gi"),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, "requests", computeresources.SpecRequests(&test.spec, test.opts), test.want)
		})
	}
}

func TestPodLimits(t *testing.T) {
	tests := []struct {
		name         string
		spec         corev1.PodSpec
		opts         computeresources.Options
		api, binding corev1.ResourceList
	}{
		{name: "no containers", api: list(), binding: list()},
		{
			name: "overhead is added to limits that are not zero",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("cpu", "1", "memory", "0"))},
				Overhead:   list("cpu", "250m", "memory", "120Mi", "ephemeral-storage", "1Gi"),
			},
			api:     list("cpu", "1250m", "memory", "0"),
			binding: list("cpu", "1250m"),
		},
		{
			name: "a limit that negative overhead brings to zero or below does not bind",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi"))},
				Overhead:   list("cpu", "-2", "memory", "-1Gi", "ephemeral-storage", "-2Gi"),
			},
			api:     list("cpu", "-1", "memory", "0", "ephemeral-storage", "-1Gi"),
			binding: list(),
		},
		{
			name: "an init container without a limit leaves the pod without one",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", nil, list("memory", "1Gi"))},
				Containers:     []corev1.Container{container("a", nil, list("cpu", "1", "memory", "1Gi"))},
			},
			api:     list("cpu", "1", "memory", "1Gi"),
			binding: list("memory", "1Gi"),
		},
		{
			name: "a sidecar with a limit of zero leaves the pod without a limit",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{sidecar("proxy", nil, list("cpu", "0"))},
				Containers:     []corev1.Container{container("a", nil, list("cpu", "1"))},
			},
			api:     list("cpu", "1"),
			binding: list(),
		},
		{
			name: "a pod-level limit binds without any of the containers",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("memory", "1Gi")), container("b", nil, nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "2")},
			},
			api:     list("cpu", "2", "memory", "1Gi"),
			binding: list("cpu", "2"),
		},
		{
			name: "a pod-level limit of zero is no limit",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("cpu", "1"))},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "0")},
			},
			api:     list("cpu", "0"),
			binding: list(),
		},
		{
			name:    "claims extend limits that are declared, and hugepages",
			spec:    corev1.PodSpec{Containers: []corev1.Container{container("a", nil, list("cpu", "1"))}},
			opts:    computeresources.Options{ClaimedFromNode: list("cpu", "2", "memory", "1Gi", "hugepages-2Mi", "2Mi")},
			api:     list("cpu", "3", "hugepages-2Mi", "2Mi"),
			binding: list("cpu", "3", "hugepages-2Mi", "2Mi"),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, "API limits", computeresources.SpecLimits(&test.spec, test.opts), test.api)
			check(t, "binding limits", computeresources.BindingLimits(&test.spec, test.opts), test.binding)
		})
	}
}
