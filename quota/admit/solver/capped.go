package solver

import (
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

// capping finds what keeps the amounts of a solution from the wanted ones.
type capping struct {
	*sizing
	at                     *assignment // the solution, of which one container is moved at a time
	requestSums, limitSums []*big.Int  // of the solution, by term
	overhead               *demands    // without any other constraint
	alone                  []*demands  // each entry of the system on its own, with the overhead
}

// capped returns the amounts of a solution that differ from the wanted ones.
func (z *sizing) capped(a *assignment) []computeresources.Change {
	return z.cappedBy(z.capping(a).blocker, a)
}

// cappedBy is capped with a function that returns the first constraint that a solution violates if the request and the
// limit of one container are moved.
func (z *sizing) cappedBy(blocker func(i int, request, limit *big.Int) computeresources.Source,
	a *assignment) []computeresources.Change {
	var all []computeresources.Change
	add := func(i int, list computeresources.List, wanted, amount *big.Int, movedRequest, movedLimit *big.Int) {
		if wanted == nil || amount == nil || wanted.Cmp(amount) == 0 {
			return
		}
		w := z.wants[i]
		from, to := quantityOf(w.name, new(big.Int).Mul(wanted, z.unit)), quantityOf(w.name, new(big.Int).Mul(amount, z.unit))
		all = append(all, computeresources.Change{
			Ref: w.ref, List: list, Resource: w.name, From: &from, To: &to, Source: blocker(i, movedRequest, movedLimit),
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

func (z *sizing) capping(a *assignment) *capping {
	return &capping{sizing: z, at: a.clone(), alone: make([]*demands, len(z.entries)), overhead: z.beside(nil),
		requestSums: totals(z.pod.terms, a.requests), limitSums: totals(z.pod.terms, a.limits)}
}

// beside returns the demands of an entry, if it is not nil, and of the overhead, which is part of what quotas count.
func (s *system) beside(one *entry) *demands {
	var entries []entry
	for i := range s.entries {
		if e := &s.entries[i]; e == one || e.Bound == limitrange.Overhead {
			entries = append(entries, *e)
		}
	}
	return s.demands(entries)
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
		return atLeast(z.limit(i, moved), moved) // above its maximum, if that is what keeps the request from moving
	}
}

// blocker returns the source of the first constraint that the solution violates if the request and the
// limit of one container are moved. The constraints of other containers remain satisfied.
func (c *capping) blocker(i int, request, limit *big.Int) computeresources.Source {
	at, before := c.at, *c.at
	oldRequest, oldLimit := at.requests[i], at.limits[i]
	defer func() { *at, at.requests[i], at.limits[i] = before, oldRequest, oldLimit }()
	at.requests[i], at.limits[i] = request, limit
	at.request = c.pod.largestIfMoved(c.requestSums, i, oldRequest, request)
	if limit != nil {
		at.limit = c.pod.largestIfMoved(c.limitSums, i, oldLimit, limit)
	}
	if !c.overhead.allow(at, i) {
		return computeresources.Source{} // a limit cannot be below its request
	}
	for k := range c.entries {
		e := &c.entries[k]
		if e.container != i && (e.isFloor || e.Bound >= limitrange.Request && e.container >= 0) {
			continue // of another container
		}
		if c.alone[k] == nil {
			c.alone[k] = c.beside(e)
		}
		if !c.alone[k].allow(at, i) {
			return e.sourceInPod()
		}
	}
	return computeresources.Source{}
}

// largestIfMoved returns the largest of sums after the amount of a container is moved.
func (p *pod) largestIfMoved(sums []*big.Int, i int, from, to *big.Int) *big.Int {
	most := sum(p.largestOf(sums, i), difference(to, from))
	for t, total := range sums {
		if !slices.Contains(p.within[i], t) {
			most = atLeast(most, total)
		}
	}
	return most
}

// allow reports whether demands, which allow the amounts of all other containers, allow those of container i and of the
// pod, with any pod-level amounts that are not fixed.
func (d *demands) allow(a *assignment, i int) bool {
	switch {
	case d.impossible:
		return false
	case d.hasFreePodLimit():
		return d.withoutPodLimit().allow(a, i) || d.withLeastPodLimit(a).allow(a, i)
	case d.derivesPodLimit():
		notAll, all := d.withDerivedLimit()
		return notAll.allow(a, i) || all.allow(a, i)
	}
	n, ok := d.needs()
	isPartial := func(limit *big.Int) bool { return limit == nil || d.omitsZeroLimits && limit.Sign() == 0 }
	if !ok || !n.admit(a) || d.limitsNotAll && !slices.ContainsFunc(a.limits, isPartial) {
		return false
	}
	for j := range d.kinds {
		if (j == i || d.limitsAll) && !d.allowContainer(j, a.requests[j], a.limits[j]) {
			return false
		}
	}
	return true
}

// allowContainer reports whether the demands on one container allow its amounts.
func (d *demands) allowContainer(i int, request, limit *big.Int) bool {
	differs := func(fixed, amount *big.Int) bool { return fixed != nil && (amount == nil || fixed.Cmp(amount) != 0) }
	if differs(d.requests[i], request) || differs(d.limits[i], limit) {
		return false
	}
	s := d.spanWith(i, request, limit, d.leastAmount())
	return !s.isEmpty() && s.limited == (limit != nil)
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
