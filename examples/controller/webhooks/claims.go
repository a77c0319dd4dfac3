package webhooks

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/pool"
)

// Claims refuses invalid claims, and refuses to edit or delete claims that are in use.
type Claims struct {
	Client client.Reader
}

// ValidateCreate validates a new claim.
func (h Claims) ValidateCreate(_ context.Context, claim *pool.ResourcePoolClaim) (admission.Warnings, error) {
	return nil, invalid("ResourcePoolClaim", claim.Name, pool.ValidateClaim(nil, claim, pool.AdmissionOptions{}))
}

// ValidateUpdate validates a changed claim, and checks whether it may change.
func (h Claims) ValidateUpdate(ctx context.Context, from, to *pool.ResourcePoolClaim) (admission.Warnings, error) {
	o, err := admissionOptions(ctx, h.Client, from)
	if err != nil {
		return nil, err
	}
	return nil, invalid("ResourcePoolClaim", to.Name, pool.ValidateClaim(from, to, o))
}

// ValidateDelete checks whether a claim may be deleted.
func (h Claims) ValidateDelete(ctx context.Context, claim *pool.ResourcePoolClaim) (admission.Warnings, error) {
	o, err := admissionOptions(ctx, h.Client, claim)
	if err != nil {
		return nil, err
	}
	return nil, invalid("ResourcePoolClaim", claim.Name, pool.ValidateClaimDeletion(claim, o))
}

// Releases removes the annotation that requests a release from claims that are not in use: they can
// be edited and deleted without it.
type Releases struct {
	Client  client.Reader
	Decoder admission.Decoder
}

// Default changes a claim that is created or updated.
func (h Releases) Default(ctx context.Context, claim *pool.ResourcePoolClaim) error {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	stored := &pool.ResourcePoolClaim{} // Of the new object, the status may be anything.
	if len(request.OldObject.Raw) > 0 {
		if err := h.Decoder.DecodeRaw(request.OldObject, stored); err != nil {
			return err
		}
	}
	o, err := admissionOptions(ctx, h.Client, stored)
	if err != nil {
		return err
	}
	asked := claim.DeepCopy()
	asked.Status = stored.Status
	pool.ApplyReleasePolicy(asked, o)
	claim.Annotations = asked.Annotations
	return nil
}

// admissionOptions determine whether a claim is in use: from its status, or from the current usage
// of the pool's quota in its namespace, which the status may not reflect yet.
func admissionOptions(ctx context.Context, c client.Reader, claim *pool.ResourcePoolClaim) (pool.AdmissionOptions, error) {
	if claim.InUse() || !claim.Holding() {
		return pool.AdmissionOptions{}, nil
	}
	p := &pool.ResourcePool{}
	if err := c.Get(ctx, types.NamespacedName{Name: claim.Status.Pool.Name}, p); err != nil {
		return pool.AdmissionOptions{}, client.IgnoreNotFound(err)
	}
	quota := &corev1.ResourceQuota{}
	if err := c.Get(ctx, client.ObjectKeyFromObject(pool.Quota(p, claim.Namespace, nil)), quota); err != nil {
		return pool.AdmissionOptions{}, client.IgnoreNotFound(err)
	}
	var claims pool.ResourcePoolClaimList
	if err := c.List(ctx, &claims, client.InNamespace(claim.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		return pool.AdmissionOptions{}, err
	}
	inUse := slices.Contains(pool.Needed(claim.Namespace, quota.Status.Used, p, computeresources.Pointers(claims.Items)), claim.Key())
	return pool.AdmissionOptions{InUse: &inUse}, nil
}
