package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestAllocs(t *testing.T) {
	standard := &testkit.StandardPod(false).Spec
	fractions := standard.DeepCopy() // what integers hold only just
	for i := range fractions.Containers {
		fractions.Containers[i].Resources.Requests = list("cpu", "0.5", "memory", "100.5Gi", "ephemeral-storage", "1.5Gi")
	}
	running := testkit.StandardPod(false)
	for _, c := range running.Spec.Containers {
		running.Status.ContainerStatuses = append(running.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, AllocatedResources: c.Resources.Requests, Resources: &c.Resources,
		})
	}
	reused := corev1.ResourceList{}
	plain := computeresources.Options{}
	status := computeresources.Options{Status: &running.Status}
	tests := []struct {
		name string
		most float64
		call func()
	}{
		{"requests, fresh", 2, func() { computeresources.PodRequests(standard, plain) }},
		{"limits, fresh", 2, func() { computeresources.PodLimits(standard, plain) }},
		{"requests, reused", 0, func() { computeresources.PodRequestsInto(reused, standard, plain) }},
		{"limits, reused", 0, func() { computeresources.PodLimitsInto(reused, standard, plain) }},
		{"requests of a running pod, reused", 0, func() { computeresources.PodRequestsInto(reused, &running.Spec, status) }},
		{"request totals", 0, func() { computeresources.PodRequestTotals(standard, plain) }},
		{"limit totals", 0, func() { computeresources.PodLimitTotals(standard, plain) }},
		{"request totals of fractions", 0, func() { computeresources.PodRequestTotals(fractions, plain) }},
		{"request totals of a running pod", 0, func() { computeresources.PodRequestTotals(&running.Spec, status) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.call()
			if got := testing.AllocsPerRun(100, test.call); got > test.most {
				t.Errorf("%v allocations, want at most %v", got, test.most)
			}
		})
	}
}
