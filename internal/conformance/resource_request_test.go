package conformance

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/kubernetes/pkg/api/v1/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// As soon as a pod has any pod-level resource, upstream's GetResourceRequest leaves all
// containers out: of what cannot be set at pod level, nothing is requested. The scheduler,
// and kubemath, replace the sums of what the pod level has, and keep the others.
// See docs/decisions/computeresources.md#pod-level-replaces-one-resource.
func TestDivergenceResourceRequestWithoutContainers(t *testing.T) {
	list := func(name corev1.ResourceName, amount string) corev1.ResourceList {
		return corev1.ResourceList{name: resource.MustParse(amount)}
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: list("ephemeral-storage", "1Gi")}}},
		Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "2")},
	}}
	ours := computeresources.SpecRequests(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})
	for _, test := range []struct {
		name         corev1.ResourceName
		ours, theirs int64
	}{
		{"cpu", 2000, 2000},
		{"ephemeral-storage", 1 << 30, 0},
	} {
		q := ours[test.name]
		got := q.Value()
		if test.name == corev1.ResourceCPU {
			got = q.MilliValue()
		}
		testkit.Equal(t, got, test.ours, test.name)
		if theirs := upstream.GetResourceRequest(pod, test.name); theirs != test.theirs {
			t.Errorf("%s: upstream has %d, no longer %d", test.name, theirs, test.theirs)
		}
	}
}
