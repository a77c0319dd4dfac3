package solver

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/limitrange"
)

// ConflictError is returned for a pod without a solution.
type ConflictError struct {
	// Conflicts has one element for each resource with a contradiction, sorted by the number of
	// values, then by resource. The cause is limitrange.Unsatisfiable. The values are those of
	// LimitRanges by bound and type, then quotas, overhead, and what the spec sets, the pod level
	// before its containers.
	Conflicts computeresources.Problems[*limitrange.Conflict]
}

// Error returns the conflicts, one in a line.
func (e *ConflictError) Error() string {
	if e == nil {
		return "<nil>"
	}
	var lines []string
	for _, c := range e.Conflicts {
		lines = append(lines, c.Error())
	}
	return strings.Join(lines, "\n")
}

// conflict returns the smallest of the sets of constraints that have no solution; of
// several, the first in the order of the constraints.
func (s *system) conflict() *limitrange.Conflict {
	search := search{size: len(s.entries), solvable: func(chosen []bool) bool {
		var entries []entry
		for _, i := range indices(chosen) {
			entries = append(entries, s.entries[i])
		}
		d := s.demands(entries)
		d.feasibleOnly = true
		return d.solve() != nil
	}}
	set, smallest := search.smallest(s.bySize())
	c := &limitrange.Conflict{Cause: limitrange.Unsatisfiable, Resource: s.name, NotSmallest: !smallest}
	for _, i := range set {
		value := s.entries[i].BoundValue
		value.Amount = value.Amount.DeepCopy()
		c.Values = append(c.Values, value)
	}
	return c
}

// bySize returns the constraints in the order in which to try to do without them: what
// the spec sets first, the smallest amounts before others, so that few large ones
// remain rather than many small ones; then the others, the last first.
func (s *system) bySize() []int {
	order := make([]int, len(s.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := s.entries[i], s.entries[j]
		switch {
		case a.isOfSpec() != b.isOfSpec():
			return ordering.TrueFirst(a.isOfSpec(), b.isOfSpec())
		case a.isOfSpec():
			return cmp.Or(a.amount.Cmp(b.amount), cmp.Compare(j, i))
		default:
			return cmp.Compare(j, i)
		}
	})
	return order
}
