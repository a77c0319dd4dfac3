package solver_test

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The slow twin of RightSize: all requests and limits on a small grid are tried.

const (
	sizedRequests = 6  // no larger request is tried
	sizedLimits   = 16 // no larger limit
)

// slowSize is a slowCase with recommendations. What they replace is not in stated.
type slowSize struct {
	slowCase
	wants  []slowWant
	wholes []slowAssignment // what the spec allows at pod level
	spec   *corev1.PodSpec
	in     solver.Input
	recs   []solver.Recommendation
}

// slowWant is what is recommended for one container.
type slowWant struct {
	request        int // absent without a recommendation
	min, max       int // of the policy, 0 if not set
	limit, of      int // the limit is limit/of of the request; absent if there is none, and of if it is fixed
	setsLimit      bool
	ratioIsAllowed bool
}

// slowSizes draws small problems with recommendations.
func slowSizes(containers int, whole bool) *rapid.Generator[*slowSize] {
	return rapid.Custom(func(t *rapid.T) *slowSize {
		given := slowCases(containers, whole).Draw(t, "case")
		given.stated = slices.DeleteFunc(given.stated, func(s slowConstraint) bool {
			return s.rule < limitrange.Overhead && rapid.IntRange(0, 4).Draw(t, "drop") < 2 // most have no solution
		})
		c := &slowSize{slowCase: *given}
		if rapid.IntRange(0, 2).Draw(t, "ratio of the pod") == 0 { // one that few pods have
			given.stated = slices.DeleteFunc(given.stated, func(s slowConstraint) bool { return s.rule == limitrange.Ratio && s.kind == corev1.LimitTypePod })
			ratio := rapid.SampledFrom([]int{1000, 1500, 2000}).Draw(t, "ratio")
			given.stated = append(given.stated, slowConstraint{rule: limitrange.Ratio, kind: corev1.LimitTypePod, container: -2, amount: ratio})
		}
		spec, objects := given.given()
		c.spec, c.in = spec, inputOf(objects)
		c.stated = nil
		for _, s := range given.stated {
			if s.rule < limitrange.Request || s.container < 0 {
				c.stated = append(c.stated, s)
			}
		}
		i := 0
		for ref := range computeresources.Containers(spec) {
			c.want(t, given, i, ref)
			i++
		}
		last := absent
		if c.statesWhole() {
			last = grid
		}
		for q := absent; q <= last; q++ {
			for l := absent; l <= last; l++ {
				if whole := (slowAssignment{wholeRequest: q, wholeLimit: l}); c.wholeAllows(c.stated, &whole) {
					c.wholes = append(c.wholes, whole)
				}
			}
		}
		return c
	})
}

func (c *slowSize) want(t *rapid.T, given *slowCase, i int, ref computeresources.Ref) {
	w := slowWant{request: absent, limit: absent, of: absent}
	find := func(rule limitrange.Bound, container int, kind corev1.LimitType) int {
		for _, s := range given.stated {
			if s.rule == rule && s.container == container && s.kind == kind {
				return s.amount
			}
		}
		return absent
	}
	ofRange := func(rule limitrange.Bound) int { return find(rule, -2, corev1.LimitTypeContainer) }
	request, limit := find(limitrange.Request, i, ""), find(limitrange.Limit, i, "")
	keep := func(rule limitrange.Bound, amount int) {
		if amount != absent {
			c.stated = append(c.stated, slowConstraint{rule: rule, container: i, amount: amount})
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "recommended") == 0 {
		keep(limitrange.Request, request)
		keep(limitrange.Limit, limit)
		c.wants = append(c.wants, w)
		return
	}
	bound := rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4})
	w.request, w.min, w.max = rapid.IntRange(0, 4).Draw(t, "recommendation"), bound.Draw(t, "policy min"), bound.Draw(t, "policy max")
	rec := solver.Recommendation{
		Ref: ref, Requests: corev1.ResourceList{c.name: c.quantity(w.request)}, Min: corev1.ResourceList{c.name: c.quantity(w.min)}, Max: corev1.ResourceList{c.name: c.quantity(w.max)},
		KeepLimits: rapid.IntRange(0, 4).Draw(t, "keep limits") == 0, Source: computeresources.Source{Kind: "policy", Name: ref.Name},
	}
	c.recs = append(c.recs, rec)
	w.setsLimit = limit != absent
	within := func(amount int) int {
		if most := ofRange(limitrange.Max); amount != absent && most != absent {
			amount = min(amount, most)
		}
		if amount != absent {
			amount = max(amount, ofRange(limitrange.Min))
		}
		return amount
	}
	switch {
	case w.setsLimit && rec.KeepLimits:
		keep(limitrange.Limit, limit)
	case !w.setsLimit:
		limit = within(ofRange(limitrange.DefaultLimit))
		if request == absent {
			request = within(ofRange(limitrange.DefaultRequest))
		}
		fallthrough
	default:
		w.limit = limit
		switch {
		case c.together() || limit != absent && !rec.KeepLimits && (request <= 0 || limit <= request):
			w.limit, w.of = 1, 1
		case !rec.KeepLimits && limit != absent:
			w.of = request
		}
	}
	ratio := ofRange(limitrange.Ratio)
	w.ratioIsAllowed = ratio == absent || w.limit*1000 <= ratio*w.of
	c.wants = append(c.wants, w)
}

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
	var nearest []*slowAssignment
	all(own, func(a *slowAssignment) {
		by := 1
		if len(nearest) > 0 {
			by = nearer(nearest[0].requests, a.requests, wanted)
		}
		if by < 0 || !c.allows(c.stated, a) {
			return
		}
		if by > 0 {
			nearest = nil
		}
		nearest = append(nearest, a.clone())
	})
	for _, a := range nearest {
		if result == nil || c.limitsNearer(own, a, result) < 0 {
			result = a
		}
	}
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

// problem returns the case in words.
func (c *slowSize) problem() string {
	return fmt.Sprintf("%s of %v\nconstraints %+v\nwants %+v", c.name, c.kinds, c.stated, c.wants)
}

// amounts returns requests and limits of a result as those of the twin. An absent request is as good as zero,
// and so is an absent limit of what cannot be overcommitted.
func (c *slowSize) amounts(parts []solver.Part) (requests, limits []int) {
	read := func(list corev1.ResourceList) int {
		q, ok := list[c.name]
		switch {
		case !ok:
			return absent
		case c.name == "cpu":
			return int(q.MilliValue())
		}
		return int(q.Value())
	}
	for _, part := range parts[:len(c.kinds)] {
		requests, limits = append(requests, read(part.Requests)), append(limits, read(part.Limits))
	}
	return c.normal(requests, limits)
}

func (c *slowSize) normal(requests, limits []int) ([]int, []int) {
	for i := range requests {
		requests[i] = max(requests[i], 0)
		if c.together() {
			limits[i] = max(limits[i], 0)
		}
	}
	return requests, limits
}

// inputOf returns objects as a namespace has them.
func inputOf(o solver.Objects) (in solver.Input) {
	for i, item := range o.Items {
		in.LimitRanges = append(in.LimitRanges, rangeOf(fmt.Sprint("range-", i), item.Item))
	}
	for i, b := range o.Budgets {
		q := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{Hard: b.Remaining, Used: corev1.ResourceList{}}}
		q.Name = fmt.Sprint("quota-", i)
		for name := range b.Remaining {
			q.Status.Used[name] = milli(0)
		}
		in.Quotas = append(in.Quotas, q)
	}
	return in
}
