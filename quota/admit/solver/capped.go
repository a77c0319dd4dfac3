package solver

import (
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

// capped returns the amounts of a solution that differ from the wanted ones.
func (z *sizing) capped(a *assignment) []computeresources.Change {
	var all []computeresources.Change
	add := func(i int, list computeresources.List, wanted, amount *big.Int, movedRequest, movedLimit *big.Int) {
		if wanted == nil || amount == nil || wanted.Cmp(amount) == 0 {
			return
		}
		w := z.wants[i]
		from, to := quantityOf(w.name, new(big.Int).Mul(wanted, z.unit)), quantityOf(w.name, new(big.Int).Mul(amount, z.unit))
		all = append(all, computeresources.Change{
			Ref: w.ref, List: list, Resource: w.name, From: &from, To: &to, Source: z.blocker(a, i, movedRequest, movedLimit),
		})
	}
	for i, w := range z.wants {
		if w == nil {
			continue
		}
		request, limit := a.requests[i], a.limits[i]
		moved := oneTowards(request, z.wanted[i])
		add(i, computeresources.Requests, z.wanted[i], request, moved, z.limitBeside(a, i, moved))
		if wanted := z.wantedLimit(i, request); wanted != nil && limit != nil {
			add(i, computeresources.Limits, wanted, limit, request, oneTowards(limit, wanted))
		}
	}
	return all
}

// oneTowards returns an amount that is one unit nearer to another.
func oneTowards(amount, other *big.Int) *big.Int {
	return sum(amount, big.NewInt(int64(other.Cmp(amount))))
}

// limitBeside returns the limit of a container whose request is moved by one unit.
func (z *sizing) limitBeside(a *assignment, i int, moved *big.Int) *big.Int {
	switch {
	case a.limits[i] == nil:
		return nil
	case z.together:
		return moved
	case z.kept[i]:
		return z.wantedLimit(i, moved)
	case z.gaveUp:
		low, high := z.limitBounds(i, moved)
		return atLeast(atMost(a.limits[i], high), low)
	default:
		return z.limit(i, moved)
	}
}

// blocker returns the source of the first constraint that a solution violates if the request and the
// limit of one container are moved.
func (z *sizing) blocker(a *assignment, i int, request, limit *big.Int) computeresources.Source {
	moved := assignment{requests: slices.Clone(a.requests), limits: slices.Clone(a.limits)}
	moved.requests[i], moved.limits[i] = request, limit
	var overhead []entry // which is part of what quotas count
	for _, e := range z.entries {
		if e.Bound == limitrange.Overhead {
			overhead = append(overhead, e)
		}
	}
	if !z.allow(overhead, &moved) {
		return computeresources.Source{} // a limit cannot be below its request
	}
	for _, e := range z.entries {
		if !z.allow(append(overhead[:len(overhead):len(overhead)], e), &moved) {
			return e.sourceInPod()
		}
	}
	return computeresources.Source{}
}

// allow reports whether constraints allow the amounts of containers.
func (z *sizing) allow(entries []entry, a *assignment) bool {
	d := z.demands.system.demands(entries)
	d.feasibleOnly = true
	for i := range d.kinds {
		if set := d.requests[i]; set != nil && set.Cmp(a.requests[i]) != 0 {
			return false
		}
		if set := d.limits[i]; set != nil && (a.limits[i] == nil || set.Cmp(a.limits[i]) != 0) {
			return false
		}
	}
	d.requests, d.limits = a.requests, a.limits
	s := d.solve()
	if s == nil {
		return false
	}
	for i := range a.limits {
		if a.limits[i] == nil && s.limits[i] != nil {
			return false
		}
	}
	return true
}

// sourceInPod returns the source of a constraint; that of what the spec sets is the field.
func (a entry) sourceInPod() computeresources.Source {
	if !a.isOfSpec() {
		return a.Source
	}
	list := "requests"
	if a.Bound == limitrange.Limit {
		list = "limits"
	}
	field := a.Ref.Path(nil).Child("resources", list).Key(string(a.Resource))
	return computeresources.Source{Kind: "Pod", Field: field.String()}
}
