package pool

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/ordering"
)

// Release returns a copy of a claim after its release: without the pool and its decision in the
// status, and without the release annotation. The claim keeps its spec and waits again. In the
// current API, it keeps the condition Ready. The result for nil is nil.
//
// It is the claim as ApplyDecision leaves it in state Released. The pool's status records
// it until Allocation.Apply writes that; as the claim no longer names the pool, the entry does not
// count.
func Release(claim *ResourcePoolClaim, opts Options) *ResourcePoolClaim {
	c := claim.DeepCopy()
	ApplyDecision(c, &ResourcePool{}, Decision{State: Released}, time.Time{}, opts)
	return c
}

// ApplyReleasePolicy removes a release annotation without effect from a claim that is created or
// updated, as Capsule's mutating webhook does: in the current API, from a claim that is not in use,
// which may be edited and deleted anyway; in the documented API, from a claim that holds nothing.
// The status of the claim is the one before the update. A nil claim is ignored.
func ApplyReleasePolicy(claim *ResourcePoolClaim, opts AdmissionOptions) {
	if claim != nil && claim.Released() && !isImmutable(claim, opts) {
		claim.dropRelease()
	}
}

// DeletePool returns the effect of the deletion of a pool on its claims: the names of those that go with
// it, sorted by namespace and name, and those that are kept and lose their pool, as Release returns them, in
// the order of the queue. With deleteBoundResources, claims that hold something of the pool
// (Record) are deleted with it, unless they have the release annotation.
//
// In the current API, waiting claims are always deleted with the pool, because they are owned by
// the pool in their status. Only claims whose status does not name the pool yet are kept.
//
// Claims on other pools and nil claims are ignored. A nil pool has no claims.
func DeletePool(
	p *ResourcePool, claims []*ResourcePoolClaim, opts Options,
) (deleted []types.NamespacedName, kept []*ResourcePoolClaim) {
	record := RecordOf(p)
	for _, c := range claims {
		if !c.ClaimsFrom(p) {
			continue
		}
		_, holding := record.Holds(c)
		goes := p.Spec.Config.DeleteBoundResources && !c.Released()
		if !holding {
			goes = !opts.Documented && c.Status.Pool.Name == p.Name
		}
		if goes {
			deleted = append(deleted, c.Key())
		} else {
			kept = append(kept, Release(c, opts))
		}
	}
	slices.SortFunc(deleted, ordering.Names)
	slices.SortFunc(kept, compareTurns)
	return deleted, kept
}
