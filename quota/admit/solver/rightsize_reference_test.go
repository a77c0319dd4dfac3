package solver_test

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

// The slow twin of RightSize: all requests and limits on a small grid are tried.

const (
	sizedRequests = 6  // no larger request is tried
	sizedLimits   = 16 // no larger limit
)

// wantedLimit is the limit at the ratio, absent if there is none.
func (w *slowWant) wantedLimit(request int) int {
	if w.of == absent {
		return w.limit
	}
	return max(request, 0) * w.limit / w.of
}

// pairs returns the requests and limits that a container may have on its own.
func (c *slowSize) pairs(i int) (pairs [][2]int) {
	w := c.wants[i]
	for q := absent; q <= sizedRequests; q++ {
		for l := absent; l <= sizedLimits; l++ {
			if w.request != absent && (q == absent || w.min > 0 && q < w.min || w.max > 0 && q > w.max) || w.setsLimit && l == absent {
				continue
			}
			abovePod := slices.ContainsFunc(c.stated, func(s slowConstraint) bool {
				return s.rule == limitrange.Limit && s.container == -1 && c.kinds[i] == computeresources.App && l > s.amount
			})
			if !abovePod && c.containerAllows(c.stated, i, q, l) {
				pairs = append(pairs, [2]int{q, l})
			}
		}
	}
	return pairs
}

// following returns the pairs of a container whose limit follows from its request: at the ratio, if that
// is possible, and as near as possible otherwise.
func (c *slowSize) following(i int) (following [][2]int) {
	w, all := c.wants[i], c.pairs(i)
	if w.of != absent && w.ratioIsAllowed {
		for _, pair := range all {
			if pair[1] == w.wantedLimit(pair[0]) {
				following = append(following, pair)
			}
		}
		if len(following) > 0 {
			return following
		}
	}
	nearest := map[int][2]int{}
	for _, pair := range all {
		wanted, best := w.wantedLimit(pair[0]), pair
		if before, ok := nearest[pair[0]]; ok {
			best = before
			if wanted != absent && abs(pair[1]-wanted) < abs(before[1]-wanted) {
				best = pair
			}
		}
		nearest[pair[0]] = best
	}
	for _, pair := range nearest {
		following = append(following, pair)
	}
	return following
}

func abs(v int) int { return max(v, -v) }

// all yields all combinations of pairs of the containers.
func all(pairs [][][2]int, yield func(a *slowAssignment)) {
	a := &slowAssignment{requests: make([]int, len(pairs)), limits: make([]int, len(pairs)), wholeRequest: absent, wholeLimit: absent}
	var next func(i int)
	next = func(i int) {
		if i == len(pairs) {
			yield(a)
			return
		}
		for _, pair := range pairs[i] {
			a.requests[i], a.limits[i] = pair[0], pair[1]
			next(i + 1)
		}
	}
	next(0)
}

// allows reports whether constraints of the pod allow amounts, with any amounts at pod level that the
// spec allows.
func (c *slowSize) allows(chosen []slowConstraint, a *slowAssignment) bool {
	return slices.ContainsFunc(c.wholes, func(whole slowAssignment) bool {
		whole.requests, whole.limits = a.requests, a.limits
		return c.podAllows(chosen, &whole)
	})
}

// withinMaxima ignores the minima and ratios of the pod, and whether a limit is set.
func (c *slowSize) withinMaxima(a *slowAssignment) bool {
	chosen := slices.DeleteFunc(slices.Clone(c.stated), func(s slowConstraint) bool {
		return s.kind == corev1.LimitTypePod && s.rule != limitrange.Max
	})
	if slices.Max(append(a.limits, absent)) == absent {
		a = a.clone()
		for i := range a.limits {
			a.limits[i] = 0
		}
	}
	return c.allows(chosen, a)
}

