package quota

import (
	"math"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ReplicaFit is how many more replicas of an object quotas admit.
type ReplicaFit struct {
	// Replicas is the number of replicas that are admitted, one after the other. It is
	// math.MaxInt64 if there are more, or if Unbounded is set.
	Replicas int64 `json:"replicas"`
	// Unbounded reports that no quota limits their number.
	Unbounded bool `json:"unbounded,omitempty"`
	// Next has the failures of Admit for one more replica. Failure.Shortfall returns by how
	// much the quota would have to grow. It is empty if Replicas is math.MaxInt64.
	Next computeresources.Problems[*Failure] `json:"next,omitempty"`
	// Unenforced are limits that the API server ignores, and so does Replicas: see Assessment.
	Unenforced computeresources.Problems[*Failure] `json:"unenforced,omitempty"`
}

// Replicas returns how many more replicas of an object quotas admit, and what stops the next one: n
// replicas are admitted, one after the other, if and only if n ≤ Replicas. Nil quotas are ignored.
//
// As for the API server, only limits in the status of a quota count. If status.used lacks one of
// them, Replicas is 0, and Next has a failure with the cause StatusUnknown. Limits that only
// the spec has are in Unenforced. To plan for quotas that are still manifests, set their statuses
// first: CalculateUsage returns that of a quota without objects.
//
// Cost: that of two admissions, and a division for each resource of each quota; it does
// not depend on the number of replicas.
func Replicas(object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) ReplicaFit {
	first := Admit(Object{}, object, quotas, opts)
	if len(first.Failures) > 0 {
		return ReplicaFit{Next: first.Failures, Unenforced: first.Unenforced}
	}
	fit := ReplicaFit{Replicas: math.MaxInt64, Unbounded: true, Unenforced: first.Unenforced}
	if opts.Subresource != "" {
		return fit
	}
	for _, increase := range first.Increases {
		status := &quotas[increase.Index].Status
		for name, q := range increase.Usage {
			remaining := quantity.Minus(status.Hard[name], status.Used[name])
			fit.Replicas = min(fit.Replicas, quantity.Quotient(remaining, q))
			fit.Unbounded = false
		}
	}
	if !fit.Unbounded {
		fit.Next = Admit(Object{}, object, first.After(quotas, fit.Replicas), opts).Failures
	}
	return fit
}
