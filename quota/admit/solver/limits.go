package solver

import "math/big"

// This file raises limits where requests need not grow with them. That is for a pod that
// sets a request, but no limit, at pod level, and whose containers all must have limits:
// a Pod minimum is then met by its request, but not by the limits of its containers. In
// any other case limits grow with requests.

// bestByLimits returns the best assignment in which the limits of one term are raised, nil if there is
// none; requests grow only where the ratio of the containers requires it.
func (p *pod) bestByLimits(n *needs, r *ratio) *assignment {
	var best *assignment
	for _, term := range p.terms {
		a := p.least.clone()
		p.raiseLimits(a, term, n.limit, r)
		if r != nil && a.limit.Cmp(n.limit) < 0 {
			grown := p.least.clone()
			grown.requests = p.grownRequests(a, term, n.limit, r)
			// Again from the start, so that the first containers take all that
			// their requests allow.
			p.raiseLimits(grown, term, n.limit, r)
			a = grown
		}
		if a.limit.Cmp(n.limit) >= 0 && a.limit.Cmp(n.mostLimit) <= 0 && a.request.Cmp(n.mostRequest) <= 0 {
			best = p.better(best, a)
		}
	}
	return best
}

// raiseLimits raises the limits of the pod towards limit, within what the requests of a term
// allow, in its order.
func (p *pod) raiseLimits(a *assignment, term term, limit *big.Int, r *ratio) {
	for i, least := range a.limits {
		a.limits[i] = atLeast(least, a.requests[i])
	}
	limits := totals(p.terms, a.limits)
	for _, i := range term {
		most := p.spans[i].limitHigh
		if r != nil {
			most = atMost(most, r.mostLimit(a.requests[i]))
		}
		p.add(a.limits, limits, i, p.missing(a, limits, i, most, limit))
	}
	a.request, a.limit = p.total(a.requests), largest(limits)
}

// grownRequests returns the requests that allow the limits of the pod to add up to limit, if the requests
// of a do not allow it, although its limits are as large as they allow.
func (p *pod) grownRequests(a *assignment, term term, limit *big.Int, r *ratio) []*big.Int {
	limits := totals(p.terms, a.limits)
	for _, i := range term {
		more := p.missing(a, limits, i, p.spans[i].limitHigh, limit)
		p.add(a.limits, limits, i, more)
		if more.Sign() > 0 {
			a.requests[i] = atLeast(a.requests[i], r.leastRequest(a.limits[i]))
		}
	}
	return a.requests
}

// missing returns how much the limit of a container has to grow, at most to its maximum, to
// bring one of its sums to limit.
func (p *pod) missing(a *assignment, totals []*big.Int, i int, most, limit *big.Int) *big.Int {
	room := atMost(difference(most, a.limits[i]), difference(limit, p.largestOf(totals, i)))
	return atLeast(room, new(big.Int))
}
