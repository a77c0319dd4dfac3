package solver

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/internal/bisect"
	"github.com/kubemath/kubemath/internal/limitranger"
)

// solution is the smallest solution of the constraints on one resource.
type solution struct {
	*assignment
	needs needs
}

// solve returns the least solution, or nil if the demands contradict each other.
//
// First each container gets the smallest amounts that it may have on its own; if these satisfy the
// constraints of the pod, they are the answer. Otherwise the requests of the pod have to be raised, and
// it is enough to raise those of one of its terms, because the request of the pod is that of its largest
// term. Or a container that needs no limit has to get one, and one is enough: any limits of other
// containers could be dropped, and this one raised instead. So every term, and every such container, is
// tried.
func (d *demands) solve() *solution {
	if d.impossible {
		return nil
	}
	room := d.takeRoom()
	spans, ok := d.spansIn(room)
	switch {
	case !ok:
		return nil
	case d.hasFreePodLimit():
		if s := d.withoutPodLimit().solve(); s != nil {
			return s
		}
		return d.withLeastPodLimit(newPod(d.shape, spans).least).solve()
	case d.derivesPodLimit():
		return d.solveWithDerivedLimit()
	case d.limitsNotAll && !d.hasZeroLimit && !slices.ContainsFunc(spans, isUnlimited):
		return d.solveWithZeroLimit(spans)
	}
	n, ok := d.needs()
	n.feasibleOnly = d.feasibleOnly
	if !ok || n.someRequest && len(spans) == 0 {
		return nil
	}
	p := newPodIn(room, d.shape, spans)
	if !p.canRaise(&n) {
		return nil
	}
	if n.someLimit && !p.anyLimit() || p.anyLimit() && p.anyUnlimited() && p.least.limit.Cmp(n.limit) < 0 {
		return n.solution(p.bestOfLimited(&n))
	}
	if !p.anyLimit() {
		n.limit = new(big.Int) // a missing limit need not be so large
	}
	if n.limit.Cmp(atLeast(n.request, p.least.limit)) > 0 {
		return n.solution(p.bestByLimits(&n, d.ratio))
	}
	return n.solution(p.best(&n, -1))
}

// hasFreePodLimit reports whether a pod-level limit is set, but is not one of the constraints: it may be absent, or
// have the smallest value that its containers allow.
func (d *demands) hasFreePodLimit() bool {
	return d.setsPodLevelLimit && d.podLimit == nil && limitranger.CountsPodLevel(d.name)
}

// withoutPodLimit returns the demands on a pod without a pod-level limit.
func (d *demands) withoutPodLimit() *demands {
	without, system := *d, *d.system
	system.setsPodLevelLimit = false
	without.system = &system
	return &without
}

// withLeastPodLimit returns the demands on a pod with the smallest pod-level limit beside amounts.
func (d *demands) withLeastPodLimit(a *assignment) *demands {
	n := d.needsOfContainers()
	low := atLeast(atLeast(n.limit, n.request), a.request)
	if d.podRequest != nil {
		low = atLeast(low, d.podRequest)
	}
	for i, limit := range a.limits {
		if limit != nil && heldToPodLimit(d.kinds[i]) {
			low = atLeast(low, limit)
		}
	}
	with := *d
	with.podLimit = low
	return &with
}

// derivesPodLimit reports whether the server sets the pod-level limit if all containers have one: to the sum of
// these or to the pod-level request, whichever is more. Whether all have one is decided before the rest is solved.
func (d *demands) derivesPodLimit() bool {
	return d.setsPodLimitByDefault && !d.limitsAll && !d.limitsNotAll && len(d.kinds) > 0 &&
		d.setsPodLevelRequest && !d.setsPodLevelLimit && limitranger.CountsPodLevel(d.name)
}

// withDerivedLimit returns the demands on a pod of which not all containers have a limit, and of which all have one.
func (d *demands) withDerivedLimit() (notAll, all *demands) {
	without, with := *d, *d
	without.limitsNotAll = true
	with.limitsAll, with.limited = true, true
	return &without, &with
}

// solveWithDerivedLimit is solve if the server derives the pod-level limit.
func (d *demands) solveWithDerivedLimit() *solution {
	notAll, all := d.withDerivedLimit()
	a, b := notAll.solve(), all.solve()
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	// The limit of the pod is at least its request, which is the same in both.
	whole := b.clone()
	whole.request, whole.limit = a.request, atLeast(b.limit, b.needs.podLevelRequest)
	if newPod(d.shape, make([]span, len(d.kinds))).compare(whole, a.assignment) < 0 {
		return b
	}
	return a
}

// solveWithZeroLimit is solve if all containers have a limit, but the server should not derive the pod-level limit
// from them: one of them has to be zero.
func (d *demands) solveWithZeroLimit(spans []span) (best *solution) {
	if !d.omitsZeroLimits {
		return nil
	}
	for i, stated := range d.limits {
		if stated != nil && stated.Sign() > 0 {
			continue
		}
		with := *d
		with.hasZeroLimit, with.limits = true, slices.Clone(d.limits)
		with.limits[i] = new(big.Int)
		s := with.solve()
		if best == nil || s != nil && newPod(d.shape, spans).compare(s.assignment, best.assignment) < 0 {
			best = s
		}
	}
	return best
}

