package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/examples/controller/rbac"
)

// install writes to the cluster what the controller needs, and waits until the custom resources are
// served: their definitions, the service account, and its permissions. Objects of these names that
// something else has installed are an error, and are left alone.
func install(ctx context.Context, c client.Client) error {
	for _, text := range []string{capsule.Definitions, rbac.Manifests} {
		if err := manifests.ApplyOwned(ctx, c, text); err != nil {
			return err
		}
	}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		pools, claims := c.List(ctx, &capsule.ResourcePoolList{}), c.List(ctx, &capsule.ResourcePoolClaimList{})
		return pools == nil && claims == nil, nil
	})
}
