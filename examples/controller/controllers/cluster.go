package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/pool"
)

// poolIndex finds the claims of a pool by its name: those whose spec names it, and those whose
// status does. Claims without a pool are under "".
const poolIndex = "pool"

// index makes the cache of a manager keep the index.
func index(mgr manager.Manager) error {
	return mgr.GetFieldIndexer().IndexField(context.Background(), &pool.ResourcePoolClaim{}, poolIndex, indexByPool)
}

func indexByPool(object client.Object) []string {
	claim := object.(*pool.ResourcePoolClaim)
	names := []string{claim.Spec.Pool}
	if assigned := claim.Status.Pool.Name; assigned != "" && assigned != claim.Spec.Pool {
		names = append(names, assigned)
	}
	return names
}

// asCached makes List return the objects of the cache without copying them. Kubemath only reads its
// arguments, so there is no need to copy a million claims.
const asCached = client.UnsafeDisableDeepCopy

func listPools(ctx context.Context, c client.Reader) ([]*pool.ResourcePool, error) {
	var list pool.ResourcePoolList
	err := c.List(ctx, &list, asCached)
	return computeresources.Pointers(list.Items), err
}

func listClaims(ctx context.Context, c client.Reader, opts ...client.ListOption) ([]*pool.ResourcePoolClaim, error) {
	var list pool.ResourcePoolClaimList
	err := c.List(ctx, &list, append(opts, asCached)...)
	return computeresources.Pointers(list.Items), err
}

func listNamespaces(ctx context.Context, c client.Reader) ([]*corev1.Namespace, error) {
	var list corev1.NamespaceList
	if err := c.List(ctx, &list, asCached); err != nil {
		return nil, err
	}
	return computeresources.Pointers(list.Items), nil
}

// namespaceOf returns a namespace, or nil if it does not exist.
func namespaceOf(ctx context.Context, c client.Reader, name string) (*corev1.Namespace, error) {
	namespace := &corev1.Namespace{}
	if err := c.Get(ctx, types.NamespacedName{Name: name}, namespace); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return namespace, nil
}
