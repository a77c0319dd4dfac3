package affinity

import "k8s.io/apimachinery/pkg/util/validation/field"

// InvalidRunError is returned for an invalid run, with the errors of Validate or ValidateTasks.
type InvalidRunError struct{ Errors field.ErrorList }

// Error returns the messages without duplicates, in the form of apimachinery's aggregates: one
// message, or "[a, b]".
func (e *InvalidRunError) Error() string {
	if len(e.Errors) == 0 {
		return ""
	}
	return e.Errors.ToAggregate().Error()
}

// Unwrap returns the errors, for errors.As.
func (e *InvalidRunError) Unwrap() []error {
	errs := make([]error, len(e.Errors))
	for i, err := range e.Errors {
		errs[i] = err
	}
	return errs
}
