package quota_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

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
	fuzzAmounts(f, func(t *testing.T, h, u, r resource.Quantity) {
		limits, usage, request := list("cpu", "0", "memory", "0"), list("cpu", "0", "memory", "0"), list("cpu", "0", "memory", "0")
		for name := range limits {
			limits[name], usage[name], request[name] = h.DeepCopy(), u.DeepCopy(), r.DeepCopy()
		}
		want := slowExceeded(limits, usage, request)
		if got := quota.WithinHard(request, usage, limits); got != (len(want) == 0) {
			t.Errorf("Fits(%s, %s, %s) = %v", &h, &u, &r, got)
		}
		if got := exceeded(request, usage, limits); len(got) != len(want) {
			t.Errorf("FailuresOf(%s, %s, %s) = %v, want %v", &h, &u, &r, got, want)
		}
		quotas := withStatus("q", limits, usage)
		failures := quota.Admit(quota.Object{}, podOf(container("a", request, nil)), []*corev1.ResourceQuota{quotas}, quota.AdmitOptions{}).Failures
		if (len(failures) > 0) != (len(want) > 0 || r.Sign() < 0) {
			t.Errorf("Admit(%s, %s, %s): %v", &h, &u, &r, failures)
		}
	})
}

// For any amounts, the reported number of replicas fits, and one more does not.
func FuzzReplicas(f *testing.F) {
	f.Add("10", "1", "333m")
	f.Add("1.5Gi", "0", "0.5Gi")
	f.Add("9223372036854775807", "-1", "1")
	f.Add("1E", "0", "1n")
	f.Add("0", "0", "0")
	fuzzAmounts(f, func(t *testing.T, h, u, c resource.Quantity) {
		object := appOf(corev1.ResourceList{"cpu": c}, nil)
		quotas := []*corev1.ResourceQuota{withStatus("q", corev1.ResourceList{"cpu": h}, corev1.ResourceList{"cpu": u})}
		fit := quota.Replicas(object, quotas, quota.AdmitOptions{})
		if fit.Replicas == math.MaxInt64 {
			return
		}
		if next := quota.Admit(quota.Object{}, object, withReplicas(quotas, object, fit.Replicas), quota.AdmitOptions{}); len(next.Failures) == 0 {
			t.Errorf("%d of %s fit between %s and %s, and one more", fit.Replicas, &c, &u, &h)
		}
		if fit.Replicas == 0 {
			return
		}
		if last := quota.Admit(quota.Object{}, object, withReplicas(quotas, object, fit.Replicas-1), quota.AdmitOptions{}); len(last.Failures) > 0 {
			t.Errorf("%d of %s do not fit between %s and %s: %v", fit.Replicas, &c, &u, &h, last.Failures)
		}
	})
}

// fuzzAmounts calls check with the amounts that texts of hard, used and requested amounts have.
func fuzzAmounts(f *testing.F, check func(t *testing.T, hard, used, requested resource.Quantity)) {
	f.Fuzz(func(t *testing.T, hard, used, requested string) {
		h, ok1 := testkit.Parse(hard)
		u, ok2 := testkit.Parse(used)
		r, ok3 := testkit.Parse(requested)
		if ok1 && ok2 && ok3 {
			check(t, h, u, r)
		}
	})
}
