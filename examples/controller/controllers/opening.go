package controllers

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/pool"
)

// cacheDelay is how long to wait for a stale cache.
const cacheDelay = 100 * time.Millisecond

// open opens a pool in the book, if it is not open, and takes in its newest version otherwise. It
// reports whether the pool is open.
//
// The record of the pool is read from the API server. No claim that it names may be missed because
// the cache does not yet have its assignment to the pool: the pool is not opened while there is
// such a claim. A cache that lacks other claims, or still has deleted ones, does no harm, because
// their events are handled like all others when they arrive.
func (r *ResourcePoolReconciler) open(ctx context.Context, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, namespaces []*corev1.Namespace) (bool, error) {
	if r.Book.IsOpen(p) {
		r.Book.SetPool(p)
		return true, nil
	}
	live := &pool.ResourcePool{}
	if err := r.Reader.Get(ctx, client.ObjectKeyFromObject(p), live); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	if live.UID != p.UID || live.DeletionTimestamp != nil {
		return false, nil
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
// those given.
func (r *ResourcePoolReconciler) behind(ctx context.Context, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (bool, error) {
	record, given := pool.RecordOf(p), make(map[client.ObjectKey]bool, len(claims))
	for _, claim := range claims {
		_, holds := record.Holds(claim)
		given[claim.Key()] = holds
	}
	for namespace, recorded := range p.Status.Claims {
		for _, entry := range recorded {
			name := client.ObjectKey{Namespace: namespace, Name: entry.Name}
			if given[name] {
				continue
			}
			claim := &pool.ResourcePoolClaim{}
			err := r.Reader.Get(ctx, name, claim)
			if client.IgnoreNotFound(err) != nil {
				return false, err
			}
			if _, holds := record.Holds(claim); err == nil && holds && claim.DeletionTimestamp == nil {
				return true, nil
			}
		}
	}
	return false, nil
}
