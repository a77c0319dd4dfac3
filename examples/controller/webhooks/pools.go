package webhooks

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/lifecycle"
)

// Pools refuses invalid pools, and those that would have less than is claimed.
type Pools struct{}

// ValidateCreate asks whether a new pool is valid.
func (Pools) ValidateCreate(_ context.Context, p *pool.ResourcePool) (admission.Warnings, error) {
	return nil, invalid("ResourcePool", p.Name, pool.ValidatePool(p))
}

// ValidateUpdate asks the same of a changed one, and whether it still has what is claimed.
func (Pools) ValidateUpdate(_ context.Context, from, to *pool.ResourcePool) (admission.Warnings, error) {
	if to.DeletionTimestamp != nil {
		return nil, nil // Nothing is left to do but to let it go.
	}
	return nil, invalid("ResourcePool", to.Name, append(pool.ValidatePool(to), lifecycle.ValidatePoolUpdate(from, to)...))
}

// ValidateDelete allows everything: the finalizer lets go of the claims.
func (Pools) ValidateDelete(context.Context, *pool.ResourcePool) (admission.Warnings, error) {
	return nil, nil
}

// invalid is the error that the API server itself would answer with.
func invalid(kind, name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(capsule.Kind(kind), name, errs)
}
