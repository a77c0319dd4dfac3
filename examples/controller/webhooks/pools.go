package webhooks

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// Pools refuses invalid pools, and pools that would have less than is claimed.
type Pools struct{}

// ValidateCreate validates a new pool.
func (Pools) ValidateCreate(_ context.Context, p *pool.ResourcePool) (admission.Warnings, error) {
	return nil, invalid("ResourcePool", p.Name, pool.ValidatePool(nil, p))
}

// ValidateUpdate validates a changed pool, and checks that it still covers its claims.
func (Pools) ValidateUpdate(_ context.Context, from, to *pool.ResourcePool) (admission.Warnings, error) {
	if to.DeletionTimestamp != nil {
		return nil, nil // Nothing is left to do but to let it go.
	}
	return nil, invalid("ResourcePool", to.Name, pool.ValidatePool(from, to))
}

// ValidateDelete allows everything: the finalizer releases the claims.
func (Pools) ValidateDelete(context.Context, *pool.ResourcePool) (admission.Warnings, error) {
	return nil, nil
}

// invalid returns the error that the API server itself would return.
func invalid(kind, name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(capsule.Kind(kind), name, errs)
}
