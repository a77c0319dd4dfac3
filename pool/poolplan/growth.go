package poolplan

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Growth returns by how much a pool has to grow for a waiting claim to be granted by the next
// pool.Allocate, and reports whether it has to grow. It reports false for a claim that holds its resources or
// will be, that is on another pool, or that has a negative amount. Only resources that the claim
// requests grow. With a zero name, it is the growth for all waiting claims to be granted.
//
// Earlier claims that fit into the larger pool are granted first and use some of the growth. The result includes this,
// so it may exceed what the claim itself is short of. In an ordered queue, it includes what earlier claims wait for, of
// the resources that this claim requests, and it is the smallest growth. With an unordered queue, the result is
// minimal for a single scarce resource. With several, another combination may be smaller. If 100 rounds are not enough
// to find it, the result grants this claim and all earlier ones.
//
// Cost: O(n log n) for n claims, to order them, and linear for each round: one in an ordered
// queue, mostly two or three in any other, and at most 100.
func Growth(
	name types.NamespacedName, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim,
) (corev1.ResourceList, bool) {
	if p == nil {
		return nil, false
	}
	if name == (types.NamespacedName{}) {
		growth := growthForAll(p, claims)
		return growth, len(growth) > 0
	}
	q := queueBefore(name, p, claims)
	if q == nil {
		return nil, false
	}
	grow := q.growth
	if p.Spec.Config.OrderedQueue {
		grow = q.growthInOrder
	}
	growth := q.NonZero(ledger.Totals{}.Add(q.Ledger, grow()))
	return growth, len(growth) > 0
}

// growthForAll returns by how much a pool has to grow for all waiting claims to be granted: for each resource that one
// of them requests, the sum of their requests and of what holding claims hold, minus the capacity. It is the smallest
// growth. An overcommitted resource that no waiting claim requests does not have to grow.
//
// Waiting claims with a negative amount are ignored. Claims with the release annotation count as waiting, because they
// wait afterwards.
func growthForAll(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	growth := corev1.ResourceList{}
	l, record := ledger.New(p.Spec.Quota.Hard), pool.RecordOf(p)
	wanted := map[int]bool{}
	for _, c := range claims {
		if !c.ClaimsFrom(p) {
			continue
		}
		holds, holding := record.Holds(c)
		if holding && !c.Released() {
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
