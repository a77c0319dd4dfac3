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
func SolveObjects(spec *corev1.PodSpec, o Objects) (Solution, error) {
	solution, _, err := o.solve(spec)
	return solution, err
}

// ApplyObjects is Apply.
func ApplyObjects(spec *corev1.PodSpec, o Objects) ([]computeresources.Change, error) {
	solution, _, err := o.solve(spec)
	if err != nil {
		return nil, err
	}
	return solution.Changes, computeresources.ApplyChanges(spec, solution.Changes)
}

// MaxEffort is the maximum number of steps of Smallest.
const MaxEffort = maxEffort

// Smallest returns a smallest set of so many constraints without solution, and whether it is known to be one.
func Smallest(size int, solvable func(chosen []bool) bool, order []int) (set []int, proven bool) {
	s := search{size: size, solvable: solvable}
	return s.smallest(order)
}
