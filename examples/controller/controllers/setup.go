// Package controllers keeps ResourcePools: three reconcilers around one book.
//
//   - Claims: one claim at a time is given a pool and taken into the book, and learns from
//     its status what the book says
//   - Quotas: one ResourceQuota at a time is made what the book says its namespace has
//   - Pools: a pool is opened in the book, changed or closed, and its status written
//
// What happens to one claim changes what others have. The book says for whom, and notices
// bring these to the reconciler that they concern. So an event costs by what it changes,
// however many claims wait; only the status of a pool, which lists all that is bound, costs
// more the longer it is, and is written once for many changes that come together.
package controllers

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

// Setup adds the controllers to a manager.
func Setup(ctx context.Context, mgr manager.Manager) error {
	if err := mgr.GetFieldIndexer().IndexField(ctx, &pool.ResourcePoolClaim{}, poolIndex, indexByPool); err != nil {
		return err
	}
	c, kept, notices := mgr.GetClient(), book.New(), newNotices()
	// Statuses change often, and nobody but these controllers writes them.
	specs := builder.WithPredicates(predicate.GenerationChangedPredicate{})

	err := builder.ControllerManagedBy(mgr).Named("claims").
		For(&pool.ResourcePoolClaim{}).
		Watches(&pool.ResourcePool{}, handler.EnqueueRequestsFromMapFunc(claimsOf(c)), specs).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(claimsIn(c))).
		WatchesRawSource(listen(notices.claims)).
		Complete(retry(&Claims{Client: c, Book: kept, Notify: notices.send, Now: time.Now}))
	if err != nil {
		return err
	}
	err = builder.ControllerManagedBy(mgr).Named("pools").
		For(&pool.ResourcePool{}, specs).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(allPools(c))).
		WatchesRawSource(listen(notices.pools)).
		Complete(retry(&Pools{Client: c, Book: kept, Notify: notices.send}))
	if err != nil {
		return err
	}
	return builder.ControllerManagedBy(mgr).Named("quotas").
		Watches(&corev1.ResourceQuota{}, handler.EnqueueRequestsFromMapFunc(poolOf)).
		WatchesRawSource(listen(notices.quotas)).
		Complete(retry(&Quotas{Client: c, Book: kept}))
}

// claimsOf finds the claims that a pool is for, or may be.
func claimsOf(c client.Reader) handler.MapFunc {
	return func(ctx context.Context, p client.Object) []reconcile.Request {
		return append(claimRequests(ctx, c, client.MatchingFields{poolIndex: p.GetName()}),
			claimRequests(ctx, c, client.MatchingFields{poolIndex: ""})...)
	}
}

func claimsIn(c client.Reader) handler.MapFunc {
	return func(ctx context.Context, namespace client.Object) []reconcile.Request {
		return claimRequests(ctx, c, client.InNamespace(namespace.GetName()))
	}
}

// claimRequests reads from the cache, which does not fail once it is there.
func claimRequests(ctx context.Context, c client.Reader, opts ...client.ListOption) []reconcile.Request {
	claims, _ := listClaims(ctx, c, opts...)
	requests := make([]reconcile.Request, len(claims))
	for i, claim := range claims {
		requests[i].NamespacedName = book.NameOf(claim)
	}
	return requests
}

func allPools(c client.Reader) handler.MapFunc {
	return func(ctx context.Context, _ client.Object) []reconcile.Request {
		pools, _ := listPools(ctx, c)
		requests := make([]reconcile.Request, len(pools))
		for i, p := range pools {
			requests[i].Name = p.Name
		}
		return requests
	}
}

// poolOf finds the pool that a quota is of.
func poolOf(_ context.Context, quota client.Object) []reconcile.Request {
	name := ownerOf(quota)
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: quota.GetNamespace(), Name: name}}}
}
