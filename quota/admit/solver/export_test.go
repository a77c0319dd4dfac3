package solver

import (
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
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
	solution, _, err := o.solve(spec, (*system).conflict)
	return solution, err
}

// ApplyObjects is Apply.
func ApplyObjects(spec *corev1.PodSpec, o Objects) ([]computeresources.Change, error) {
	solution, _, err := o.solve(spec, (*system).conflict)
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

// Capped returns what RightSize has in Capped of each resource, before it is sorted, and the same if the whole pod is
// solved again for each constraint.
func Capped(spec *corev1.PodSpec, recommendations []Recommendation, in Input) (got, want []computeresources.Change, err error) {
	o, err := in.objects(spec, corev1.PodQOSBurstable)
	if err != nil {
		return nil, nil, err
	}
	if o.Wants, err = in.wants(spec, recommendations); err != nil {
		return nil, nil, err
	}
	all, err := systems(withoutWanted(spec, o.Wants), o)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range all {
		d := s.demands(s.entries)
		if s.wants == nil || d.solve() == nil {
			continue
		}
		nearest, z := d.rightSize()
		a := nearest.assignment
		got = append(got, z.capped(a)...)
		want = append(want, z.cappedBy(func(i int, request, limit *big.Int) computeresources.Source {
			moved := assignment{requests: slices.Clone(a.requests), limits: slices.Clone(a.limits)}
			moved.requests[i], moved.limits[i] = request, limit
			return z.slowBlocker(&moved)
		}, a)...)
	}
	return got, want, nil
}

func (z *sizing) slowBlocker(moved *assignment) computeresources.Source {
	var overhead []entry
	for _, e := range z.entries {
		if e.Bound == limitrange.Overhead {
			overhead = append(overhead, e)
		}
	}
	if !z.slowAllow(overhead, moved) {
		return computeresources.Source{}
	}
	for _, e := range z.entries {
		if !z.slowAllow(append(slices.Clone(overhead), e), moved) {
			return e.sourceInPod()
		}
	}
	return computeresources.Source{}
}

// slowAllow solves the demands with all amounts fixed. A pod-level limit that is free is absent or set.
func (z *sizing) slowAllow(entries []entry, a *assignment) bool {
	d := z.demands.system.demands(entries)
	for i := range d.kinds {
		if set := d.requests[i]; set != nil && set.Cmp(a.requests[i]) != 0 {
			return false
		}
		if set := d.limits[i]; set != nil && (a.limits[i] == nil || set.Cmp(a.limits[i]) != 0) {
			return false
		}
	}
	d.requests, d.limits = a.requests, a.limits
	solvable := func(d *demands) bool {
		s := d.solve()
		return s != nil && !slices.ContainsFunc(s.limits, func(l *big.Int) bool {
			return l != nil && a.limits[slices.Index(s.limits, l)] == nil
		})
	}
	if spans, ok := d.spans(); ok && d.hasFreePodLimit() {
		return solvable(d.withoutPodLimit()) || solvable(d.withLeastPodLimit(newPod(d.shape, spans).least))
	}
	return solvable(d)
}
