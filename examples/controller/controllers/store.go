package controllers

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/pool"
)

// store writes what differs between two versions of a claim: its status, and the annotation
// that asks for its release. The status comes first: a claim that was interrupted in between
// is not holding, so that the annotation does no harm.
//
// All writes are updates of the version that was read, and fail if there is a newer one. So
// decisions may safely be based on a cache.
func store(ctx context.Context, c client.Client, before, after *pool.ResourcePoolClaim) error {
	_, asked := before.Annotations[pool.ReleaseAnnotation]
	_, asks := after.Annotations[pool.ReleaseAnnotation]
	if len(before.Status.Changes(after.Status)) > 0 {
		if err := c.Status().Update(ctx, after); err != nil {
			return err
		}
	}
	if asked && !asks {
		// The response of the server has the old annotations.
		delete(after.Annotations, pool.ReleaseAnnotation)
		return c.Update(ctx, after)
	}
	return nil
}

// release writes to the status that a claim gives back its resources, and returns the updated
// claim.
func release(ctx context.Context, c client.Client, claim *pool.ResourcePoolClaim) (*pool.ResourcePoolClaim, error) {
	after := pool.Release(claim, pool.Options{})
	return after, store(ctx, c, claim, after)
}
