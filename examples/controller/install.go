package main

import (
	"context"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/controllers"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/examples/controller/rbac"
	"github.com/kubemath/kubemath/examples/controller/webhooks"
	"github.com/kubemath/kubemath/pool"
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
		pools, claims := c.List(ctx, &pool.ResourcePoolList{}), c.List(ctx, &pool.ResourcePoolClaimList{})
		return pools == nil && claims == nil, nil
	})
}

// uninstall removes what would refuse or hold up writes when no controller runs any more: the webhooks that this controller has
// installed, with their certificates, and the finalizers of pools. It is for when all controllers have ended. Pools, claims and quotas stay as they
// are, and so do the custom resources and the roles.
func uninstall(ctx context.Context, c client.Client) error {
	ours := client.MatchingLabels{manifests.OwnerLabel: manifests.Owner}
	for _, kind := range []client.Object{&admissionregistrationv1.MutatingWebhookConfiguration{}, &admissionregistrationv1.ValidatingWebhookConfiguration{}} {
		if err := c.DeleteAllOf(ctx, kind, ours); err != nil {
			return err
		}
	}
	certificates := &corev1.Secret{}
	certificates.Namespace, certificates.Name = rbac.Namespace, webhooks.Secret
	if err := c.Delete(ctx, certificates); client.IgnoreNotFound(err) != nil {
		return err
	}
	var pools pool.ResourcePoolList
	if err := c.List(ctx, &pools); err != nil {
		return err
	}
	for _, p := range computeresources.Pointers(pools.Items) {
		err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			now := &pool.ResourcePool{}
			if err := c.Get(ctx, client.ObjectKeyFromObject(p), now); err != nil {
				return err
			}
			if !controllerutil.RemoveFinalizer(now, controllers.Finalizer) {
				return nil
			}
			return c.Update(ctx, now)
		})
		if client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}
