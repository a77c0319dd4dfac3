// Package aggregate makes one error of several.
package aggregate

import (
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Of returns an error for all of list, nil if there are none. It reads as
// k8s.io/apimachinery/pkg/util/errors.NewAggregate does: like the only error, or "[a, b]", in
// their order and equal messages once; and it is a utilerrors.Aggregate. Beyond that,
// errors.As finds the errors in it, and comparing it with == does not panic.
//
// List must not contain nil. The result does not keep it.
func Of[E error](list []E) error {
	if len(list) == 0 {
		return nil
	}
	errs := make([]error, len(list))
	for i, err := range list {
		errs[i] = err
	}
	return &aggregate{errs}
}

// Invalid returns what apierrors.NewInvalid returns, which copies the text for each error.
func Invalid(kind schema.GroupKind, name string, errs field.ErrorList) *apierrors.StatusError {
	invalid := apierrors.NewInvalid(kind, name, nil)
	for _, err := range errs {
		invalid.ErrStatus.Details.Causes = append(invalid.ErrStatus.Details.Causes,
			metav1.StatusCause{Type: metav1.CauseType(err.Type), Message: err.ErrorBody(), Field: err.Field})
	}
	if err := Of(errs); err != nil {
		invalid.ErrStatus.Message += ": " + err.Error()
	}
	return invalid
}

// Pointers returns a pointer to each element of list, in their order, and nil if there are none.
func Pointers[T any](list []T) []*T {
	if len(list) == 0 {
		return nil
	}
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// aggregate is behind a pointer, so that it can be compared.
type aggregate struct{ errs []error }

var _ utilerrors.Aggregate = (*aggregate)(nil)

// Error returns the message of utilerrors.NewAggregate, which copies it for each error.
func (a *aggregate) Error() string {
	if len(a.errs) == 1 {
		return a.errs[0].Error()
	}
	seen := map[string]bool{}
	var messages []string
	for _, err := range utilerrors.Flatten(a).Errors() {
		if message := err.Error(); !seen[message] {
			seen[message] = true
			messages = append(messages, message)
		}
	}
	if len(messages) == 1 {
		return messages[0]
	}
	return "[" + strings.Join(messages, ", ") + "]"
}

// Errors returns the errors in a list of the caller's.
func (a *aggregate) Errors() []error { return slices.Clone(a.errs) }

// Unwrap returns the same errors, for errors.Is and errors.As, which only read them.
func (a *aggregate) Unwrap() []error { return a.errs }

// Is reports whether target is one of the errors.
func (a *aggregate) Is(target error) bool { return utilerrors.NewAggregate(a.errs).Is(target) }
