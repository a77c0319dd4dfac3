package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// BenchmarkParallel uses the same quotas on all processors concurrently, each with its own pod and a
// shared one: with -cpu 1,2,4, the time of a call decreases as their number increases.
func BenchmarkParallel(b *testing.B) {
	quotas := []*corev1.ResourceQuota{withStatus("compute", list("requests.cpu", "10", "limits.cpu", "20", "pods", "10"), list("requests.cpu", "1", "limits.cpu", "2", "pods", "3"))}
	shared := quota.Pod(testkit.StandardPod(false), time.Time{}, quota.PodOptions{})
	b.Run("UsageInto", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			dst := corev1.ResourceList{}
			for pb.Next() {
				dst = shared.UsageInto(dst)
			}
		})
	})
	b.Run("Assessment", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			own := quota.Pod(testkit.StandardPod(false), time.Time{}, quota.PodOptions{})
			for pb.Next() {
				testkit.Keep(quota.Admit(quota.Object{}, own, quotas, quota.AdmitOptions{}))
			}
		})
	})
}
