package controllers

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// claimsOf finds the claims that a pool serves, or may serve.
func claimsOf(c client.Reader) handler.MapFunc {
	return func(ctx context.Context, p client.Object) []reconcile.Request {
		return append(claimRequests(ctx, c, client.MatchingFields{poolIndex: p.GetName()}),
			claimRequests(ctx, c, client.MatchingFields{poolIndex: ""})...)
	}
}

// claimsIn finds the claims of a namespace.
func claimsIn(c client.Reader) handler.MapFunc {
	return func(ctx context.Context, namespace client.Object) []reconcile.Request {
		return claimRequests(ctx, c, client.InNamespace(namespace.GetName()))
	}
}

// claimRequests reads from the cache, which does not fail once it is synced.
func claimRequests(ctx context.Context, c client.Reader, opts ...client.ListOption) []reconcile.Request {
	claims, _ := listClaims(ctx, c, opts...)
	requests := make([]reconcile.Request, len(claims))
	for i, claim := range claims {
		requests[i].NamespacedName = claim.Key()
	}
	return requests
}

// allPools finds all pools.
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
