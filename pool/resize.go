package pool

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
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
	name types.NamespacedName, to corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim,
) (*ResourcePool, *ResourcePoolClaim, error) {
	if p == nil {
		p = &ResourcePool{}
	}
	i, holds := holdingClaim(name, p, claims)
	if i < 0 {
		return nil, nil, fmt.Errorf("cannot resize claim %s: it holds nothing of resourcepool %s", name, p.Name)
	}
	if d := decideResize(i, holds, to, p, claims); d.State != Holding {
		return nil, nil, fmt.Errorf("cannot resize claim %s: %s", name, d.Message())
	}
	c, q := claims[i].DeepCopy(), p.DeepCopy()
	c.Spec.Claim = to.DeepCopy()
	recorded := q.Status.Claims[c.Namespace]
	for j := range recorded {
		if recorded[j].Name == c.Name && sameUID(recorded[j].UID, c.UID) {
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

// decideResize returns the decision on a holding claim that is to have other amounts than it holds: the one that an
// edit of its spec gets in its turn.
func decideResize(i int, holds, to corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim) Decision {
	edited := *claims[i]
	edited.Spec.Claim, edited.Annotations = to, nil
	recording := *p // which may not record a claim of the documented API
	recording.Status.Claims = maps.Clone(p.Status.Claims)
	if recording.Status.Claims == nil {
		recording.Status.Claims = map[string][]RecordedClaim{}
	}
	recording.Status.Claims[edited.Namespace] = append(slices.Clip(p.Status.Claims[edited.Namespace]),
		RecordedClaim{Name: edited.Name, UID: edited.UID, Claims: holds})
	isIt := func(c *ResourcePoolClaim) bool { return c.Key() == edited.Key() }
	others := slices.DeleteFunc(asHeld(p, claims), isIt)
	decisions := Allocate(&recording, append(others, &edited), Options{}).Decisions
	return decisions[slices.IndexFunc(decisions, func(d Decision) bool { return d.Claim == edited.Key() })]
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
