package quota_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// For any amounts, the reported number of replicas fits, and one more does not.
func FuzzReplicas(f *testing.F) {
	f.Add("10", "1", "333m")
	f.Add("1.5Gi", "0", "0.5Gi")
	f.Add("9223372036854775807", "-1", "1")
	f.Add("1E", "0", "1n")
	f.Add("0", "0", "0")
	f.Fuzz(func(t *testing.T, hard, used, usage string) {
		h, ok1 := testkit.Parse(hard)
		u, ok2 := testkit.Parse(used)
		c, ok3 := testkit.Parse(usage)
		if !ok1 || !ok2 || !ok3 {
			return
		}
		object := appOf(corev1.ResourceList{"cpu": c}, nil)
		quotas := []*corev1.ResourceQuota{withStatus("q", corev1.ResourceList{"cpu": h}, corev1.ResourceList{"cpu": u})}
		fit := quota.Replicas(object, quotas, quota.AdmitOptions{})
		if fit.Replicas == math.MaxInt64 {
			return
		}
		if next := quota.Admit(quota.Object{}, object, withReplicas(quotas, object, fit.Replicas), quota.AdmitOptions{}); len(next.Failures) == 0 {
			t.Errorf("%d of %s fit between %s and %s, and one more", fit.Replicas, usage, used, hard)
		}
		if fit.Replicas == 0 {
			return
		}
		if last := quota.Admit(quota.Object{}, object, withReplicas(quotas, object, fit.Replicas-1), quota.AdmitOptions{}); len(last.Failures) > 0 {
			t.Errorf("%d of %s do not fit between %s and %s: %v", fit.Replicas, usage, used, hard, last.Failures)
		}
	})
}
