package pool

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// ValidatePool returns why a pool must not be created or, if it replaces an old one, why it must not be
// updated. Old is nil for a creation.
//
// First is what is wrong with the name and the spec, sorted by field: no resources, resources or scopes
// that are invalid in a ResourceQuota, negative amounts, fractions of countable resources, and invalid
// selectors. A nil pool is Required. Then follows what the update must not change: the capacity must not be
// less than the status of old has as claimed, and a resource may only be removed if none of it is claimed.
// If the quota does not change, the update is valid. The details are Capsule's messages, sorted by
// resource.
func ValidatePool(old, p *ResourcePool) field.ErrorList {
	if p == nil {
		return field.ErrorList{field.Required(nil, "pool")}
	}
	errs := validatePool(p)
	if old != nil {
		errs = append(errs, validatePoolUpdate(old, p)...)
	}
	return errs
}

func validatePool(p *ResourcePool) field.ErrorList {
	spec := field.NewPath("spec")
	errs := validateName(p.Name)
	for i := range p.Spec.Selectors {
		errs = append(errs, validation.ValidateLabelSelector(&p.Spec.Selectors[i],
			validation.LabelSelectorValidationOptions{}, spec.Child("selectors").Index(i))...)
	}
	if len(p.Spec.Quota.Hard) == 0 {
		errs = append(errs, field.Required(spec.Child("quota", "hard"), "a pool needs resources"))
	}
	errs = append(errs, validateAmounts(p.Spec.Quota.Hard, spec.Child("quota", "hard"))...)
	errs = append(errs, validateScopes(&p.Spec.Quota, spec.Child("quota"))...)
	errs = append(errs, validateAmounts(p.Spec.Defaults, spec.Child("defaults"))...)
	return sorted(errs)
}

// ValidateClaim returns why a claim must not be created or, if it replaces an old one, why it must not be
// updated. Old is nil for a creation.
//
// First is what is wrong with the name, the namespace and the spec, sorted by field: no resources,
// resources that are invalid in a ResourceQuota, negative amounts, fractions of countable resources, and an
// invalid pool name. A nil claim is Required. Then follows what the update must not change: a claim that is
// in use (in the documented API: that holds resources) must keep its pool and its amounts. Writing the same
// quantity differently is not a change. The detail is Capsule's message.
//
// In the current API, a claim that holds resources and is unused may be edited: Allocate resizes or
// evicts it. In the documented API, no claim that holds resources may be edited.
func ValidateClaim(old, c *ResourcePoolClaim, opts AdmissionOptions) field.ErrorList {
	if c == nil {
		return field.ErrorList{field.Required(nil, "claim")}
	}
	errs := validateClaim(c)
	if old != nil {
		errs = append(errs, validateClaimUpdate(old, c, opts)...)
	}
	return errs
}

func validateClaim(c *ResourcePoolClaim) field.ErrorList {
	spec := field.NewPath("spec")
	errs := validateName(c.Name)
	if c.Namespace == "" {
		errs = append(errs, field.Required(field.NewPath("metadata", "namespace"), "claims are namespaced"))
	}
	if c.Spec.Pool != "" {
		for _, message := range apivalidation.NameIsDNSSubdomain(c.Spec.Pool, false) {
			errs = append(errs, field.Invalid(spec.Child("pool"), c.Spec.Pool, message))
		}
	}
	if len(c.Spec.Claim) == 0 {
		errs = append(errs, field.Required(spec.Child("claim"), "a claim needs resources"))
	}
	return sorted(append(errs, validateAmounts(c.Spec.Claim, spec.Child("claim"))...))
}

func validateName(name string) field.ErrorList {
	path := field.NewPath("metadata", "name")
	if name == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	var errs field.ErrorList
	for _, message := range apivalidation.NameIsDNSSubdomain(name, false) {
		errs = append(errs, field.Invalid(path, name, message))
	}
	return errs
}

func validateAmounts(list corev1.ResourceList, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range quantity.Names(list) {
		at, q := path.Key(string(name)), list[name].DeepCopy()
		if message := unknown(name); message != "" {
			errs = append(errs, field.Invalid(at, string(name), message))
		}
		if q.Sign() < 0 {
			errs = append(errs, field.Invalid(at, q.String(), apivalidation.IsNegativeErrorMsg))
		} else if counted(name) && !quantity.IsWhole(q) {
			errs = append(errs, field.Invalid(at, q.String(), "must be an integer"))
		}
	}
	return errs
}

// unknown returns what is wrong with the name of a resource in a quota.
//
// Source: ValidateResourceQuotaResourceName of k8s.io/kubernetes/pkg/apis/core/validation.
func unknown(name corev1.ResourceName) string {
	if messages := utilvalidation.IsQualifiedName(string(name)); len(messages) > 0 {
		return messages[0]
	}
	if resourcename.HasDomain(name) || resourcename.IsStandardOfQuota(name) {
		return ""
	}
	return "must be a standard resource for quota"
}

// counted reports whether a resource is a number of objects.
func counted(name corev1.ResourceName) bool {
	isNamed := resourcename.IsInteger(name) && !resourcename.IsExtended(name)
	return isNamed || strings.HasPrefix(string(name), "count/")
}

// validateScopes checks the scopes of a quota, each on its own: which resources a scope can count
// is validated with the ResourceQuota.
func validateScopes(quota *corev1.ResourceQuotaSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	known := sets.New(corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating,
		corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopePriorityClass,
		corev1.ResourceQuotaScopeCrossNamespacePodAffinity, corev1.ResourceQuotaScopeVolumeAttributesClass)
	for i, scope := range quota.Scopes {
		if !known.Has(scope) {
			errs = append(errs, field.NotSupported(path.Child("scopes").Index(i), scope, sets.List(known)))
		}
	}
	if quota.ScopeSelector == nil {
		return errs
	}
	for i, e := range quota.ScopeSelector.MatchExpressions {
		at := path.Child("scopeSelector", "matchExpressions").Index(i)
		if !known.Has(e.ScopeName) {
			errs = append(errs, field.NotSupported(at.Child("scopeName"), e.ScopeName, sets.List(known)))
		}
		switch e.Operator {
		case corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn:
			if len(e.Values) == 0 {
				errs = append(errs, field.Required(at.Child("values"),
					"must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
			}
		case corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist:
			if len(e.Values) > 0 {
				errs = append(errs, field.Invalid(at.Child("values"), slices.Clone(e.Values),
					"must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"))
			}
		default:
			errs = append(errs, field.Invalid(at.Child("operator"), e.Operator, "not a valid selector operator"))
		}
	}
	return errs
}

// sorted sorts errors by field, and those of a field by their text.
func sorted(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}
