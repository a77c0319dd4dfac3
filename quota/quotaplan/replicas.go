package quotaplan

import (
	"math"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota"
)

// ReplicaFit says how many replicas of an object quotas still admit.
type ReplicaFit struct {
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
func Replicas(quotas []corev1.ResourceQuota, object quota.Object, opts quota.AdmitOptions) ReplicaFit {
	c := charge{object.Usage(), concerned(quotas, object)}
	return c.replicas(quotas, object, opts)
}

// charge is what one object costs, and the indices of the quotas that it is charged to,
// whatever is used of them.
type charge struct {
	cost   corev1.ResourceList
	quotas []int
}

// concerned returns the indices of the quotas that an object is charged to.
func concerned(quotas []corev1.ResourceQuota, object quota.Object) (indices []int) {
	for i := range quotas {
		if matched, err := object.Matches(&quotas[i]); matched && err == nil {
			indices = append(indices, i)
		}
	}
	return indices
}

// replicas returns what Replicas does. The charge is that of the object.
func (c charge) replicas(quotas []corev1.ResourceQuota, object quota.Object, opts quota.AdmitOptions) ReplicaFit {
	if _, failures := quota.Admit(quotas, object, opts); len(failures) > 0 {
		return ReplicaFit{Next: failures}
	}
	fit := ReplicaFit{Replicas: math.MaxInt64, Unbounded: true}
	if opts.Subresource != "" {
		return fit
	}
	for _, i := range c.quotas {
		status := &quotas[i].Status
		for name, limit := range status.Hard {
			if q := c.cost[name]; q.Sign() > 0 {
				left := quantity.Minus(limit, status.Used[name])
				fit.Replicas = min(fit.Replicas, quantity.Quotient(left, q))
				fit.Unbounded = false
			}
		}
	}
	if !fit.Unbounded {
		after := copies(quotas)
		c.add(after, fit.Replicas)
		_, fit.Next = quota.Admit(after, object, opts)
	}
	return fit
}

// add adds n replicas to the usage of the quotas.
func (c charge) add(quotas []corev1.ResourceQuota, n int64) {
	all := resourcelist.Multiply(c.cost, n)
	for _, i := range c.quotas {
		status := &quotas[i].Status
		limited := resourcelist.RemoveZeros(resourcelist.Mask(all, resourcelist.ResourceNames(status.Hard)))
		status.Used = resourcelist.Add(status.Used, limited)
	}
}

// copies returns copies of quotas that share nothing with them.
func copies(quotas []corev1.ResourceQuota) []corev1.ResourceQuota {
	list := make([]corev1.ResourceQuota, len(quotas))
	for i := range quotas {
		quotas[i].DeepCopyInto(&list[i])
	}
	return list
}
