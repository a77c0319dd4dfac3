package lifecycle

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

// Release returns a claim as it is once it has given back what it had: a copy without a
// pool and what that has written in its status, and without the annotation that asks for it. It
// keeps its spec, and waits again. By the current API, the condition Ready stays, too. Of nil
// it is nil.
//
// It is the claim as pool.ApplyDecision leaves it in state Released. The pool's status records
// it until Allocation.Apply writes that; as the claim does not name the pool any more, the entry
// does not count.
func Release(claim *pool.ResourcePoolClaim, o pool.Options) *pool.ResourcePoolClaim {
	c := claim.DeepCopy()
	pool.ApplyDecision(c, &pool.ResourcePool{}, pool.Decision{State: pool.Released}, time.Time{}, o)
	return c
}

// ApplyReleasePolicy takes from a claim that is created or updated a release annotation that asks
// for nothing, as Capsule's mutating webhook does: by the current API, that of a claim which is
// not in use, as it may be edited and deleted anyway; by the documented API, that of a claim which
// is not bound. The status of the claim is that before the update. A nil claim is left alone.
func ApplyReleasePolicy(claim *pool.ResourcePoolClaim, o AdmissionOptions) {
	if claim != nil && claim.Released() && !heldFast(claim, o) {
		delete(claim.Annotations, pool.ReleaseAnnotation)
	}
}

// PoolDeletion is what becomes of the claims of a pool that is deleted.
type PoolDeletion struct {
	// Deleted are the claims that go with the pool, sorted by namespace and name.
	Deleted []types.NamespacedName
	// Kept are the claims that lose their pool: as Release returns them, in the order of
	// pool.Compare.
	Kept []*pool.ResourcePoolClaim
}

// DeletePool returns what becomes of the claims of a pool that is deleted. Claims are kept,
// without a pool in their status. With deleteBoundResources, those that hold something of the
// pool (pool.Record) go with it, unless they were just to be released.
//
// By the current API, those that wait go with it in any case, as they are owned by the pool that
// their status names, and nothing takes the owner from them. Only those whose status does not name
// it yet are kept.
//
// Claims of other pools, and nil ones, are ignored; a nil pool has none.
func DeletePool(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) PoolDeletion {
	var d PoolDeletion
	record := pool.RecordOf(p)
	for _, c := range claims {
		if !c.ClaimsFrom(p) {
			continue
		}
		_, bound := record.Holds(c)
		goes := p.Spec.Config.DeleteBoundResources && !c.Released()
		if !bound {
			goes = o.API == pool.Current && c.Status.Pool.Name == p.Name
		}
		if goes {
			d.Deleted = append(d.Deleted, c.Key())
		} else {
			d.Kept = append(d.Kept, Release(c, o))
		}
	}
	slices.SortFunc(d.Deleted, byName)
	slices.SortFunc(d.Kept, pool.Compare)
	return d
}
