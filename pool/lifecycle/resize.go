package lifecycle

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	"github.com/kubemath/kubemath/pool/internal/resize"
)

// RefusedError says that a bound claim cannot have other amounts, and why: what Decision
// would be made on a claim for them.
type RefusedError struct {
	Pool     string
	Decision pool.Decision
}

// Error names the claim, and gives the message of the decision.
func (e *RefusedError) Error() string {
	if len(e.Decision.Obstacles) == 0 {
		return fmt.Sprintf("cannot resize claim %s: it is not bound to resourcepool %s", e.Decision.Claim, e.Pool)
	}
	return fmt.Sprintf("cannot resize claim %s: %s", e.Decision.Claim, e.Decision.Message())
}

// Resize returns the bound claim of a name with other amounts, a copy, if its pool can give
// them; and otherwise a *RefusedError, and nothing has changed. It is all or nothing, over all
// resources. More of a resource is refused where less remains, and, in an ordered queue,
// where an earlier claim waits for it: raising a bound claim is no way around the queue.
// Less of a resource is always given back. The claim stays bound throughout.
//
// Claims are those of the pool, allocated. The message counts as available what the claim
// has already.
//
// Cost: that of pool.Allocate.
func Resize(name types.NamespacedName, to corev1.ResourceList, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (*pool.ResourcePoolClaim, error) {
	i := slices.IndexFunc(claims, func(c *pool.ResourcePoolClaim) bool {
		return c.ClaimsFrom(p) && c.Bound() && c.Namespace == name.Namespace && c.Name == name.Name
	})
	if i < 0 {
		refused := &RefusedError{Decision: pool.Decision{Claim: name}}
		if p != nil {
			refused.Pool = p.Name
		}
		return nil, refused
	}
	a := pool.Allocate(p, claims)
	l := ledger.New(a.Hard)
	claimed, _ := l.Read(a.Claimed, nil, nil)
	l.Take(claimed)
	request := resize.Request{Claim: name, To: to}
	request.Has, _ = l.Read(claims[i].Spec.Claim, nil, nil)
	request.Wants, request.Negative = l.Read(to, nil, nil)
	closed := closedTo(name, p, a)
	d := resize.Decide(request, l, func(w ledger.Want) (resource.Quantity, bool) {
		queued, is := closed[l.Resources[w.Resource].Name]
		return queued, is
	})
	if len(d.Obstacles) > 0 {
		return nil, &RefusedError{Pool: p.Name, Decision: d}
	}
	c := claims[i].DeepCopy()
	c.Spec.Claim = to.DeepCopy()
	return c, nil
}

// closedTo returns the resources for which an earlier claim than the named one waits, and how
// much that asks for; none unless the queue is ordered.
func closedTo(name types.NamespacedName, p *pool.ResourcePool, a *pool.Allocation) map[corev1.ResourceName]resource.Quantity {
	closed := map[corev1.ResourceName]resource.Quantity{}
	if !p.Spec.Config.OrderedQueue {
		return closed
	}
	for _, d := range a.Decisions {
		if d.Claim == name {
			break
		}
		if d.State == pool.PoolExhausted {
			for _, o := range d.Obstacles {
				closed[o.Resource] = o.Requested
			}
		}
	}
	return closed
}
