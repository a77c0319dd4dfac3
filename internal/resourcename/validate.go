package resourcename

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate returns what is wrong with the name of a resource, anywhere in the API, at the given
// path: it has to be qualified, and known if it has no domain. It returns nil if nothing is wrong.
// A nil path means the object itself.
//
// Source: ValidateResourceName of k8s.io/kubernetes/pkg/apis/core/validation.
func Validate(name corev1.ResourceName, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, message := range validation.IsQualifiedName(string(name)) {
		errs = append(errs, field.Invalid(path, name, message))
	}
	if len(errs) == 0 && !HasDomain(name) && !IsStandard(name) {
		errs = append(errs, field.Invalid(path, name, "must be a standard resource type or fully qualified"))
	}
	return errs
}

// ValidateOfContainer returns what is wrong with the name of a resource in the requests and
// limits of a container, or in a LimitRange for containers and pods, at the given path: it has to be
// qualified, a name without a domain has to be cpu, memory, ephemeral-storage or hugepages, and any other
// native or extended. It returns nil if nothing is wrong. A nil path means the object itself.
//
// Source: validateContainerResourceName of k8s.io/kubernetes/pkg/apis/core/validation.
func ValidateOfContainer(name corev1.ResourceName, path *field.Path) field.ErrorList {
	errs := Validate(name, path)
	switch {
	case !HasDomain(name) && !IsOfContainers(name):
		errs = append(errs, field.Invalid(path, name, "must be a standard resource for containers"))
	case !IsNative(name) && !IsExtended(name):
		errs = append(errs, field.Invalid(path, name, "doesn't follow extended resource name standard"))
	}
	return errs
}

// ValidateOfQuota returns what is wrong with the name of a resource in a ResourceQuota, at the
// given path: it has to be qualified, and a name without a domain has to be one that quotas count (see
// IsStandardOfQuota). It returns nil if nothing is wrong. A nil path means the object itself.
//
// Source: ValidateResourceQuotaResourceName of k8s.io/kubernetes/pkg/apis/core/validation.
func ValidateOfQuota(name corev1.ResourceName, path *field.Path) field.ErrorList {
	errs := Validate(name, path)
	if !HasDomain(name) && !IsStandardOfQuota(name) {
		errs = append(errs, field.Invalid(path, name, "must be a standard resource for quota"))
	}
	return errs
}
