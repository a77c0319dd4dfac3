package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func BenchmarkSpecRequests(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(computeresources.SpecRequests(spec, computeresources.Options{}))
	}
}

func BenchmarkSpecRequestsInto(b *testing.B) {
	spec, list := &testkit.StandardPod(false).Spec, corev1.ResourceList{}
	b.ReportAllocs()
	for b.Loop() {
		computeresources.SpecRequestsInto(list, spec, computeresources.Options{})
	}
}

func BenchmarkSpecTotals(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}))
	}
}

func BenchmarkRunningPodRequestsInto(b *testing.B) {
	for name, pod := range runningPods() {
		b.Run(name, func(b *testing.B) {
			list := corev1.ResourceList{}
			b.ReportAllocs()
			for b.Loop() {
				computeresources.PodRequestsInto(list, pod, computeresources.Options{})
			}
		})
	}
}

func BenchmarkRunningPodTotals(b *testing.B) {
	for name, pod := range runningPods() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(computeresources.PodTotals(pod, computeresources.Requests, computeresources.Options{}))
			}
		})
	}
}

func BenchmarkRunningPodLimitsInto(b *testing.B) {
	for name, pod := range runningPods() {
		b.Run(name, func(b *testing.B) {
			list := corev1.ResourceList{}
			b.ReportAllocs()
			for b.Loop() {
				computeresources.PodLimitsInto(list, pod, computeresources.Options{})
			}
		})
	}
}
