package solver

import (
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// pod is a pod in one resource: what each container may have, and the sums that count.
type pod struct {
	*shape
	spans []span
	// least is the smallest amounts that each container may have on its own, and their sums.
	least                      *assignment
	leastRequests, leastLimits []*big.Int
}

// shape is what sums a pod has, whatever the resource.
type shape struct {
	kinds  []podwalk.Kind // of the containers, in their order
	terms  []term
	within [][]int // by container: the terms that it is part of
	order  []int   // of the containers, from the first to be raised to the last
}

func shapeOf(kinds []podwalk.Kind) *shape {
	s := &shape{kinds: kinds, terms: terms(kinds), within: make([][]int, len(kinds)), order: raisingOrder(kinds)}
	for t, term := range s.terms {
		for _, i := range term {
			s.within[i] = append(s.within[i], t)
		}
	}
	return s
}

func newPod(s *shape, spans []span) *pod { return newPodIn(newRoom(len(spans)), s, spans) }

// newPodIn is newPod in a room that others do not use.
func newPodIn(room *room, s *shape, spans []span) *pod {
	a := &assignment{requests: room.requests, limits: room.limits}
	for i, s := range spans {
		a.requests[i], a.limits[i] = s.low, nil
		if s.limited {
			a.limits[i] = s.limitLow
		}
	}
	p := &pod{s, spans, a, totals(s.terms, a.requests), totals(s.terms, a.limits)}
	a.request, a.limit = largest(p.leastRequests), largest(p.leastLimits)
	return p
}

// limiting returns the pod with a limit for one container that needs none.
func (p *pod) limiting(i int) *pod {
	limited := *p
	limited.spans = slices.Clone(p.spans)
	limited.spans[i].limited = true
	limited.spans[i].limitLow = atLeast(p.spans[i].limitLow, p.spans[i].low)
	least, limits := p.least.clone(), copies(p.leastLimits)
	least.limits[i] = new(big.Int)
	limited.add(least.limits, limits, i, limited.spans[i].limitLow)
	least.limit = largest(limits)
	limited.least, limited.leastLimits = least, limits
	return &limited
}

// assignment is what the containers get. An absent limit is nil.
type assignment struct {
	requests, limits []*big.Int
	request, limit   *big.Int // of the pod: the largest sums
}

func (a *assignment) clone() *assignment {
	return &assignment{slices.Clone(a.requests), slices.Clone(a.limits), a.request, a.limit}
}

// raise returns the smallest assignment in which the requests of a term, or of another that grows with
// it, add up to the given request of the pod, and no limits to more than the given one; nil if there is
// none. Nothing is raised if the smallest amounts of the containers are enough.
//
// It goes through the term in its order, and adds to each container as much as still fits. This greedy
// order is optimal: take any solution that adds less to a container and more to a later one. Moving that
// amount forward, first the part that raises limits, keeps the sum of the term, and no sum of limits
// grows, because every sum that contains the earlier container contains the later one, too, or grows less
// with it.
func (p *pod) raise(term term, request, limit *big.Int) *assignment {
	if a, ok := p.fill(term, request, limit); ok {
		return a
	}
	return nil
}

// fill is raise, but raises the requests as far as possible if there is no such assignment, and ok is false.
func (p *pod) fill(term term, request, limit *big.Int) (_ *assignment, ok bool) {
	if isAbove := p.least.limit.Cmp(limit) > 0; isAbove || p.least.request.Cmp(request) >= 0 {
		return p.least, !isAbove
	}
	a, requests, limits := p.least.clone(), copies(p.leastRequests), copies(p.leastLimits)
	for _, i := range term {
		missing := difference(request, p.largestOf(requests, i))
		added := atMost(difference(p.spans[i].high, a.requests[i]), missing)
		if p.spans[i].limited {
			slack := difference(a.limits[i], a.requests[i])
			added = atMost(added, sum(slack, difference(limit, p.largestOf(limits, i))))
		}
		p.add(a.requests, requests, i, added)
		if p.spans[i].limited {
			p.add(a.limits, limits, i, atLeast(new(big.Int), difference(a.requests[i], a.limits[i])))
		}
		ok = added.Cmp(missing) == 0
		if ok {
			break
		}
	}
	a.request, a.limit = largest(requests), largest(limits)
	return a, ok
}

// largestOf returns the largest of the sums that a container is part of.
func (p *pod) largestOf(totals []*big.Int, i int) *big.Int {
	most := totals[p.within[i][0]]
	for _, t := range p.within[i] {
		most = atLeast(most, totals[t])
	}
	return most
}

// copies returns sums to be written, with words to grow into.
func copies(sums []*big.Int) []*big.Int {
	const words = 3
	all, copied, room := make([]*big.Int, len(sums)), make([]big.Int, len(sums)), make([]big.Word, words*len(sums))
	for t, total := range sums {
		all[t] = copied[t].SetBits(room[words*t : words*t : words*(t+1)]).Set(total)
	}
	return all
}

// add raises the amount of a container, and writes the sums, which nobody shares.
func (p *pod) add(amounts, totals []*big.Int, i int, added *big.Int) {
	if added.Sign() == 0 {
		return // as for most containers
	}
	amounts[i] = sum(amounts[i], added)
	for _, t := range p.within[i] {
		totals[t].Add(totals[t], added)
	}
}

// raiseLimit returns the assignment with the limit of one container raised until the limits of the pod
// add up to limit.
func (p *pod) raiseLimit(a *assignment, i int, limit *big.Int) *assignment {
	if a.limit.Cmp(limit) >= 0 {
		return a
	}
	a = a.clone()
	limits := totals(p.terms, a.limits)
	p.add(a.limits, limits, i, difference(limit, p.largestOf(limits, i)))
	a.limit = largest(limits)
	return a
}

// compare is negative if a is to be preferred: by the requests of the pod, by its limits,
// then by requests and by limits container by container, from the last to be raised.
func (p *pod) compare(a, b *assignment) int {
	if c := a.request.Cmp(b.request); c != 0 {
		return c
	}
	if c := a.limit.Cmp(b.limit); c != 0 {
		return c
	}
	for _, of := range [][2][]*big.Int{{a.requests, b.requests}, {a.limits, b.limits}} {
		for _, i := range slices.Backward(p.order) {
			if c := compareAbsent(of[0][i], of[1][i]); c != 0 {
				return c
			}
		}
	}
	return 0
}

// compareAbsent puts an absent amount before any other.
func compareAbsent(a, b *big.Int) int {
	if a == nil || b == nil {
		return ordering.TrueFirst(b != nil, a != nil)
	}
	return a.Cmp(b)
}
