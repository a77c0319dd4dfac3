package solver_test

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit/solver"
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
		in.Quotas, in.Replicas = append(in.Quotas, q), b.Replicas
	}
	in.Kubernetes = o.Kubernetes
	return in
}
