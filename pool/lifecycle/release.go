package lifecycle

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

// Release returns a claim as it is once it has given back what it had: a copy without a
// pool and a condition in its status, and without the annotation that asks for it. It
// keeps its spec, and waits again. Of nil it is nil.
func Release(claim *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	c := claim.DeepCopy()
	if c != nil {
		c.Status = pool.ResourcePoolClaimStatus{}
		delete(c.Annotations, pool.ReleaseAnnotation)
	}
	return c
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
// without a pool in their status. With deleteBoundResources, those that are bound go with
// the pool, unless they were just to be released. Claims of other pools, and nil ones, are
// ignored; a nil pool has none.
func DeletePool(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) PoolDeletion {
	var d PoolDeletion
	for _, c := range claims {
		switch {
		case !c.ClaimsFrom(p):
		case p.Spec.Config.DeleteBoundResources && c.Bound() && !c.Released():
			d.Deleted = append(d.Deleted, types.NamespacedName{Namespace: c.Namespace, Name: c.Name})
		default:
			d.Kept = append(d.Kept, Release(c))
		}
	}
	slices.SortFunc(d.Deleted, byName)
	slices.SortFunc(d.Kept, pool.Compare)
	return d
}
