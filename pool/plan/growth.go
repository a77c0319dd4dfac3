package plan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/resourcelist"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Growth returns by how much a pool has to grow for a waiting claim to be bound at the next
// pool.Allocate, and whether any growth gets it there: a claim that is bound, or is not the
// pool's, or asks for less than nothing, needs none and gets false.
//
// Earlier claims that fit into a larger pool are bound first, and take from what was added;
// the answer allows for that, and so may exceed what the claim alone is short of. In an
// ordered queue it includes what earlier claims wait for, of the resources that this one
// wants. If only one resource is short, no smaller growth will do.
//
// Cost: a pool.Allocate for every round; a round lets at least one more earlier claim be
// bound, or is the last but one.
func Growth(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, name types.NamespacedName) (corev1.ResourceList, bool) {
	if p == nil {
		return nil, false
	}
	larger := p.DeepCopy()
	grown := ledger.New(p.Spec.Quota.Hard) // its claimed amounts are the growth
	for {
		a := pool.Allocate(larger, claims)
		i := slices.IndexFunc(a.Decisions, func(d pool.Decision) bool { return d.Claim == name })
		if i < 0 {
			return nil, false
		}
		lacks := corev1.ResourceList{}
		switch a.Decisions[i].State {
		case pool.PoolExhausted:
			lacks = lackOf(a.Decisions[i].Obstacles)
		case pool.QueueExhausted:
			for _, o := range a.Decisions[i].Obstacles {
				lacks[o.Resource] = headLack(a.Decisions[:i], o.Resource)[o.Resource]
			}
		default:
			growth := grown.NonZero(grown.Claimed)
			return growth, len(growth) > 0
		}
		more, _ := grown.Read(lacks, nil, nil)
		grown.Take(more)
		larger.Spec.Quota.Hard = p.Spec.Quota.Hard.DeepCopy()
		if larger.Spec.Quota.Hard == nil {
			larger.Spec.Quota.Hard = corev1.ResourceList{}
		}
		for resource, q := range grown.NonZero(grown.Claimed) {
			sum := larger.Spec.Quota.Hard[resource]
			sum.Add(q)
			larger.Spec.Quota.Hard[resource] = sum
		}
	}
}

// lackOf returns by how much requests exceed what is left.
func lackOf(obstacles []pool.Obstacle) corev1.ResourceList {
	lacks := corev1.ResourceList{}
	for _, o := range obstacles {
		lack := o.Requested.DeepCopy()
		lack.AsDec() // as Sub of the least int64 is wrong
		lack.Sub(o.Other)
		lacks[o.Resource] = lack
	}
	return lacks
}

// headLack returns what the claim is short of that waits for a resource.
func headLack(earlier []pool.Decision, name corev1.ResourceName) corev1.ResourceList {
	for _, d := range earlier {
		if d.State == pool.PoolExhausted {
			if lacks := lackOf(d.Obstacles); slices.Contains(ledger.Names(lacks), name) {
				return lacks
			}
		}
	}
	return nil
}

// GrowthForAll returns by how much a pool has to grow for all its claims to be bound: what
// they ask for in all, less what there is, of each resource where that is above zero. No
// smaller growth will do. Claims that ask for less than nothing are left out, unless they
// are bound; then they count with what they ask for above zero. A nil pool has no claims.
//
// Cost: linear in the claims.
func GrowthForAll(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	growth := corev1.ResourceList{}
	if p == nil {
		return growth
	}
	l := ledger.New(p.Spec.Quota.Hard)
	for _, c := range claims {
		if !c.Of(p) {
			continue
		}
		if wants, negative := l.Read(c.Spec.Claim, nil, nil); len(negative) == 0 || c.Bound() {
			l.Take(wants)
		}
	}
	for number, left := range l.Left {
		if left.Sign() < 0 {
			lack := resourcelist.Amount{}.Minus(left, l.Resources[number].Scale)
			growth[l.Resources[number].Name] = l.Quantity(number, lack)
		}
	}
	return growth
}
