package aggregate

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Invalid returns what apierrors.NewInvalid returns, which copies the text for each error.
func Invalid(kind schema.GroupKind, name string, errs field.ErrorList) *apierrors.StatusError {
	invalid := apierrors.NewInvalid(kind, name, nil)
	if len(errs) == 0 {
		return invalid
	}
	for _, err := range errs {
		invalid.ErrStatus.Details.Causes = append(invalid.ErrStatus.Details.Causes,
			metav1.StatusCause{Type: metav1.CauseType(err.Type), Message: err.ErrorBody(), Field: err.Field})
	}
	invalid.ErrStatus.Message += ": " + Of(errs).Error()
	return invalid
}
