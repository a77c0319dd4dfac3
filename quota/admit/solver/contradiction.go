package solver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Contradiction is a set of constraints on one resource that cannot hold together: no
// requests and limits satisfy all of them, and some satisfy all but any one of them.
type Contradiction struct {
	Resource corev1.ResourceName
	// Constraints are sorted: bounds by rule and type, quotas, overhead, and then what
	// the spec states, the pod as a whole before its containers.
	Constraints []Constraint
	// Smallest: no smaller set contradicts itself. That is found out for all but very
	// large pods: for those, nothing of the set can be left out, but another way to
	// see it might take fewer.
	Smallest bool
}

// String names the resource and the constraints with their sources.
func (c Contradiction) String() string {
	var all []string
	for _, constraint := range c.Constraints {
		all = append(all, constraint.String())
	}
	if len(all) == 1 {
		return fmt.Sprintf("%s: nothing satisfies %s", c.Resource, all[0])
	}
	return fmt.Sprintf("%s: nothing satisfies all of: %s", c.Resource, strings.Join(all, "; "))
}

// ContradictionError is returned for a problem without a solution.
type ContradictionError struct {
	// Contradictions has one for each resource that has any, those of fewer constraints
	// first, and then by resource.
	Contradictions []Contradiction
}

// Error returns the contradictions, one in a line.
func (e *ContradictionError) Error() string {
	var lines []string
	for _, contradiction := range e.Contradictions {
		lines = append(lines, contradiction.String())
	}
	return strings.Join(lines, "\n")
}

func sortContradictions(found []Contradiction) {
	slices.SortFunc(found, func(a, b Contradiction) int {
		return cmp.Or(cmp.Compare(len(a.Constraints), len(b.Constraints)), cmp.Compare(a.Resource, b.Resource))
	})
}

// contradiction returns the smallest of the sets of constraints that have no solution; of
// several, the first in the order of the constraints.
func (s *system) contradiction() Contradiction {
	search := search{size: len(s.entries), solvable: func(chosen []bool) bool {
		var entries []entry
		for _, i := range indices(chosen) {
			entries = append(entries, s.entries[i])
		}
		d := s.demands(entries)
		d.anyWillDo = true
		return d.solve() != nil
	}}
	set, smallest := search.smallest(s.bySize())
	c := Contradiction{Resource: s.name, Smallest: smallest}
	for _, i := range set {
		constraint := s.entries[i].Constraint
		constraint.Amount = constraint.Amount.DeepCopy()
		c.Constraints = append(c.Constraints, constraint)
	}
	return c
}

// bySize returns the constraints in the order in which to try to do without them: what
// the spec states first, the smallest amounts before others, so that few large ones
// remain rather than many small ones; then the others, the last first.
func (s *system) bySize() []int {
	order := make([]int, len(s.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := s.entries[i], s.entries[j]
		switch aStated, bStated := a.Rule >= Overhead, b.Rule >= Overhead; {
		case aStated != bStated:
			return compareBool(bStated, aStated)
		case aStated:
			return cmp.Or(a.amount.Cmp(b.amount), cmp.Compare(j, i))
		default:
			return cmp.Compare(j, i)
		}
	})
	return order
}
