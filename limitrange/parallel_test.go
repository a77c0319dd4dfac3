package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// BenchmarkParallel uses one policy on all processors concurrently. Shared memory is only read: with -cpu
// 1,2,4, the time of a call decreases as their number increases.
func BenchmarkParallel(b *testing.B) {
	policy := limitrange.Compile([]*corev1.LimitRange{wide()}, computeresources.Gates{})
	b.Run("Validate", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			pod := testkit.StandardPod(false)
			for pb.Next() {
				testkit.Keep(policy.Validate(&pod.Spec))
			}
		})
	})
	b.Run("ApplyDefaults", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			pod := testkit.StandardPod(false)
			for pb.Next() {
				testkit.Keep(policy.ApplyDefaults(&pod.Spec))
			}
		})
	})
}
