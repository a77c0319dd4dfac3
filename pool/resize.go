package pool

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Resize returns copies of a pool and of its holding claim with new amounts, or an error if the claim is not holding or
// the pool cannot provide them. The spec of the claim has the new amounts, and the status of the pool records them if
// it recorded the claim before.
//
// Either all resources are resized or none. An increase is refused if less than that remains or, in an ordered queue,
// if an earlier claim waits for the resource: a claim cannot pass the queue by being resized. A decrease is always
// granted. The claim keeps holding throughout. In the current API, Allocate evicts a holding claim whose spec was
// edited to amounts that Resize refuses.
//
// Claims are the claims of the pool after an allocation. In the message, the available amounts include what the claim
// holds already.
//
// Cost: that of Allocate.
func Resize(
	name types.NamespacedName, to corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim, o Options,
) (*ResourcePool, *ResourcePoolClaim, error) {
	if p == nil {
		p = &ResourcePool{}
	}
	i, holds := holdingClaim(name, p, claims)
	if i < 0 {
		return nil, nil, fmt.Errorf("cannot resize claim %s: it holds nothing of resourcepool %s", name, p.Name)
	}
	if d := decideResize(name, holds, to, p, claims, o); d.State != Holding {
		return nil, nil, fmt.Errorf("cannot resize claim %s: %s", name, d.Message())
	}
	c, q := claims[i].DeepCopy(), p.DeepCopy()
	c.Spec.Claim = to.DeepCopy()
	recorded := q.Status.Claims[c.Namespace]
	for j := range recorded {
		if recorded[j].Name == c.Name && (recorded[j].UID == "" || c.UID == "" || recorded[j].UID == c.UID) {
			recorded[j].Claims = to.DeepCopy()
		}
	}
	return q, c, nil
}

// holdingClaim returns the index of the holding claim with a name among claims, -1 if there is none, and what it
// holds.
func holdingClaim(name types.NamespacedName, p *ResourcePool, claims []*ResourcePoolClaim) (int, corev1.ResourceList) {
	record := RecordOf(p)
	for i, c := range claims {
		if c.Key() != name {
			continue
		}
		if holds, ok := record.Holds(c); ok {
			return i, holds
		}
	}
	return -1, nil
}

// decideResize returns the decision on a holding claim that is to have other amounts than it holds. An amount that is
// no greater than what the claim holds is never an obstacle.
func decideResize(
	name types.NamespacedName, holds, to corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim, o Options,
) Decision {
	a := Allocate(p, asHeld(p, claims), o)
	l := ledger.New(a.Hard)
	claimed, _ := l.Read(a.Claimed, nil, nil)
	l.Take(claimed)
	has, _ := l.Read(holds, nil, nil)
	wants, negative := l.Read(to, nil, nil)
	closed := closedTo(name, p, a)
	nameOf := func(w ledger.Want) corev1.ResourceName { return l.Resources[w.Resource].Name }
	behind, short := l.Resize(has, wants, func(w ledger.Want) bool {
		_, ok := closed[nameOf(w)]
		return ok
	}, nil, nil)
	d := Decision{Claim: name, State: Holding}
	obstruct := func(state State, w ledger.Want, other resource.Quantity) {
		d.State = state
		d.Obstacles = append(d.Obstacles, Obstacle{nameOf(w), to[nameOf(w)].DeepCopy(), other})
	}
	switch {
	case len(negative) > 0:
		for _, w := range negative {
			obstruct(Invalid, w, resource.Quantity{})
		}
	case len(behind) > 0:
		for _, w := range behind {
			obstruct(QueueExhausted, w, closed[nameOf(w)])
		}
	default:
		for _, w := range short {
			left := l.Left[w.Resource].Plus(ledger.AmountIn(has, w.Resource), l.Resources[w.Resource].Scale)
			obstruct(PoolExhausted, w, l.Quantity(w.Resource, left))
		}
	}
	slices.SortFunc(d.Obstacles, func(a, b Obstacle) int { return cmp.Compare(a.Resource, b.Resource) })
	return d
}

// asHeld returns the claims with specs that request what holding claims hold, so an edit without a
// decision changes nothing.
func asHeld(p *ResourcePool, claims []*ResourcePoolClaim) []*ResourcePoolClaim {
	record := RecordOf(p)
	held := slices.Clone(claims)
	for i, c := range held {
		if holds, ok := record.Holds(c); ok {
			unedited := *c
			unedited.Spec.Claim = holds
			held[i] = &unedited
		}
	}
	return held
}

// closedTo returns the resources for which a claim before the named one waits, and how much that claim
// requests; none unless the queue is ordered.
func closedTo(name types.NamespacedName, p *ResourcePool, a *Allocation) map[corev1.ResourceName]resource.Quantity {
	closed := map[corev1.ResourceName]resource.Quantity{}
	if !p.Spec.Config.OrderedQueue {
		return closed
	}
	for _, d := range a.Decisions {
		if d.Claim == name {
			break
		}
		if d.State == PoolExhausted {
			for _, o := range d.Obstacles {
				closed[o.Resource] = o.Requested
			}
		}
	}
	return closed
}
