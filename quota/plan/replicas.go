package plan

import (
	"math"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcelist"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/arithmetic"
)

// Fit says how many replicas of an object quotas still admit.
type Fit struct {
	// Replicas is how many are admitted, one after the other; math.MaxInt64 if there are
	// more, or no end of them.
	Replicas int64
	// Unbounded tells that no quota stops them, however many.
	Unbounded bool
	// Next is why the one after them is not admitted: the failures of quota.Admit, by then.
	// Failure.Missing says by how much the quota would have to grow. It is empty if there
	// is no end, or it lies beyond math.MaxInt64.
	Next []quota.Failure
}

// Replicas returns how many replicas of an object quotas still admit, and what stops the
// next: n replicas are admitted, one after the other, exactly if n ≤ Replicas.
//
// Cost: that of two admissions, and a division for each resource of each quota; it does
// not depend on the number of replicas.
func Replicas(quotas []corev1.ResourceQuota, object quota.Object, opts quota.AdmitOptions) Fit {
	if _, failures := quota.Admit(quotas, object, opts); len(failures) > 0 {
		return Fit{Next: failures}
	}
	fit := Fit{Replicas: math.MaxInt64, Unbounded: true}
	if opts.Subresource != "" {
		return fit
	}
	cost := object.Cost()
	for i := range quotas {
		if matched, _ := object.Matches(&quotas[i]); !matched { // nor with an error
			continue
		}
		status := &quotas[i].Status
		for name, limit := range status.Hard {
			if q := cost[name]; q.Sign() > 0 {
				left := resourcelist.Minus(limit, status.Used[name])
				fit.Replicas = min(fit.Replicas, resourcelist.Quotient(left, q))
				fit.Unbounded = false
			}
		}
	}
	if !fit.Unbounded {
		_, fit.Next = quota.Admit(charged(quotas, object, fit.Replicas), object, opts)
	}
	return fit
}

// charged returns copies of quotas that have admitted n replicas of an object.
func charged(quotas []corev1.ResourceQuota, object quota.Object, n int64) []corev1.ResourceQuota {
	after := make([]corev1.ResourceQuota, len(quotas))
	cost := Times(object.Cost(), n)
	for i := range quotas {
		quotas[i].DeepCopyInto(&after[i])
		if matched, _ := object.Matches(&quotas[i]); !matched { // nor with an error
			continue
		}
		status := &after[i].Status
		charge := arithmetic.RemoveZeros(arithmetic.Mask(cost, arithmetic.ResourceNames(status.Hard)))
		status.Used = arithmetic.Add(status.Used, charge)
	}
	return after
}
