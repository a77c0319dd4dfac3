package pool

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool/internal/ledger"
	"github.com/kubemath/kubemath/pool/internal/resize"
)

// Resize returns copies of a pool and of its holding claim with new amounts, or an error if the claim is
// not holding or the pool cannot provide them. The spec of the claim has the new amounts, and the status of the
// pool records them if it recorded the claim before.
//
// Either all resources are resized or none. An increase is refused if less than that remains or, in
// an ordered queue, if an earlier claim waits for the resource: a claim cannot pass the queue by
// being resized. A decrease is always granted. The claim keeps holding throughout.
//
// Claims are the claims of the pool after an allocation. In the message, the available amounts
// include what the claim holds already.
//
// Cost: that of Allocate.
func Resize(name types.NamespacedName, to corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim, o Options) (*ResourcePool, *ResourcePoolClaim, error) {
	i, holds := holdingClaim(name, p, claims)
	if i < 0 {
		if p == nil {
			p = &ResourcePool{}
		}
		return nil, nil, resize.Refused(name, p.Name, "")
	}
	if d := decideResize(name, holds, to, p, claims, o); len(d.Obstacles) > 0 {
		return nil, nil, resize.Refused(name, p.Name, d.Message())
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

// Evict returns a copy of a holding claim after a request for new amounts that its pool cannot
// provide: it holds nothing, and waits for the new amounts in its old place in the queue. The
// result is nil if Resize would succeed, or if the claim holds nothing. The message of its decision
// is in the error that Resize returns.
//
// In the current API, Allocate does this for a holding claim whose spec was edited.
//
// Cost: that of Allocate.
func Evict(name types.NamespacedName, to corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim, o Options) *ResourcePoolClaim {
	i, holds := holdingClaim(name, p, claims)
	if i < 0 || len(decideResize(name, holds, to, p, claims, o).Obstacles) == 0 {
		return nil
	}
	c := Release(claims[i], o)
	c.Spec.Pool, c.Spec.Claim = p.Name, to.DeepCopy()
	return c
}

// holdingClaim returns the index of the holding claim with a name among claims, -1 if there is none, and what it
// holds.
func holdingClaim(name types.NamespacedName, p *ResourcePool, claims []*ResourcePoolClaim) (int, corev1.ResourceList) {
	record := RecordOf(p)
	for i, c := range claims {
		if c.Key() != name {
			continue
		}
		if holds, is := record.Holds(c); is {
			return i, holds
		}
	}
	return -1, nil
}

// decideResize returns the decision on a holding claim that is to have other amounts than it holds; one
// without obstacles if it can have them.
func decideResize(name types.NamespacedName, holds, to corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim, o Options) Decision {
	a := Allocate(p, asHeld(p, claims), o)
	l := ledger.New(a.Hard)
	claimed, _ := l.Read(a.Claimed, nil, nil)
	l.Take(claimed)
	request := resize.Request{To: to}
	request.Has, _ = l.Read(holds, nil, nil)
	request.Wants, request.Negative = l.Read(to, nil, nil)
	closed := closedTo(name, p, a)
	state, obstacles := resize.Decide[Obstacle](request, l, func(w ledger.Want) (resource.Quantity, bool) {
		queued, is := closed[l.Resources[w.Resource].Name]
		return queued, is
	})
	return Decision{Claim: name, State: State(state), Obstacles: obstacles}
}

// asHeld returns the claims with specs that request what holding claims hold, so an edit without a
// decision changes nothing.
func asHeld(p *ResourcePool, claims []*ResourcePoolClaim) []*ResourcePoolClaim {
	record := RecordOf(p)
	held := slices.Clone(claims)
	for i, c := range held {
		if holds, is := record.Holds(c); is {
			asks := *c
			asks.Spec.Claim = holds
			held[i] = &asks
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
