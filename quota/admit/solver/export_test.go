package solver

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// The arithmetic takes items and what remains. Its tests draw those, and not the objects that they
// come from.
type (
	Objects   = objects
	RangeItem = rangeItem
	Budget    = budget
)

// SolveObjects is Solve.
func SolveObjects(spec *corev1.PodSpec, o Objects) (Solution, error) { return o.solve(spec) }

// ApplyObjects is Apply.
func ApplyObjects(spec *corev1.PodSpec, o Objects) ([]computeresources.Change, error) {
	solution, err := o.solve(spec)
	if err != nil {
		return nil, err
	}
	return solution.Changes, computeresources.ApplyChanges(spec, solution.Changes)
}
