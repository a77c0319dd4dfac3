package controllers

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/pool"
)

// store writes what differs between two versions of a claim: its status, and the annotation
// that asks for its release. A claim that is interrupted in between is not holding, so that the annotation does no harm: the
// status comes first if the claim holds nothing afterwards, and last otherwise.
//
// All writes are updates of the version that was read, and fail if there is a newer one. So
// decisions may safely be based on a cache.
func store(ctx context.Context, c client.Client, before, after *pool.ResourcePoolClaim) error {
	_, asked := before.Annotations[pool.ReleaseAnnotation]
	_, asks := after.Annotations[pool.ReleaseAnnotation]
	if asked && !asks && after.Holding() {
		if err := dropRelease(ctx, c, after); err != nil {
			return err
		}
		asked = false
	}
	if len(before.Status.Changes(after.Status)) > 0 {
		if err := c.Status().Update(ctx, after); err != nil {
			return err
		}
	}
	if asked && !asks {
		return dropRelease(ctx, c, after)
	}
	return nil
}

// dropRelease removes the annotation that asks for a release from a stored claim, and gives the claim its new version.
func dropRelease(ctx context.Context, c client.Client, claim *pool.ResourcePoolClaim) error {
	stored := claim.DeepCopy()
	delete(stored.Annotations, pool.ReleaseAnnotation) // The response of the server to a write of the status has it.
	if err := c.Update(ctx, stored); err != nil {
		return err
	}
	delete(claim.Annotations, pool.ReleaseAnnotation)
	claim.ResourceVersion = stored.ResourceVersion
	return nil
}

// release writes to the status that a claim gives back its resources, and returns the updated
// claim.
func release(ctx context.Context, c client.Client, claim *pool.ResourcePoolClaim) (*pool.ResourcePoolClaim, error) {
	after := pool.Release(claim, pool.Options{})
	return after, store(ctx, c, claim, after)
}
