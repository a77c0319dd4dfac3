package solver

import (
	"math/big"
	"slices"
)

// sizing looks for the amounts nearest to what is wanted, in units of a resource: see RightSize.
type sizing struct {
	*demands
	pod   *pod
	needs needs
	// mostLimit is that of the needs, but for a Pod ratio beside a pod-level request: a ratio is no maximum.
	mostLimit *big.Int
	wanted    []*big.Int // requests; zero where nothing is wanted
	kept      []bool     // the container has a ratio, and keeps it
	gaveUp    bool       // no container can keep its ratio
	// limits are those for the last requests, most of which are asked for again.
	lastRequests, limits []*big.Int
}

// rightSize returns the nearest solution of demands that have one, and the sizing that it was found
// with: one without kept ratios if they cannot be kept.
func (d *demands) rightSize() (*solution, *sizing) {
	if d.derivesPodLimit() {
		notAll, all := d.withDerivedLimit()
		if notAll.solve() != nil {
			return notAll.rightSize()
		}
		return all.rightSize()
	}
	spans, _ := d.spans()
	n, _ := d.needs()
	withoutRatio := *d
	withoutRatio.podRatio = nil
	maxima, _ := withoutRatio.needs()
	containers := len(d.kinds)
	z := &sizing{demands: d, pod: newPod(d.shape, spans), needs: n, mostLimit: maxima.mostLimit,
		kept: make([]bool, containers), lastRequests: make([]*big.Int, containers), limits: make([]*big.Int, containers)}
	for i := range d.kinds {
		request := new(big.Int)
		if w := d.wants[i]; w != nil {
			request = ceil(w.request, d.unit)
		}
		z.wanted = append(z.wanted, request)
	}
	if a := z.keepingRatios(); a != nil {
		return &solution{a, n}, z
	}
	z.kept, z.gaveUp = make([]bool, len(d.kinds)), true
	return &solution{z.givingUpRatios(), n}, z
}

// keepingRatios returns the nearest amounts of which each container that can keeps its ratio, nil if
// the pod has bounds that they do not satisfy.
func (z *sizing) keepingRatios() *assignment {
	spans := slices.Clone(z.pod.spans)
	for i := range spans {
		if high := z.mostAtRatio(i); high != nil && high.Cmp(spans[i].low) >= 0 {
			spans[i].high, z.kept[i] = atMost(spans[i].high, high), true
		}
	}
	within := requestBounds(spans)
	if !z.belowMaxima(within.low) {
		return nil
	}
	wanted := within.clamp(z.wanted)
	requests := shareUp(within.low, wanted, z.wanted, z.belowMaxima)
	if !z.aboveMinima(requests) && z.aboveMinima(within.high) {
		requests = shareDown(within.high, wanted, z.wanted, z.aboveMinima) // above the maxima of a pod that is cut
	}
	a := z.assignment(requests)
	if !z.needs.admit(a) {
		return nil
	}
	return a
}

// mostAtRatio returns the largest request for which the limit at the ratio is within the bounds of the
// container, nil if the container has no ratio, or one above that of a LimitRange.
func (z *sizing) mostAtRatio(i int) *big.Int {
	w := z.wants[i]
	if w == nil || w.of == nil || z.ratio != nil && !z.ratio.allows(w.limit, w.of) {
		return nil
	}
	// The largest request with request·limit/of < limitHigh+1.
	past := new(big.Int).Mul(sum(z.pod.spans[i].limitHigh, big.NewInt(1)), w.of)
	return floor(past.Sub(past, big.NewInt(1)), w.limit)
}

// wantedLimit returns the limit that a container wants for a request, nil if it has the smallest.
func (z *sizing) wantedLimit(i int, request *big.Int) *big.Int {
	w := z.wants[i]
	switch {
	case w == nil || w.limit == nil:
		return nil
	case w.of == nil:
		return floor(w.limit, z.unit)
	default:
		return portion(request, w.limit, w.of)
	}
}

// limit returns the limit nearest to the wanted one that the bounds of the container allow beside a
// request, nil if it has none.
func (z *sizing) limit(i int, request *big.Int) *big.Int {
	s := &z.pod.spans[i]
	if !s.limited {
		return nil
	}
	low, high := z.limitBounds(i, request)
	if wanted := z.wantedLimit(i, request); wanted != nil {
		return atMost(atLeast(wanted, low), high)
	}
	return low
}

// limitBounds returns the bounds of the limit of a container for a request.
func (z *sizing) limitBounds(i int, request *big.Int) (low, high *big.Int) {
	s := &z.pod.spans[i]
	low, high = atLeast(s.limitLow, request), s.limitHigh
	if z.ratio != nil && request.Sign() > 0 {
		high = atMost(high, z.ratio.mostLimit(request))
	}
	return low, high
}

// setWanted sets the requests of containers with a recommendation, so that they are written even if they are
// zero.
func (d *demands) setWanted(requests []*big.Int) {
	for i, w := range d.wants {
		if w != nil {
			d.requests[i] = requests[i]
		}
	}
}

