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
	q := queueBefore(name, p, claims)
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

// GrowthForAll returns by how much a pool has to grow for all its claims to be bound: what
// they ask for in all, less what there is, of each resource where that is above zero. No
// smaller growth will do. Claims that ask for less than nothing are left out, unless they
// are bound; then they count with what they ask for above zero. Claims to be released count,
// as they wait afterwards. A nil pool has no claims.
//
// Cost: linear in the claims.
func GrowthForAll(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	growth := corev1.ResourceList{}
	if p == nil {
		return growth
	}
	l := ledger.New(p.Spec.Quota.Hard)
	for _, c := range claims {
		if !c.ClaimsFrom(p) {
			continue
		}
		if wants, negative := l.Read(c.Spec.Claim, nil, nil); len(negative) == 0 || c.Bound() {
			l.Take(wants)
		}
	}
	for number, left := range l.Left {
		if left.Sign() < 0 {
			lack := quantity.Amount{}.Minus(left, l.Resources[number].Scale)
			growth[l.Resources[number].Name] = l.Quantity(number, lack)
		}
	}
	return growth
}
