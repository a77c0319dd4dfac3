package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func BenchmarkPodUsage(b *testing.B) {
	pod := testkit.StandardPod(false)
	object := quota.Pod(pod, time.Time{}, quota.PodOptions{})
	b.Run("fresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			testkit.Keep(object.Usage())
		}
	})
	b.Run("into a used list", func(b *testing.B) {
		dst := corev1.ResourceList{}
		b.ReportAllocs()
		for b.Loop() {
			dst = object.UsageInto(dst)
		}
	})
}

func BenchmarkAdmit(b *testing.B) {
	quotas := []*corev1.ResourceQuota{withStatus("compute", list("requests.cpu", "10", "limits.cpu", "20", "pods", "10"), list("requests.cpu", "1", "limits.cpu", "2", "pods", "3"))}
	object := quota.Pod(testkit.StandardPod(false), time.Time{}, quota.PodOptions{})
	b.ReportAllocs()
	for b.Loop() {
		after, failures := admit(quota.Object{}, object, quotas, quota.AdmitOptions{})
		testkit.Keep(after)
		testkit.Keep(failures)
	}
}
