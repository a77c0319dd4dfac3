package quotaplan_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

// The number of replicas does not matter.
func BenchmarkReplicas(b *testing.B) {
	for _, pods := range []string{"10", "1000000", "1000000000000"} {
		b.Run(fmt.Sprint(pods), func(b *testing.B) {
			quotas := []*corev1.ResourceQuota{inForce("q", list("pods", pods, "limits.cpu", "1E"), list("pods", "0", "limits.cpu", "0"))}
			object := podOf(nil, list("cpu", "1"))
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(quotaplan.Replicas(object, quotas, quota.AdmitOptions{}))
			}
		})
	}
}
