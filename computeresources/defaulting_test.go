package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestApplyRequestDefaults(t *testing.T) {
	tests := []struct {
		name string
		spec corev1.PodSpec
		want corev1.PodSpec
		set  []string
	}{
		{
			name: "a request follows from the limit, in every kind of container",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", nil, list("cpu", "1")), sidecar("proxy", nil, list("memory", "1.5Gi"))},
				Containers:     []corev1.Container{container("app", list("cpu", "100m"), list("memory", "1Gi", "cpu", "2"))},
			},
			want: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", list("cpu", "1"), list("cpu", "1")), sidecar("proxy", list("memory", "1.5Gi"), list("memory", "1.5Gi"))},
				Containers:     []corev1.Container{container("app", list("cpu", "100m", "memory", "1Gi"), list("memory", "1Gi", "cpu", "2"))},
			},
			set: []string{"container app: set the memory request to 1Gi", "init container setup: set the cpu request to 1", "sidecar proxy: set the memory request to 1536Mi"},
		},
		{
			name: "a request of zero is not missing",
			spec: corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "0"), list("cpu", "1"))}},
			want: corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "0"), list("cpu", "1"))}},
		},
		{
			name: "the pod requests what its containers do, then its limits",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "ephemeral-storage", "1Gi"), nil), container("b", nil, list("cpu", "2"))},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "8", "memory", "8Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "ephemeral-storage", "1Gi"), nil), container("b", list("cpu", "2"), list("cpu", "2"))},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "8", "memory", "8Gi"), Requests: list("cpu", "3", "memory", "8Gi")},
			},
			set: []string{"container b: set the cpu request to 2", "pod: set the cpu request to 3", "pod: set the memory request to 8Gi"},
		},
		{
			name: "without limits of the pod, only hugepages follow",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), list("cpu", "1", "hugepages-2Mi", "4Mi")), container("b", nil, list("hugepages-2Mi", "2Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "hugepages-2Mi", "4Mi"), list("cpu", "1", "hugepages-2Mi", "4Mi")), container("b", list("hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "2Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi", "cpu", "1", "hugepages-2Mi", "6Mi"), Limits: list("hugepages-2Mi", "6Mi")},
			},
			set: []string{
				"container a: set the hugepages-2Mi request to 4Mi", "container b: set the hugepages-2Mi request to 2Mi",
				"pod: set the hugepages-2Mi limit to 6Mi", "pod: set the cpu request to 1", "pod: set the hugepages-2Mi request to 6Mi",
			},
		},
		{
			name: "a pod that requests hugepages itself gets no limit for them",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "8Mi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "8Mi")},
			},
		},
		{
			name: "empty pod-level resources are not changed",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{},
			},
		},
		{
			name: "resources that cannot be set at pod level get no pod-level default",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("ephemeral-storage", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("ephemeral-storage", "8Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("ephemeral-storage", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("ephemeral-storage", "8Gi")},
			},
		},
		{
			name: "requests of containers do not default to overhead or pod-level resources",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Overhead:   list("cpu", "250m"),
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi"), Limits: list("memory", "2Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Overhead:   list("cpu", "250m"),
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi", "cpu", "1"), Limits: list("memory", "2Gi")},
			},
			set: []string{"pod: set the cpu request to 1"},
		},
		{
			// The server stores 2m as the limit of the sidecar.
			name: "all amounts are rounded up to milli-units",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{sidecar("proxy", list("cpu", "0"), list("cpu", "0.0015", "memory", "64Mi"))},
				Containers:     []corev1.Container{container("app", list("memory", "1n"), list("cpu", "100u", "memory", "1.0001"))},
				Overhead:       list("cpu", "1u"),
			},
			want: corev1.PodSpec{
				InitContainers: []corev1.Container{sidecar("proxy", list("cpu", "0", "memory", "64Mi"), list("cpu", "2m", "memory", "64Mi"))},
				Containers:     []corev1.Container{container("app", list("cpu", "1m", "memory", "1m"), list("cpu", "1m", "memory", "1001m"))},
				Overhead:       list("cpu", "1m"),
			},
			set: []string{"container app: set the cpu request to 1m", "sidecar proxy: set the memory request to 64Mi"},
		},
		{
			name: "the pod-level request is the sum before rounding, rounded",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "100u"), nil), container("b", list("cpu", "200u"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "1500u")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1m"), nil), container("b", list("cpu", "1m"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "2m"), Requests: list("cpu", "1m")},
			},
			set: []string{"pod: set the cpu request to 1m"},
		},
		{
			name: "requests of a pod without containers are rounded",
			spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list("cpu", "1500u")}},
			want: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list("cpu", "2m")}},
		},
		{
			name: "pod-level requests are rounded if there are no limits",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "1500u")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "2m")},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			set := testkit.Strings(computeresources.ApplyRequestDefaults(&test.spec, computeresources.Gates{}))
			testkit.NoDiff(t, test.spec, test.want, "spec")
			testkit.NoDiff(t, set, test.set, "reported")
		})
	}
}
