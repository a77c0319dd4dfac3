package solver_test

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

// containerAllows checks the rules of the API server and the LimitRanger for one container, and the
// amounts that are set for it.
func (c *slowCase) containerAllows(chosen []slowConstraint, i, q, l int) bool {
	if l != absent && (q == absent || q > l) || c.together() && q != l {
		return false
	}
	for _, s := range chosen {
		switch {
		case s.rule == limitrange.Request && s.container == i && q != s.amount,
			s.rule == limitrange.Limit && s.container == i && l != s.amount,
			s.rule == limitrange.DefaultLimit && l == absent,
			s.rule == limitrange.DefaultRequest && q == absent,
			s.rule == limitrange.Remaining && c.must() && !c.statesWhole() && (s.limits && l == absent || !s.limits && q == absent),
			s.kind == corev1.LimitTypeContainer && !limitRangerAllows(s, q, l):
			return false
		}
	}
	return true
}

// limitRangerAllows is the check of one bound on a request and a limit.
func limitRangerAllows(s slowConstraint, q, l int) bool {
	switch s.rule {
	case limitrange.Min:
		return q != absent && q >= s.amount && (l == absent || l >= s.amount)
	case limitrange.Max:
		return l != absent && l <= s.amount && (q == absent || q <= s.amount)
	case limitrange.Ratio:
		return q > 0 && l > 0 && s.amount >= 1000 && l*1000 <= s.amount*q && float64(l)/float64(q)*1000 <= float64(s.amount)
	case limitrange.DefaultLimit, limitrange.DefaultRequest, limitrange.Remaining, limitrange.Overhead, limitrange.Request, limitrange.Limit:
		// Not rules of LimitRanger's.
	}
	return true
}

func (c *slowCase) statesWhole() bool {
	return slices.ContainsFunc(c.stated, func(s slowConstraint) bool { return s.container == -1 && s.rule >= limitrange.Request })
}

// wholeAllows checks the rules of the API server for the pod level. Amounts that the pod does not set
// stay absent, except a request with a limit, which the API server would set.
func (c *slowCase) wholeAllows(chosen []slowConstraint, a *slowAssignment) bool {
	find := func(in []slowConstraint, rule limitrange.Bound) int {
		return slices.IndexFunc(in, func(s slowConstraint) bool { return s.container == -1 && s.rule == rule })
	}
	q, l := find(chosen, limitrange.Request), find(chosen, limitrange.Limit)
	statedQ, statedL := find(c.stated, limitrange.Request) >= 0, find(c.stated, limitrange.Limit) >= 0
	switch {
	case q >= 0 && a.wholeRequest != chosen[q].amount, l >= 0 && a.wholeLimit != chosen[l].amount:
		return false
	case c.together():
		return a.wholeRequest == a.wholeLimit && (statedQ || statedL || a.wholeRequest == absent)
	case
		!statedQ && a.wholeLimit == absent && a.wholeRequest != absent, !statedL && a.wholeLimit != absent,
		a.wholeLimit != absent && (a.wholeRequest == absent || a.wholeRequest > a.wholeLimit):
		return false
	}
	return true
}

// podAllows checks the rules of LimitRanger and quotas for the pod, and of the API server for the
// containers with pod-level resources.
func (c *slowCase) podAllows(chosen []slowConstraint, a *slowAssignment) bool {
	q, l := c.effective(a.requests), c.effective(a.limits)
	forRanger := [2]int{q, l}
	if a.wholeRequest != absent {
		if q > a.wholeRequest {
			return false
		}
		q = a.wholeRequest
	}
	if whole := c.wholeLimit(a); whole != absent {
		for i, kind := range c.kinds {
			if kind == computeresources.App && a.limits[i] > whole {
				return false
			}
		}
		l = whole
	}
	if c.must() {
		forRanger = [2]int{q, l} // LimitRanger knows cpu and memory of the pod level
	}
	overhead := 0
	for _, s := range chosen {
		if s.rule == limitrange.Overhead {
			overhead = s.amount
		}
	}
	for _, s := range chosen {
		charge := max(q, 0) + overhead
		if s.limits {
			if charge = max(l, 0); charge > 0 {
				charge += overhead
			}
		}
		if s.rule == limitrange.Remaining && charge > 0 && charge > s.amount {
			return false
		}
		if s.kind == corev1.LimitTypePod && !limitRangerAllows(s, forRanger[0], forRanger[1]) {
			return false
		}
	}
	return overhead >= 0
}

// effective is the sum over the containers (KEP-753), absent if none sets an amount.
func (c *slowCase) effective(amounts []int) int {
	together, sidecars, peak, stated := 0, 0, 0, false
	for i, kind := range c.kinds {
		amount := max(amounts[i], 0)
		stated = stated || amounts[i] != absent
		switch kind {
		case computeresources.App:
			together += amount
		case computeresources.Sidecar:
			together += amount
			sidecars += amount
		case computeresources.Init:
			peak = max(peak, sidecars+amount)
		case computeresources.Pod:
			panic("the pod is not a container")
		}
	}
	if !stated {
		return absent
	}
	return max(together, peak)
}
