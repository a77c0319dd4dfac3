package poolplan

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Growth returns by how much a pool has to grow for a waiting claim to be bound at the next
// pool.Allocate, and whether it has to: a claim that is bound, or will be, or is not the
// pool's, or has a negative amount, needs none and gets false. Only resources that the
// claim wants grow.
//
// Earlier claims that fit into a larger pool are bound first, and take from what was added;
// the answer allows for that, and so may exceed what the claim alone is short of. In an
// ordered queue it includes what earlier claims wait for, of the resources that this one
// wants, and no smaller growth of these will do. Without an order, no smaller growth will do
// if only one resource can run short; otherwise, less of one and more of another may do, too.
// If the iteration does not converge in 100 rounds, Growth returns what binds this claim and
// all earlier ones.
//
// Cost: O(n log n) for n claims, to order them, and linear for each round: one in an ordered
// queue, mostly two or three in any other, and at most 100.
func Growth(name types.NamespacedName, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (corev1.ResourceList, bool) {
	if p == nil {
		return nil, false
	}
	return queueBefore(name, p, claims).toBind(p)
}

// GrowthForResize returns by how much a pool has to grow for a bound claim to be resized to other
// amounts at the next pool.Allocate by the current API, and whether it has to. Only resources
// that the claim gets more of grow. What is said of earlier claims at Growth holds here, too: those
// that wait have their turns first. A claim that is not bound, that is to be released, or that is to
// have a negative amount gets false, like one that can be resized as it is.
//
// Edits of other claims do not count. Cost: as for Growth.
func GrowthForResize(name types.NamespacedName, to corev1.ResourceList, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (corev1.ResourceList, bool) {
	if p == nil {
		return nil, false
	}
	return queueBeforeResize(name, to, p, claims).toBind(p)
}

// toBind returns by how much the pool of a queue has to grow for its claim, and whether it has to.
func (q *queue) toBind(p *pool.ResourcePool) (corev1.ResourceList, bool) {
	if q == nil {
		return nil, false
	}
	var more []ledger.Want
	if p.Spec.Config.OrderedQueue {
		more = q.growthInOrder()
	} else {
		more = q.growth()
	}
	growth := q.NonZero(ledger.Totals{}.Add(q.Ledger, more))
	return growth, len(growth) > 0
}

// GrowthForAll returns by how much a pool has to grow for all claims that wait to be bound: of
// each resource that one of them wants, what they ask for and bound claims hold in all, less what
// there is, where that is above zero. No smaller growth will do. A resource that is overcommitted
// but that no claim waits for does not have to grow.
//
// Claims that ask for a negative amount are left out, unless they are bound; then they count with
// what they hold above zero. Claims to be released count, as they wait afterwards. A nil pool has
// no claims.
//
// Cost: linear in the claims.
func GrowthForAll(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	growth := corev1.ResourceList{}
	if p == nil {
		return growth
	}
	l, record := ledger.New(p.Spec.Quota.Hard), pool.RecordOf(p)
	wanted := map[int]bool{}
	for _, c := range claims {
		if !c.ClaimsFrom(p) {
			continue
		}
		holds, bound := record.Holds(c)
		if bound && !c.Released() {
			wants, _ := l.Read(holds, nil, nil)
			l.Take(wants)
			continue
		}
		wants, negative := l.Read(c.Spec.Claim, nil, nil)
		if len(negative) > 0 {
			continue
		}
		l.Take(wants)
		for _, w := range wants {
			wanted[w.Resource] = true
		}
	}
	for number, left := range l.Left {
		if left.Sign() < 0 && wanted[number] {
			lack := quantity.Amount{}.Minus(left, l.Resources[number].Scale)
			growth[l.Resources[number].Name] = l.Quantity(number, lack)
		}
	}
	return growth
}
