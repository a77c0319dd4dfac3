package pool

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Record answers what claims hold by the status of a pool, which it indexes for many lookups. RecordOf returns one. It
// refers to the status, which must not change while the record is in use. It is opaque: it computes, and is no answer.
type Record struct {
	pool   *ResourcePool
	claims map[types.NamespacedName][]*RecordedClaim // one, unless a claim was deleted and created again
}

// RecordOf returns the record of a pool. The record of a nil pool is empty.
//
// Cost: linear in the recorded claims.
func RecordOf(p *ResourcePool) *Record {
	r := &Record{pool: p}
	if p == nil || len(p.Status.Claims) == 0 {
		return r
	}
	n := 0
	for _, claims := range p.Status.Claims {
		n += len(claims)
	}
	r.claims = make(map[types.NamespacedName][]*RecordedClaim, n)
	for namespace, claims := range p.Status.Claims {
		for i := range claims {
			name := types.NamespacedName{Namespace: namespace, Name: claims[i].Name}
			r.claims[name] = append(r.claims[name], &claims[i])
		}
	}
	return r
}

// Holds returns what a claim holds of the pool, and reports whether it holds anything, even
// zeros or an empty list.
//
// A claim holds what the status of the pool records for it, even if its spec has changed since,
// provided that the status of the claim names the pool. Without a record, a claim holds what is in
// its spec if its status has the documented condition Bound. Otherwise it holds nothing: the
// current conditions are not sufficient, because they are written before the record.
//
// Names and UIDs have to be equal; an empty UID equals any. A claim on another pool
// (ResourcePoolClaim.ClaimsFrom) or a nil claim holds nothing.
func (r *Record) Holds(c *ResourcePoolClaim) (corev1.ResourceList, bool) {
	if r == nil {
		r = &Record{}
	}
	if !c.ClaimsFrom(r.pool) {
		return nil, false
	}
	holds, holding := r.holds(c)
	return holds.DeepCopy(), holding
}

// holds is Holds for a claim of the pool. The list is the record's, or the claim's own.
func (r *Record) holds(c *ResourcePoolClaim) (corev1.ResourceList, bool) {
	if len(r.claims) > 0 && c.refersTo(r.pool) {
		for _, recorded := range r.claims[c.Key()] {
			if sameUID(recorded.UID, c.UID) {
				return recorded.Claims, true
			}
		}
	}
	if c.holdsAsDocumented() {
		return c.Spec.Claim, true
	}
	return nil, false
}

// sameUID reports whether two UIDs may be those of one object.
func sameUID(a, b types.UID) bool { return a == "" || b == "" || a == b }