func (n needs) solution(a *assignment) *solution {
	if a == nil {
		return nil
	}
	return &solution{a, n}
}

func (p *pod) anyLimit() bool {
	return slices.ContainsFunc(p.spans, func(s span) bool { return s.limited })
}

func (p *pod) anyUnlimited() bool {
	return slices.ContainsFunc(p.spans, isUnlimited)
}

func isUnlimited(s span) bool { return !s.limited }

// canRaise reports whether the requests of the pod can be raised as required, regardless of its limits.
// Otherwise there is nothing to try.
func (p *pod) canRaise(n *needs) bool {
	request := atLeast(p.least.request, n.request)
	if request.Cmp(n.mostRequest) > 0 || p.least.limit.Cmp(n.mostLimit) > 0 {
		return false
	}
	limit := new(big.Int)
	for _, s := range p.spans {
		limit.Add(limit, atLeast(s.high, s.limitLow))
	}
	return slices.ContainsFunc(p.terms, func(term term) bool { return p.raise(term, request, limit) != nil })
}

// bestOfLimited returns the best assignment in which one of the containers that need no limit has one, or
// one of the others raises its own: nothing bounds it then but what the spec sets.
func (p *pod) bestOfLimited(n *needs) *assignment {
	var best *assignment
	for i, s := range p.spans {
		switch {
		case !s.limited && n.keepsUnlimited(p.spans):
		case !s.limited:
			best = p.better(best, p.limiting(i).best(n, i))
		case s.limitLow.Cmp(s.limitHigh) < 0:
			best = p.better(best, p.best(n, i))
		}
		if best != nil && n.feasibleOnly {
			break
		}
	}
	return best
}

// best returns the best assignment over all terms, nil if there is none. The limit of container i, if i
// is not negative, may be raised on its own.
func (p *pod) best(n *needs, i int) *assignment {
	var best *assignment
	for _, term := range p.terms {
		// A term that cannot reach the best request so far cannot reach a smaller one.
		if best == nil || p.raise(term, best.request, n.limitBeside(best.request)) != nil {
			best = p.better(best, p.raiseTo(n, term, i))
		}
		if best != nil && (n.feasibleOnly || best.request == p.least.request) {
			break // nothing had to be raised
		}
	}
	return best
}

func (p *pod) better(a, b *assignment) *assignment {
	if a == nil || b != nil && p.compare(b, a) < 0 {
		return b
	}
	return a
}

// raiseTo returns the best assignment that raises the requests of one term. The limits of the pod grow at
// most as much as its requests, so the ratio, which is at least one, holds for all requests from some
// request on: bisection finds the smallest one, and then the smallest limit for it.
func (p *pod) raiseTo(n *needs, term term, i int) *assignment {
	request := p.leastRequest(n, term, atLeast(p.least.request, n.request))
	a := p.raise(term, request, n.limitBeside(request))
	if a == nil {
		return nil
	}
	if !n.feasibleOnly {
		low := atLeast(p.least.limit, n.limit)
		limit := bisect.First(low, atLeast(low, a.limit),
			func(limit *big.Int) bool { return p.raise(term, request, limit) != nil })
		a = p.raise(term, request, limit)
	}
	if i >= 0 {
		a = p.raiseLimit(a, i, n.limit)
	}
	if a.request.Cmp(n.mostRequest) > 0 || a.limit.Cmp(n.mostLimit) > 0 || a.limit.Cmp(n.limit) < 0 {
		return nil
	}
	return a
}

// limitBeside returns the largest limit that the pod may have with a request.
func (n *needs) limitBeside(request *big.Int) *big.Int {
	if n.ratio == nil {
		return n.mostLimit
	}
	return atMost(n.mostLimit, n.ratio.mostLimit(request))
}

// leastRequest returns the smallest request of the pod, from low on, that is valid with the resulting
// limits. If any is enough, it returns the largest that the maxima allow. If there is none, it returns one that later
// checks refuse. What is valid remains so with larger
// requests: see raiseTo.
func (p *pod) leastRequest(n *needs, term term, low *big.Int) *big.Int {
	switch {
	case n.ratio == nil:
		return low
	case n.feasibleOnly:
		a, _ := p.fill(term, n.mostRequest, n.mostLimit)
		return atLeast(low, a.request)
	}
	high := new(big.Int)
	for _, i := range term {
		high.Add(high, p.spans[i].high)
	}
	high = atLeast(low, atMost(high, n.mostRequest))
	valid := func(request *big.Int) bool {
		limit := n.ratio.mostLimit(request)
		return limit.Cmp(n.limit) >= 0 && p.raise(term, request, limit) != nil
	}
	if !valid(high) {
		return high // nor is any smaller one
	}
	return bisect.First(low, high, valid)
}
