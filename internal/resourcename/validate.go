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
