package quota_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// For any amounts, Fits, FailuresOf and the slow twin agree.
func FuzzFits(f *testing.F) {
	f.Add("10", "4", "6")
	f.Add("1.5Gi", "0.5Gi", "1073741825")
	f.Add("9223372036854775807", "9223372036854775807", "1")
	f.Add("1E", "-1", "1000000001n")
	f.Add("4503599627370496", "4503599627370495", "1")
	f.Fuzz(func(t *testing.T, hard, used, requested string) {
		h, ok1 := testkit.Parse(hard)
		u, ok2 := testkit.Parse(used)
		r, ok3 := testkit.Parse(requested)
		if !ok1 || !ok2 || !ok3 {
			return
		}
		limits, usage, request := list("cpu", "0", "memory", "0"), list("cpu", "0", "memory", "0"), list("cpu", "0", "memory", "0")
		for name := range limits {
			limits[name], usage[name], request[name] = h.DeepCopy(), u.DeepCopy(), r.DeepCopy()
		}
		want := slowExceeded(limits, usage, request)
		if got := quota.WithinHard(request, usage, limits); got != (len(want) == 0) {
			t.Errorf("Fits(%s, %s, %s) = %v", hard, used, requested, got)
		}
		if got := exceeded(request, usage, limits); len(got) != len(want) {
			t.Errorf("FailuresOf(%s, %s, %s) = %v, want %v", hard, used, requested, got, want)
		}
		quotas := withStatus("q", limits, usage)
		failures := quota.Admit(quota.Object{}, podOf(container("a", request, nil)), []*corev1.ResourceQuota{quotas}, quota.AdmitOptions{}).Failures
		if (len(failures) > 0) != (len(want) > 0 || r.Sign() < 0) {
			t.Errorf("Admit(%s, %s, %s): %v", hard, used, requested, failures)
		}
	})
}
