package pooltest

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// The answers of package pool to changes, by their definitions. No function of the package is called.

// Immutable reports whether a claim must keep its spec, and must not be deleted.
func Immutable(c *pool.ResourcePoolClaim, o pool.AdmissionOptions) bool {
	holding := isHolding(c) || has(c, "Exhausted", "False")
	if o.Documented {
		return holding
	}
	if o.InUse != nil {
		return *o.InUse && holding
	}
	return has(c, "Bound", "True")
}

func has(c *pool.ResourcePoolClaim, condition string, status metav1.ConditionStatus) bool {
	for _, is := range c.Status.Conditions {
		if is.Type == condition && is.Status == status && c.Status.Pool.Name != "" {
			return true
		}
	}
	return false
}

// RefusedClaim returns the fields of a claim that an update must not change.
func RefusedClaim(from, to *pool.ResourcePoolClaim, o pool.AdmissionOptions) (fields []string) {
	if !Immutable(from, o) {
		return nil
	}
	if !equal(from.Spec.Claim, to.Spec.Claim) {
		fields = append(fields, "spec.claim")
	}
	if from.Spec.Pool != to.Spec.Pool {
		fields = append(fields, "spec.pool")
	}
	return fields
}

// RefusedPool returns the resources of which an update of a pool leaves less than is claimed.
func RefusedPool(from, to *pool.ResourcePool) (fields []string) {
	if equal(from.Spec.Quota.Hard, to.Spec.Quota.Hard) {
		return nil
	}
	for name, claimed := range from.Status.Allocation.Claimed {
		hard, offered := to.Spec.Quota.Hard[name]
		if !offered && claimed.Sign() != 0 || testkit.Exact(claimed).Cmp(testkit.Exact(hard)) > 0 {
			fields = append(fields, "spec.quota.hard["+string(name)+"]")
		}
	}
	slices.Sort(fields)
	return fields
}

func equal(a, b corev1.ResourceList) bool {
	for name, q := range a {
		if other, is := b[name]; !is || testkit.Exact(q).Cmp(testkit.Exact(other)) != 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// Selects reports whether a pool selects a namespace.
func Selects(p *pool.ResourcePool, ns *corev1.Namespace) bool {
	if p.DeletionTimestamp != nil || ns.DeletionTimestamp != nil || ns.Status.Phase == "Terminating" {
		return false
	}
	return slices.ContainsFunc(p.Spec.Selectors, func(s metav1.LabelSelector) bool {
		matches := len(s.MatchLabels)+len(s.MatchExpressions) > 0
		for key, value := range s.MatchLabels {
			is, set := ns.Labels[key]
			matches = matches && set && is == value
		}
		for _, e := range s.MatchExpressions {
			is, set := ns.Labels[e.Key]
			in := set && slices.Contains(e.Values, is)
			answer, known := map[metav1.LabelSelectorOperator]bool{"In": in, "NotIn": !in, "Exists": set, "DoesNotExist": !set}[e.Operator]
			matches = matches && known && answer
		}
		return matches
	})
}

// Assign returns the pool of a claim, or a word of the error.
func Assign(c *pool.ResourcePoolClaim, ns *corev1.Namespace, pools []*pool.ResourcePool) string {
	var suitable []*pool.ResourcePool
	for _, p := range pools {
		suits := Selects(p, ns)
		for name := range c.Spec.Claim {
			_, offers := p.Spec.Quota.Hard[name]
			suits = suits && offers
		}
		stays := stays(c) && !isReleased(c)
		switch {
		case stays && namesPool(c, p) && Selects(p, ns), !stays && c.Spec.Pool == p.Name && suits:
			return p.Name
		case stays && namesPool(c, p), !stays && c.Spec.Pool == p.Name && !Selects(p, ns):
			return "resourcepool not available"
		case !stays && c.Spec.Pool == p.Name:
			return "is not available in pool"
		case !stays && c.Spec.Pool == "" && suits:
			suitable = append(suitable, p)
		}
	}
	if stays(c) && !isReleased(c) || c.Spec.Pool != "" {
		return "not found"
	}
	if len(suitable) == 0 {
		return "no pool reference was defined"
	}
	full := func(p *pool.ResourcePool) int {
		for name, amount := range positive(c.Spec.Claim) {
			left := new(big.Rat).Sub(testkit.Exact(p.Spec.Quota.Hard[name]), testkit.Exact(p.Status.Allocation.Claimed[name]))
			if amount.Cmp(left) > 0 {
				return 1
			}
		}
		return 0
	}
	slices.SortFunc(suitable, func(a, b *pool.ResourcePool) int { return cmp.Or(full(a)-full(b), strings.Compare(a.Name, b.Name)) })
	return suitable[0].Name
}

// DeletePool returns what becomes of each claim of a pool that is deleted: whether it goes, too.
func DeletePool(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) map[types.NamespacedName]bool {
	goes := map[types.NamespacedName]bool{}
	for _, c := range claims {
		switch {
		case !claimsFrom(c, p):
		case heldBy(p, c) != nil:
			goes[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}] = p.Spec.Config.DeleteBoundResources && !isReleased(c)
		default:
			goes[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}] = !o.Documented && c.Status.Pool.Name == p.Name
		}
	}
	return goes
}
