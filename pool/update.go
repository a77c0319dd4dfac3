package pool

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
)

// validatePoolUpdate returns what an update of a pool must not change.
func validatePoolUpdate(from, to *ResourcePool) field.ErrorList {
	if sameAmounts(to.Spec.Quota.Hard, from.Spec.Quota.Hard) {
		return nil
	}
	const advice = "Remove corresponding claims or keep the resources in the pool"
	var errs field.ErrorList
	claims := from.Status.Allocation.Claimed
	for _, name := range quantity.Names(claims) {
		path := field.NewPath("spec", "quota", "hard").Key(string(name))
		claimed, scale := claims[name], quantity.ScaleOf(name)
		hard, offered := to.Spec.Quota.Hard[name]
		switch {
		case !offered && claimed.Sign() != 0:
			errs = append(errs, field.Forbidden(path,
				fmt.Sprintf("can not remove resource %s as it is still being allocated. %s", name, advice)))
		case quantity.AmountOf(&claimed, scale).Exceeds(quantity.AmountOf(&hard, scale), scale):
			detail := fmt.Sprintf("can not reduce %s usage to %s because quantity %s is claimed . %s",
				name, hard.String(), claimed.String(), advice)
			errs = append(errs, field.Forbidden(path, detail))
		}
	}
	return errs
}

// AdmissionOptions select which Capsule is followed when a claim is created, updated or deleted, and
// say whether the claim is in use. The zero value follows the current one, and reads the use in the
// claim's own status (ResourcePoolClaim.InUse). The documented API ignores the use.
type AdmissionOptions struct {
	Documented bool // as in Options
	// InUse says whether the usage of the namespace needs the claim (see Needed). With nil, its status
	// does. A claim that holds nothing is not in use.
	InUse *bool
}

// validateClaimUpdate returns what an update of a claim must not change.
func validateClaimUpdate(from, to *ResourcePoolClaim, opts AdmissionOptions) field.ErrorList {
	if !isImmutable(from, opts) {
		return nil
	}
	var errs field.ErrorList
	spec := field.NewPath("spec")
	detail := "cannot change the requested resources while claim is allocated to a resourcepool " + from.Status.Pool.Name
	if !sameAmounts(to.Spec.Claim, from.Spec.Claim) {
		errs = append(errs, field.Forbidden(spec.Child("claim"), detail))
	}
	if to.Spec.Pool != from.Spec.Pool {
		errs = append(errs, field.Forbidden(spec.Child("pool"), detail))
	}
	return errs
}

// ValidateClaimDeletion returns why a claim must not be deleted: it is in use (in the documented
// API: holding), and has to be released first. Capsule's documentation calls deletion one of two ways
// to release a claim, but its webhook refuses it with this message; a webhook that follows the
// documentation does not call this function. A nil claim may be deleted.
func ValidateClaimDeletion(claim *ResourcePoolClaim, opts AdmissionOptions) field.ErrorList {
	if !isImmutable(claim, opts) {
		return nil
	}
	path := field.NewPath("status", "conditions")
	if opts.Documented {
		path = field.NewPath("status", "condition")
	}
	detail := "cannot delete the pool while claim is used in resourcepool " + claim.Status.Pool.Name
	return field.ErrorList{field.Forbidden(path, detail)}
}

// isImmutable reports whether a claim must not be edited or deleted.
func isImmutable(c *ResourcePoolClaim, opts AdmissionOptions) bool {
	switch {
	case opts.Documented:
		return c.Holding()
	case opts.InUse == nil:
		return c.InUse()
	}
	return *opts.InUse && c.Holding()
}

// sameAmounts reports whether two lists name the same resources with the same amounts.
func sameAmounts(a, b corev1.ResourceList) bool {
	return equality.Semantic.DeepEqual(a.DeepCopy(), b.DeepCopy()) // which treats nil as empty
}
