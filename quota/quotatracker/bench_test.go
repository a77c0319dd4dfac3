package quotatracker_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotatracker"
)

// An object in and out again, among very many.
func BenchmarkAddAndRemove(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tracker, err := quotatracker.New([]*corev1.ResourceQuota{newQuota("shop", "compute", list("pods", "10", "requests.cpu", "1", "limits.memory", "1"))})
			if err != nil {
				b.Fatal(err)
			}
			pod := testkit.StandardPod(false)
			pod.Namespace = "shop"
			object := quota.Pod(pod, time.Time{}, quota.PodOptions{})
			for i := range n {
				pod.Name = fmt.Sprint("pod-", i)
				if err := tracker.Add(object); err != nil {
					b.Fatal(err)
				}
			}
			pod.Name = "one more"
			key := object.Key()
			b.ReportAllocs()
			for b.Loop() {
				if err := tracker.Add(object); err != nil {
					b.Fatal(err)
				}
				if err := tracker.Remove(key); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
