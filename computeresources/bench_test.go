package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func BenchmarkPodRequests(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(computeresources.PodRequests(spec, computeresources.Options{}))
	}
}

func BenchmarkPodRequestsInto(b *testing.B) {
	spec, list := &testkit.StandardPod(false).Spec, corev1.ResourceList{}
	b.ReportAllocs()
	for b.Loop() {
		computeresources.PodRequestsInto(list, spec, computeresources.Options{})
	}
}

func BenchmarkPodRequestTotals(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(computeresources.PodRequestTotals(spec, computeresources.Options{}))
	}
}
