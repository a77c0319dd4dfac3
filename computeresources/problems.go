package computeresources

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
)

// Problems are all reasons why an object is refused, as pointers: Problems[*InvalidResource] and
// Problems[*ResizeProblem] of this package, *limitrange.Violation and *limitrange.Conflict,
// *quota.Failure, and *admit.Refusal. They are empty if there are none. A problem is an error that also
// names the field of the object: Field returns it at a field below path, which is that of the pod spec unless the type
// says otherwise. A nil path is where the object itself has it, spec.
type Problems[P interface {
	error
	Field(path *field.Path) *field.Error
}] []P

// Err returns the problems as one error, and nil if there are none. The message for several problems
// is "[a, b]", in their order and without repetitions. errors.As finds the first problem, and Unwrap()
// []error returns all: the elements themselves, not copies.
func (ps Problems[P]) Err() error { return aggregate.Of(ps) }

// ErrorList returns what Field returns of each problem, in their order. It is nil if there are none.
func (ps Problems[P]) ErrorList(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, p := range ps {
		errs = append(errs, p.Field(path))
	}
	return errs
}
