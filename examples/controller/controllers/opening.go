package controllers

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/pool"
)

// cacheDelay is how long to wait for a stale cache.
const cacheDelay = 100 * time.Millisecond

// open opens a pool in the book, if it is not open, and takes in its newest version otherwise. It
// reports whether the pool is open.
//
// The record of the pool is read from the API server, and the claims are listed after that, as reading may take long. No claim
// that the record names may be missed, or taken for what it was before it was recorded, because
// the cache does not yet have its assignment to the pool or its last edit: the pool is not opened while there is
// such a claim. A cache that lacks other claims, or still has deleted ones, does no harm, because
// their events are handled like all others when they arrive.
func (r *ResourcePoolReconciler) open(ctx context.Context, p *pool.ResourcePool, namespaces []*corev1.Namespace) (bool, error) {
	if r.Book.SetPool(p) {
		return true, nil
	}
	live := &pool.ResourcePool{}
	if err := r.Reader.Get(ctx, client.ObjectKeyFromObject(p), live); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	if live.UID != p.UID || live.DeletionTimestamp != nil {
		return false, nil
	}
	claims, err := listClaims(ctx, r.Client, client.MatchingFields{poolIndex: p.Name})
	if err != nil {
		return false, err
	}
	admitted := claimants(live, claims, namespaces)
	if behind, err := r.behind(ctx, live, admitted); err != nil || behind {
		return false, err
	}
	r.Notify(toRecord(r.Book.Open(live, admitted)))
	poolOpenings.Inc()
	return true, nil
}

// claimants returns the claims that are assigned to a pool, and may claim from it or hold some of
// it: a holding claim keeps holding until its reconciler has processed it.
func claimants(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, namespaces []*corev1.Namespace) []*pool.ResourcePoolClaim {
	selected := make(map[string]bool, len(namespaces))
	for _, name := range pool.Namespaces(p, namespaces) {
		selected[name] = true
	}
	record := pool.RecordOf(p)
	var admitted []*pool.ResourcePoolClaim
	for _, claim := range claims {
		if claim.DeletionTimestamp != nil || !assignedTo(claim, p) || !claim.ClaimsFrom(p) {
			continue
		}
		if _, holds := record.Holds(claim); holds || selected[claim.Namespace] {
			admitted = append(admitted, claim)
		}
	}
	return admitted
}

// behind reports whether a pool records something for a claim that is assigned to it, but not among
// those given, or given in an older version. A claim that asks for what is recorded needs no look.
func (r *ResourcePoolReconciler) behind(ctx context.Context, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (bool, error) {
	record, given := pool.RecordOf(p), make(map[client.ObjectKey]*pool.ResourcePoolClaim, len(claims))
	for _, claim := range claims {
		given[claim.Key()] = claim
	}
	for namespace, recorded := range p.Status.Claims {
		for _, entry := range recorded {
			name := client.ObjectKey{Namespace: namespace, Name: entry.Name}
			cached := given[name]
			if has, holds := record.Holds(cached); holds && equality.Semantic.DeepEqual(has, cached.Spec.Claim) {
				continue
			}
			claim := &pool.ResourcePoolClaim{}
			err := r.Reader.Get(ctx, name, claim)
			if client.IgnoreNotFound(err) != nil {
				return false, err
			}
			if _, holds := record.Holds(claim); err != nil || !holds || claim.DeletionTimestamp != nil {
				continue
			}
			if cached == nil || cached.UID != claim.UID || cached.Generation != claim.Generation {
				return true, nil
			}
		}
	}
	return false, nil
}