// limitsBeside returns the limits of containers for requests, until the next call.
func (z *sizing) limitsBeside(requests []*big.Int) []*big.Int {
	for i, request := range requests {
		if z.lastRequests[i] != request {
			z.lastRequests[i], z.limits[i] = request, z.limit(i, request)
		}
	}
	return z.limits
}

func (z *sizing) assignment(requests []*big.Int) *assignment {
	limits := slices.Clone(z.limitsBeside(requests))
	return &assignment{requests, limits, z.pod.total(requests), z.pod.total(limits)}
}

// belowMaxima reports whether requests, and their limits, are within the maxima of the pod.
func (z *sizing) belowMaxima(requests []*big.Int) bool {
	return z.pod.total(requests).Cmp(z.needs.mostRequest) <= 0 &&
		z.pod.total(z.limitsBeside(requests)).Cmp(z.mostLimit) <= 0
}

// aboveMinima reports whether requests, and their limits, are within the minima of the pod.
func (z *sizing) aboveMinima(requests []*big.Int) bool {
	return z.pod.total(requests).Cmp(z.needs.request) >= 0 &&
		(!z.pod.anyLimit() || z.pod.total(z.limitsBeside(requests)).Cmp(z.needs.limit) >= 0)
}

// givingUpRatios returns the nearest amounts if limits need no ratio.
func (z *sizing) givingUpRatios() *assignment {
	within := requestBounds(z.pod.spans)
	room := newRoom(len(z.kinds))
	isFeasible := func(low, high []*big.Int) bool {
		d := *z.demands
		d.floors, d.ceilings, d.feasibleOnly, d.room = low, high, true, room
		return d.solve() != nil
	}
	least := shareUp(within.low, within.clamp(z.wanted), z.wanted, func(requests []*big.Int) bool {
		return isFeasible(requests, within.high)
	})
	requests := shareDown(within.high, least, z.wanted, func(requests []*big.Int) bool {
		return isFeasible(least, requests)
	})
	a := &assignment{requests: requests, request: z.pod.total(requests)}
	a.limits = z.nearestLimits(a)
	a.limit = z.pod.total(a.limits)
	return a
}

// nearestLimits returns the limits nearest to the wanted ones beside the requests of a, for which there
// are any.
func (z *sizing) nearestLimits(a *assignment) []*big.Int {
	var within bounds
	var wanted []*big.Int
	for i, s := range z.pod.spans {
		limit, low, high := new(big.Int), new(big.Int), new(big.Int) // no limit
		if s.limited {
			low, high = z.limitBounds(i, a.requests[i])
			if l := z.wantedLimit(i, a.requests[i]); l != nil {
				limit = l
			}
		}
		within.low, within.high, wanted = append(within.low, low), append(within.high, high), append(wanted, limit)
	}
	n, most := &z.needs, z.needs.limitBeside(a.request)
	valid := func(limits []*big.Int) bool { return z.pod.total(limits).Cmp(most) <= 0 }
	enough := func(limits []*big.Int) bool { return z.pod.total(limits).Cmp(n.limit) >= 0 }
	added := -1 // the container that gets a limit only because one must
	lacksLimit := n.someLimit && !z.pod.anyLimit() || z.pod.anyLimit() && !enough(within.high)
	if lacksLimit && !n.keepsUnlimited(z.pod.spans) {
		for i, s := range z.pod.spans {
			low, high := z.limitBounds(i, a.requests[i])
			if b := within.with(i, low, high); !s.limited && low.Cmp(high) <= 0 && valid(b.low) && enough(b.high) {
				within, added = b, i
				break
			}
		}
	}
	limits := shareUp(within.low, within.clamp(wanted), wanted, valid)
	if (added >= 0 || z.pod.anyLimit()) && !enough(limits) {
		limits = shareDown(within.high, limits, wanted, enough)
	}
	for i, s := range z.pod.spans {
		if !s.limited && i != added {
			limits[i] = nil
		}
	}
	return limits
}

// bounds are the smallest and the largest amounts of containers.
type bounds struct{ low, high []*big.Int }

// requestBounds returns the smallest and the largest requests of spans.
func requestBounds(spans []span) (b bounds) {
	for _, s := range spans {
		b.low, b.high = append(b.low, s.low), append(b.high, s.high)
	}
	return b
}

// with returns a copy with other bounds for one container.
func (b bounds) with(i int, low, high *big.Int) bounds {
	b = bounds{slices.Clone(b.low), slices.Clone(b.high)}
	b.low[i], b.high[i] = low, high
	return b
}

// clamp returns the amounts nearest to others within the bounds.
func (b bounds) clamp(amounts []*big.Int) []*big.Int {
	clamped := make([]*big.Int, len(amounts))
	for i := range amounts {
		clamped[i] = atMost(atLeast(amounts[i], b.low[i]), b.high[i])
	}
	return clamped
}
