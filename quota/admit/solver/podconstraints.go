package solver

import (
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/internal/limitranger"
)

// needs is what a pod has to satisfy as one: by LimitRange items of type Pod, by quotas,
// and by what the spec sets at pod level. It is about the largest sum over
// the containers (see terms).
type needs struct {
	request, mostRequest *big.Int // bounds of the requests
	limit, mostLimit     *big.Int // bounds of the limits, where there is one
	ratio                *ratio
	someRequest          bool // some container must set a request
	someLimit            bool // some container must set a limit
	feasibleOnly         bool // not the best solution is looked for, but any
	someUnlimited        bool // some container must not set a limit
	// wholeRequest is the smallest pod-level request for those of the containers; nil if
	// there is no pod-level request.
	podLevelRequest *big.Int
}

// keepsUnlimited reports whether the container without a limit, of which there is one, gets none.
func (n *needs) keepsUnlimited(spans []span) bool {
	unlimited := 0
	for _, s := range spans {
		if !s.limited {
			unlimited++
		}
	}
	return n.someUnlimited && unlimited == 1
}

// admit reports whether the pod as one may have the amounts of its containers.
func (n *needs) admit(a *assignment) bool {
	anyLimit := slices.ContainsFunc(a.limits, func(limit *big.Int) bool { return limit != nil })
	return a.request.Cmp(n.mostRequest) <= 0 && a.request.Cmp(n.request) >= 0 && (!n.someLimit || anyLimit) &&
		(!anyLimit || a.limit.Cmp(n.limit) >= 0) && a.limit.Cmp(n.limitBeside(a.request)) <= 0
}

// needs returns what the pod as one has to satisfy, and whether that can be.
func (d *demands) needs() (needs, bool) {
	switch {
	case !d.setsPodLevelRequest && !d.setsPodLevelLimit:
		return d.needsOfContainers(), true
	case limitranger.CountsPodLevel(d.name):
		return d.needsBesidePodLevel()
	default:
		return d.needsBesidePodLevelPages()
	}
}

// needsOfContainers is for a pod that sets nothing at pod level: all constraints are about
// its containers. LimitRanger leaves overhead out. Quotas count it, but for limits only
// where the pod has any: without, there is always room.
func (d *demands) needsOfContainers() needs {
	n := needs{request: new(big.Int), mostRequest: d.unbounded, limit: new(big.Int), mostLimit: d.unbounded}
	if d.podMin != nil {
		n.request, n.limit, n.someRequest = atLeast(n.request, d.podMin), atLeast(n.limit, d.podMin), true
	}
	if d.podMax != nil {
		n.mostRequest, n.mostLimit, n.someLimit = d.podMax, d.podMax, true
	}
	if d.podRatio != nil {
		one := big.NewInt(1) // neither may be zero
		n.request, n.limit = atLeast(n.request, one), atLeast(n.limit, one)
		n.ratio, n.someRequest, n.someLimit = d.podRatio, true, true
	}
	if d.requestsLeft != nil {
		n.mostRequest = atMost(n.mostRequest, difference(d.requestsLeft, d.overhead))
	}
	if d.limitsLeft != nil {
		n.mostLimit = atMost(n.mostLimit, atLeast(new(big.Int), difference(d.limitsLeft, d.overhead)))
	}
	return n
}

// needsBesidePodLevel is for a pod that sets cpu or memory at pod level: then all constraints apply to
// these amounts, and the containers may request no more.
func (d *demands) needsBesidePodLevel() (needs, bool) {
	n := d.needsOfContainers()
	n.podLevelRequest, n.request, n.someRequest = n.request, new(big.Int), false
	n.someUnlimited = d.limitsNotAll
	if d.limitsAll { // the limit of the pod is at least its request
		n.mostRequest, n.limit, n.someLimit = atMost(n.mostRequest, n.mostLimit), new(big.Int), false
	}
	if d.podRequest != nil {
		n.podLevelRequest, n.mostRequest = atLeast(n.podLevelRequest, d.podRequest), atMost(n.mostRequest, d.podRequest)
	}
	if d.podLimit != nil {
		n.mostRequest = atMost(n.mostRequest, d.podLimit)
		if d.podLimit.Cmp(n.limit) < 0 || d.podLimit.Cmp(n.mostLimit) > 0 {
			return n, false
		}
		if n.ratio != nil {
			n.podLevelRequest = atLeast(n.podLevelRequest, n.ratio.leastRequest(d.podLimit))
		}
	}
	if n.podLevelRequest.Cmp(n.mostRequest) > 0 {
		return n, false
	}
	switch {
	case d.setsPodLevelLimit: // the limits of containers no longer count
		n.limit, n.mostLimit, n.someLimit = new(big.Int), d.unbounded, false
	case n.ratio != nil:
		n.mostLimit = atMost(n.mostLimit, n.ratio.mostLimit(n.mostRequest))
	}
	n.ratio = nil
	return n, true
}

// needsBesidePodLevelPages is for a pod that sets hugepages at pod level, where request and
// limit are the same: quotas count that, but LimitRanger the containers.
func (d *demands) needsBesidePodLevelPages() (needs, bool) {
	whole := d.podRequest
	if whole == nil {
		whole = d.podLimit
	}
	if whole == nil {
		return d.needsOfContainers(), true
	}
	if d.podLimit != nil && whole.Cmp(d.podLimit) != 0 {
		return needs{}, false
	}
	if charge := sum(whole, d.overhead); d.requestsLeft != nil && charge.Cmp(d.requestsLeft) > 0 {
		return needs{}, false
	}
	ofContainers := *d
	ofContainers.requestsLeft = nil
	n := ofContainers.needsOfContainers()
	n.mostRequest = atMost(n.mostRequest, whole)
	n.podLevelRequest = whole
	return n, true
}
