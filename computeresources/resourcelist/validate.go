package resourcelist

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// ValidateContainerResourceName returns what is wrong with the name of a resource in the requests and
// limits of a container, or in a LimitRange for containers and pods, at the given path: it has to be
// qualified, a name without a domain has to be cpu, memory, ephemeral-storage or hugepages, and any other
// native or extended. It returns nil if nothing is wrong. A nil path means the object itself.
//
// Source: validateContainerResourceName of k8s.io/kubernetes/pkg/apis/core/validation.
func ValidateContainerResourceName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	errs := resourcename.Validate(name, path)
	switch {
	case !resourcename.HasDomain(name) && !resourcename.IsOfContainers(name):
		errs = append(errs, field.Invalid(path, name, "must be a standard resource for containers"))
	case !resourcename.IsNative(name) && !IsExtended(name):
		errs = append(errs, field.Invalid(path, name, "doesn't follow extended resource name standard"))
	}
	return errs
}

// ValidateQuotaName returns what is wrong with the name of a resource in a ResourceQuota, at the
// given path: it has to be qualified, and a name without a domain has to be one that quotas count (see
// IsStandardQuotaName). It returns nil if nothing is wrong. A nil path means the object itself.
//
// Source: ValidateResourceQuotaResourceName of k8s.io/kubernetes/pkg/apis/core/validation.
func ValidateQuotaName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	errs := resourcename.Validate(name, path)
	if !resourcename.HasDomain(name) && !IsStandardQuotaName(name) {
		errs = append(errs, field.Invalid(path, name, "must be a standard resource for quota"))
	}
	return errs
}