// withinMinima ignores the maxima of the pod, and its ratios but for that they need amounts above zero.
func (c *slowSize) withinMinima(a *slowAssignment) bool {
	var chosen []slowConstraint
	for _, s := range c.stated {
		switch {
		case s.kind == corev1.LimitTypePod && s.rule == limitrange.Ratio:
			s.rule, s.amount = limitrange.Min, 1
			chosen = append(chosen, s)
		case s.rule != limitrange.Remaining && (s.kind != corev1.LimitTypePod || s.rule == limitrange.Min):
			chosen = append(chosen, s)
		}
	}
	return slices.ContainsFunc(c.wholes, func(whole slowAssignment) bool {
		whole.requests, whole.limits = a.requests, a.limits
		if whole.wholeRequest != absent { // which is a maximum, too
			whole.wholeRequest = max(whole.wholeRequest, c.effective(a.requests))
		}
		return c.podAllows(chosen, &whole)
	})
}

// isBeyond reports whether amounts are larger than all that are tried: few containers can make up for a ratio
// of the pod.
func isBeyond(requests, limits []int) bool {
	return slices.ContainsFunc(requests, func(v int) bool { return v > sizedRequests }) || slices.ContainsFunc(limits, func(v int) bool { return v > sizedLimits })
}

// nearer is negative if the amounts a are nearer to the wanted ones than b.
func nearer(a, b, wanted []int) int {
	type unit struct{ container, number int }
	share := func(x, y unit) int { // by ascending share
		v, w := max(wanted[x.container], 0), max(wanted[y.container], 0)
		if v == 0 && w == 0 {
			return cmp.Or(cmp.Compare(x.number, y.number), cmp.Compare(x.container, y.container))
		}
		return cmp.Or(cmp.Compare(x.number*w, y.number*v), cmp.Compare(x.container, y.container))
	}
	var below, above []unit
	for i := range wanted {
		for n := 1; n <= sizedLimits; n++ {
			if n <= wanted[i] {
				below = append(below, unit{i, n})
			} else {
				above = append(above, unit{i, n})
			}
		}
	}
	slices.SortFunc(below, share)
	slices.SortFunc(above, func(x, y unit) int { return share(y, x) })
	has := func(amounts []int, u unit) int {
		if amounts[u.container] >= u.number {
			return 1
		}
		return 0
	}
	for _, u := range below {
		if by := has(b, u) - has(a, u); by != 0 {
			return by
		}
	}
	for _, u := range above {
		if by := has(a, u) - has(b, u); by != 0 {
			return by
		}
	}
	return 0
}

// size returns the nearest assignment that is admitted, nil if there is none, and whether ratios were given up.
func (c *slowSize) size() (result *slowAssignment, gaveUp bool) {
	var wanted []int
	var own, following [][][2]int
	for i, w := range c.wants {
		wanted = append(wanted, w.request)
		own, following = append(own, c.pairs(i)), append(following, c.following(i))
	}
	for _, within := range []func(*slowAssignment) bool{c.withinMaxima, c.withinMinima} {
		var nearest []*slowAssignment // of equal amounts, absent or zero
		all(following, func(a *slowAssignment) {
			by := 1
			if len(nearest) > 0 {
				by = nearer(nearest[0].requests, a.requests, wanted)
			}
			if by < 0 || !within(a) {
				return
			}
			if by > 0 {
				nearest = nil
			}
			nearest = append(nearest, a.clone())
		})
		for _, a := range nearest {
			if c.allows(c.stated, a) {
				return a, false
			}
		}
	}
	all(own, func(a *slowAssignment) {
		by := 1
		if result != nil {
			by = nearer(result.requests, a.requests, wanted)
		}
		if by < 0 || !c.allows(c.stated, a) || by == 0 && c.limitsNearer(own, a, result) >= 0 {
			return
		}
		result = a.clone()
	})
	return result, true
}

// limitsNearer compares limits beside the same requests.
func (c *slowSize) limitsNearer(own [][][2]int, a, b *slowAssignment) int {
	optional := func(a *slowAssignment) (at []int) { // limits that need not be set
		for i, l := range a.limits {
			if l != absent && slices.Contains(own[i], [2]int{a.requests[i], absent}) {
				at = append(at, i)
			}
		}
		return at
	}
	x, y := optional(a), optional(b)
	wanted := make([]int, len(c.wants))
	for i := range c.wants {
		if limit := c.wants[i].wantedLimit(a.requests[i]); limit != absent && !slices.Contains(x, i) {
			wanted[i] = limit
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), slices.Compare(x, y), nearer(a.limits, b.limits, wanted))
}
