package lifecycle

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
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

// Resize returns a bound claim with other amounts, a copy, if the pool can give them; and
// otherwise a *RefusedError, and nothing has changed. It is all or nothing, over all
// resources. More of a resource is refused where less is left, and, in an ordered queue,
// where an earlier claim waits for it: raising a bound claim is no way around the queue.
// Less of a resource is always given back. The claim stays bound throughout.
//
// Claims are those of the pool, allocated. The message counts as available what the claim
// has already.
//
// Cost: that of pool.Allocate.
func Resize(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, name types.NamespacedName, to corev1.ResourceList) (*pool.ResourcePoolClaim, error) {
	i := slices.IndexFunc(claims, func(c *pool.ResourcePoolClaim) bool {
		return c.ClaimsFrom(p) && c.Bound() && c.Namespace == name.Namespace && c.Name == name.Name
	})
	refused := &RefusedError{Decision: pool.Decision{Claim: name}}
	if p != nil {
		refused.Pool = p.Name
	}
	if i < 0 {
		return nil, refused
	}
	a := pool.Allocate(p, claims)
	closed := map[corev1.ResourceName]resource.Quantity{}
	if p.Spec.Config.OrderedQueue {
		closed = closedTo(a, name)
	}
	l := ledger.New(a.Hard)
	claimed, _ := l.Read(a.Claimed, nil, nil)
	l.Take(claimed)
	has, _ := l.Read(claims[i].Spec.Claim, nil, nil)
	wants, negative := l.Read(to, nil, nil)
	l.Give(has)

	var behind, short []pool.Obstacle
	for _, w := range wants {
		of := l.Resources[w.Resource]
		if j := ledger.Find(has, w.Resource); j >= 0 && !w.Amount.Exceeds(has[j].Amount, of.Scale) {
			continue // no more than it has
		}
		o := pool.Obstacle{Resource: of.Name, Requested: to[of.Name].DeepCopy()}
		if queued, is := closed[of.Name]; is {
			o.Other = queued
			behind = append(behind, o)
		} else if l.Short(w) {
			o.Other = l.Quantity(w.Resource, l.Left[w.Resource])
			short = append(short, o)
		}
	}
	d := &refused.Decision
	switch {
	case len(negative) > 0:
		d.State, d.Obstacles = pool.Invalid, below(l, negative, to)
	case len(behind) > 0:
		d.State, d.Obstacles = pool.QueueExhausted, behind
	case len(short) > 0:
		d.State, d.Obstacles = pool.PoolExhausted, short
	default:
		c := claims[i].DeepCopy()
		c.Spec.Claim = to.DeepCopy()
		return c, nil
	}
	slices.SortFunc(d.Obstacles, func(a, b pool.Obstacle) int { return cmp.Compare(a.Resource, b.Resource) })
	return nil, refused
}

// closedTo returns the resources for which an earlier claim than the named one waits in an
// ordered queue, and how much that asks for.
func closedTo(a *pool.Allocation, name types.NamespacedName) map[corev1.ResourceName]resource.Quantity {
	closed := map[corev1.ResourceName]resource.Quantity{}
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

// below returns the obstacles of amounts below zero.
func below(l *ledger.Ledger, negative []ledger.Want, to corev1.ResourceList) (obstacles []pool.Obstacle) {
	for _, w := range negative {
		name := l.Resources[w.Resource].Name
		obstacles = append(obstacles, pool.Obstacle{Resource: name, Requested: to[name].DeepCopy()})
	}
	return obstacles
}
