package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// BenchmarkParallel computes the requests of one running pod on all processors concurrently: with -cpu
// 1,2,4, the time of a call decreases as their number increases.
func BenchmarkParallel(b *testing.B) {
	pod := testkit.RunningPod(false)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		dst := corev1.ResourceList{}
		for pb.Next() {
			dst = computeresources.PodRequestsInto(dst, pod, computeresources.Options{})
		}
	})
}
