package quota_test

import (
	"fmt"
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

func BenchmarkFits(b *testing.B) {
	hard := list("requests.cpu", "10", "requests.memory", "20Gi", "limits.cpu", "20", "limits.memory", "40Gi")
	used := list("requests.cpu", "2500m", "requests.memory", "3Gi", "limits.cpu", "5", "limits.memory", "6Gi")
	requested := list("requests.cpu", "100m", "requests.memory", "128Mi", "limits.cpu", "200m", "limits.memory", "256Mi")
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(quota.WithinHard(requested, used, hard))
	}
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

// The number of replicas does not matter.
func BenchmarkReplicas(b *testing.B) {
	for _, pods := range []string{"10", "1000000", "1000000000000"} {
		b.Run(fmt.Sprint(pods), func(b *testing.B) {
			quotas := []*corev1.ResourceQuota{withStatus("q", list("pods", pods, "limits.cpu", "1E"), list("pods", "0", "limits.cpu", "0"))}
			object := appOf(nil, list("cpu", "1"))
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(quota.Replicas(object, quotas, quota.AdmitOptions{}))
			}
		})
	}
}

// BenchmarkAdmitAll admits 300 pods of 1,000 in three quotas, in one call and one by one.
func BenchmarkAdmitAll(b *testing.B) {
	objects, quotas := make([]quota.Object, 1000), make([]*corev1.ResourceQuota, 3)
	for i := range objects {
		objects[i] = podOf(testkit.Container("app", testkit.List("cpu", "1", "memory", "1Gi"), testkit.List("cpu", "2", "memory", "1Gi")))
	}
	for i := range quotas {
		hard := testkit.List("requests.cpu", "300", "requests.memory", "400Gi", "limits.cpu", "700", "limits.memory", "500Gi", "pods", "1k")
		quotas[i] = withStatus(string(rune('a'+i)), hard, testkit.List("requests.cpu", "0", "requests.memory", "0", "limits.cpu", "0", "limits.memory", "0", "pods", "0"))
		quotas[i].Namespace = ""
	}
	b.Run("at once", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			quota.AdmitAll(objects, quotas, quota.AdmitOptions{})
		}
	})
	b.Run("one by one", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			current := quotas
			for _, o := range objects {
				if a := quota.Admit(quota.Object{}, o, current, quota.AdmitOptions{}); len(a.Failures) == 0 {
					current = a.After(current)
				}
			}
		}
	})
}
