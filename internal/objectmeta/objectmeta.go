// Package objectmeta validates the metadata of objects, with errors in a fixed order.
package objectmeta

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate returns what is invalid in the metadata of an object with a namespace that is created. The errors are those
// of validation.ValidateObjectMeta, which ranges over maps: labels and annotations are sorted by message here.
func Validate(meta *metav1.ObjectMeta) field.ErrorList {
	errs := validation.ValidateObjectMeta(meta.DeepCopy(), true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	return inOrder(errs)
}

// ValidateUpdate returns what is invalid in the metadata of an object that replaces an old one. The errors are those of
// validation.ValidateObjectMetaUpdate, in the order of Validate.
func ValidateUpdate(meta, old *metav1.ObjectMeta) field.ErrorList {
	errs := validation.ValidateObjectMetaUpdate(meta.DeepCopy(), old.DeepCopy(), field.NewPath("metadata"))
	return inOrder(errs)
}

// inOrder sorts the errors of each field by message.
func inOrder(errs field.ErrorList) field.ErrorList {
	for rest := errs; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Field == rest[0].Field {
			n++
		}
		slices.SortFunc(rest[:n], func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) })
		rest = rest[n:]
	}
	return errs
}
