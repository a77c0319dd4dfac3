package solver

import "slices"

// search finds a smallest set of constraints, given by their indices, that has no solution, if
// all of them together have none. A solvable set remains solvable if a constraint is removed.
//
// A correction is a set whose removal makes the rest solvable. A set without solution contains
// at least one constraint of every correction: it meets all of them. So the search examines the
// sets that meet all corrections known so far, the smallest first, and sets of the same size in
// the order of their indices. If the first one is solvable, as many constraints as possible are
// added to it, and the remaining ones are a new correction, which it does not meet. Otherwise,
// no smaller set is without solution, and no earlier set of the same size: it is the answer.
type search struct {
	size        int
	solvable    func(chosen []bool) bool
	corrections [][]int // each in order
	effort      int     // remaining steps
}

// maxEffort is the maximum number of steps; solving once counts as one step for each constraint.
// Ten containers that together exceed the remaining quota take fewer.
const maxEffort = 1 << 16

// smallest returns the first of the smallest sets without solution, and true. If that takes too
// many steps, it returns a set from which no constraint can be removed, and whether it is known
// to be of the smallest size. For that set, constraints are dropped in the given order.
func (s *search) smallest(order []int) (set []int, proven bool) {
	s.effort = maxEffort
	all := make([]bool, s.size)
	for i := range all {
		all[i] = true
	}
	s.reduce(all, order)
	irreducible := indices(all)
	var last []int // of the sets of this size: none before it meets all corrections
	for size := 0; ; {
		set, found := s.hittingSet(nil, size, last)
		switch {
		case s.effort <= 0:
			return irreducible, size == len(irreducible)
		case !found:
			size, last = size+1, nil
		case !s.try(s.with(set)):
			return set, true
		default:
			s.corrections, last = append(s.corrections, s.correction(set)), set
		}
	}
}

// hittingSet extends a set by so many larger indices that it meets all corrections, and
// returns the first that does. No smaller set meets all, and none before last.
func (s *search) hittingSet(set []int, left int, last []int) ([]int, bool) {
	s.effort--
	unmet := s.unmet(set)
	if len(unmet) == 0 {
		return slices.Clone(set), true
	}
	if left == 0 || s.effort <= 0 {
		return nil, false
	}
	for i := next(set, last); i < s.size; i++ {
		useful := false
		for _, correction := range unmet {
			if correction[len(correction)-1] < i {
				return nil, false // no larger index meets it
			}
			useful = useful || slices.Contains(correction, i)
		}
		if !useful {
			continue
		}
		if found, ok := s.hittingSet(append(set, i), left-1, last); ok {
			return found, true
		}
	}
	return nil, false
}

// next returns the first index by which to extend a set.
func next(set, last []int) int {
	n := len(set)
	switch {
	case n < len(last) && slices.Equal(set, last[:n]):
		return last[n]
	case n == 0:
		return 0
	default:
		return set[n-1] + 1
	}
}

// unmet returns the corrections that have no constraint in the set.
func (s *search) unmet(set []int) [][]int {
	var unmet [][]int
	for _, correction := range s.corrections {
		if !slices.ContainsFunc(set, func(i int) bool { return slices.Contains(correction, i) }) {
			unmet = append(unmet, correction)
		}
	}
	return unmet
}

// correction returns the constraints that remain after as many as possible are added to a
// solvable set.
func (s *search) correction(set []int) []int {
	chosen := s.with(set)
	s.extend(chosen, indices(inverse(chosen)))
	return indices(inverse(chosen))
}

// extend adds as many of the others to the chosen as leave them solvable.
func (s *search) extend(chosen []bool, others []int) {
	mark(chosen, others, true)
	if s.try(chosen) {
		return
	}
	mark(chosen, others, false)
	if half := len(others) / 2; half > 0 {
		s.extend(chosen, others[:half])
		s.extend(chosen, others[half:])
	}
}

// reduce removes as many of the others from the chosen as possible while they still have no
// solution.
func (s *search) reduce(chosen []bool, others []int) {
	mark(chosen, others, false)
	if !s.solvable(chosen) {
		return
	}
	mark(chosen, others, true)
	if half := len(others) / 2; half > 0 {
		s.reduce(chosen, others[:half])
		s.reduce(chosen, others[half:])
	}
}

func (s *search) try(chosen []bool) bool {
	s.effort -= s.size
	return s.solvable(chosen)
}

func (s *search) with(set []int) []bool {
	chosen := make([]bool, s.size)
	mark(chosen, set, true)
	return chosen
}

func mark(chosen []bool, set []int, value bool) {
	for _, i := range set {
		chosen[i] = value
	}
}

func inverse(chosen []bool) []bool {
	others := make([]bool, len(chosen))
	for i := range others {
		others[i] = !chosen[i]
	}
	return others
}

func indices(chosen []bool) []int {
	var set []int
	for i, isChosen := range chosen {
		if isChosen {
			set = append(set, i)
		}
	}
	return set
}
