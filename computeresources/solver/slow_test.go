package solver_test

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/solver"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The slow twin: one resource in small whole numbers, all assignments tried.

const (
	absent = -1
	grid   = 9 // no amount that is tried is larger

	pages corev1.ResourceName = "hugepages-1" // of one byte each
)

// kindOf a container, as in the spec.
type kindOf = computeresources.Kind

// slowCase is a problem on one resource. Everything that a pod or an object states is in
// stated, in the order in which the solver reports constraints.
type slowCase struct {
	name   corev1.ResourceName
	kinds  []kindOf // of init containers first, then of app containers
	stated []slowConstraint
}

type slowConstraint struct {
	rule      solver.Rule
	kind      corev1.LimitType
	source    string
	container int // -1 is the pod
	limits    bool
	amount    int // thousandths for ratios
}

func (c *slowCase) must() bool     { return c.name == "cpu" || c.name == "memory" }
func (c *slowCase) together() bool { return c.name == "example.com/gpu" || c.name == pages }

// quantity writes an amount: thousandths of cpu, and units of anything else.
func (c *slowCase) quantity(amount int) resource.Quantity {
	if c.name == "cpu" {
		return resource.MustParse(fmt.Sprint(amount, "m"))
	}
	return resource.MustParse(fmt.Sprint(amount))
}

// given returns the case as the solver takes it.
func (c *slowCase) given() (*corev1.PodSpec, solver.Problem) {
	spec := &corev1.PodSpec{}
	var p solver.Problem
	for i, kind := range c.kinds {
		container := testkit.Container(fmt.Sprint("c-", i), nil, nil)
		switch kind {
		case computeresources.App:
			spec.Containers = append(spec.Containers, container)
		case computeresources.Sidecar:
			spec.InitContainers = append(spec.InitContainers, testkit.Sidecar(container.Name, nil, nil))
		default:
			spec.InitContainers = append(spec.InitContainers, container)
		}
	}
	for _, s := range c.stated {
		c.give(s, spec, &p)
	}
	return spec, p
}

func (c *slowCase) give(s slowConstraint, spec *corev1.PodSpec, p *solver.Problem) {
	list := corev1.ResourceList{c.name: c.quantity(s.amount)}
	item := corev1.LimitRangeItem{Type: s.kind}
	switch s.rule {
	case solver.Minimum:
		item.Min = list
	case solver.Maximum:
		item.Max = list
	case solver.Ratio:
		item.MaxLimitRequestRatio = corev1.ResourceList{c.name: resource.MustParse(fmt.Sprint(s.amount, "m"))}
	case solver.DefaultLimit:
		item.Default = list
	case solver.DefaultRequest:
		item.DefaultRequest = list
	case solver.Quota:
		prefix := "requests."
		if s.limits {
			prefix = "limits."
		}
		name := corev1.ResourceName(prefix + string(c.name))
		p.Budgets = append(p.Budgets, solver.Budget{Source: s.source, Remaining: corev1.ResourceList{name: c.quantity(s.amount)}})
		return
	case solver.Overhead:
		spec.Overhead = list
		return
	default:
		if s.container < 0 && spec.Resources == nil {
			spec.Resources = &corev1.ResourceRequirements{}
		}
		r := spec.Resources
		if s.container >= 0 {
			r = requirementsOf(spec)[s.container]
		}
		into := &r.Requests
		if s.rule == solver.Limit {
			into = &r.Limits
		}
		if *into == nil {
			*into = corev1.ResourceList{}
		}
		(*into)[c.name] = list[c.name]
		return
	}
	p.Bounds = append(p.Bounds, solver.Bound{Source: s.source, Item: item})
}

func requirementsOf(spec *corev1.PodSpec) []*corev1.ResourceRequirements {
	var all []*corev1.ResourceRequirements
	for _, c := range computeresources.Containers(spec) {
		all = append(all, &c.Resources)
	}
	return all
}

// slowAssignment is what every container gets, or absent; and the pod as a whole.
type slowAssignment struct {
	requests, limits         []int
	wholeRequest, wholeLimit int
}

// solve tries all assignments that state what the pod states, and returns the best.
func (c *slowCase) solve(chosen []slowConstraint) (best *slowAssignment) {
	c.each(chosen, func(a *slowAssignment) bool {
		if best == nil || c.compare(a, best) < 0 {
			best = a.clone()
		}
		return true
	})
	return best
}

func (c *slowCase) solvable(chosen []slowConstraint) (found bool) {
	c.each(chosen, func(*slowAssignment) bool {
		found = true
		return false
	})
	return found
}

// each yields all assignments that satisfy the chosen constraints.
func (c *slowCase) each(chosen []slowConstraint, yield func(*slowAssignment) bool) {
	allowed := make([][][2]int, len(c.kinds))
	for i := range c.kinds {
		for q := absent; q <= grid; q++ {
			for l := absent; l <= grid; l++ {
				if c.containerAllows(chosen, i, q, l) {
					allowed[i] = append(allowed[i], [2]int{q, l})
				}
			}
		}
	}
	a := &slowAssignment{requests: make([]int, len(c.kinds)), limits: make([]int, len(c.kinds))}
	for a.wholeRequest = absent; a.wholeRequest <= grid; a.wholeRequest++ {
		for a.wholeLimit = absent; a.wholeLimit <= grid; a.wholeLimit++ {
			if c.wholeAllows(chosen, a) && !c.combine(chosen, allowed, a, 0, yield) {
				return
			}
		}
	}
}

func (c *slowCase) combine(chosen []slowConstraint, allowed [][][2]int, a *slowAssignment, i int, yield func(*slowAssignment) bool) bool {
	if i == len(allowed) {
		return !c.podAllows(chosen, a) || yield(a)
	}
	for _, pair := range allowed[i] {
		a.requests[i], a.limits[i] = pair[0], pair[1]
		if !c.combine(chosen, allowed, a, i+1, yield) {
			return false
		}
	}
	return true
}

func (a *slowAssignment) clone() *slowAssignment {
	return &slowAssignment{slices.Clone(a.requests), slices.Clone(a.limits), a.wholeRequest, a.wholeLimit}
}

// containerAllows is what the API server and LimitRanger ask of one container, and what
// is stated for it.
func (c *slowCase) containerAllows(chosen []slowConstraint, i, q, l int) bool {
	if l != absent && (q == absent || q > l) || c.together() && q != l {
		return false
	}
	for _, s := range chosen {
		switch {
		case s.rule == solver.Request && s.container == i && q != s.amount,
			s.rule == solver.Limit && s.container == i && l != s.amount,
			s.rule == solver.DefaultLimit && l == absent,
			s.rule == solver.DefaultRequest && q == absent,
			s.rule == solver.Quota && c.must() && !c.statesWhole() && (s.limits && l == absent || !s.limits && q == absent),
			s.kind == corev1.LimitTypeContainer && !limitRangerAllows(s, q, l):
			return false
		}
	}
	return true
}

// limitRangerAllows is the check of one bound on a request and a limit.
func limitRangerAllows(s slowConstraint, q, l int) bool {
	switch s.rule {
	case solver.Minimum:
		return q != absent && q >= s.amount && (l == absent || l >= s.amount)
	case solver.Maximum:
		return l != absent && l <= s.amount && (q == absent || q <= s.amount)
	case solver.Ratio:
		return q > 0 && l > 0 && s.amount >= 1000 && l*1000 <= s.amount*q && float64(l)/float64(q)*1000 <= float64(s.amount)
	}
	return true
}

func (c *slowCase) statesWhole() bool {
	return slices.ContainsFunc(c.stated, func(s slowConstraint) bool { return s.container == -1 && s.rule >= solver.Request })
}

// wholeAllows is what the API server asks of what is stated for the pod as a whole. What
// the pod does not state stays absent, but for a request beside a limit, which the API
// server would set.
func (c *slowCase) wholeAllows(chosen []slowConstraint, a *slowAssignment) bool {
	find := func(in []slowConstraint, rule solver.Rule) int {
		return slices.IndexFunc(in, func(s slowConstraint) bool { return s.container == -1 && s.rule == rule })
	}
	q, l := find(chosen, solver.Request), find(chosen, solver.Limit)
	statedQ, statedL := find(c.stated, solver.Request) >= 0, find(c.stated, solver.Limit) >= 0
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

// podAllows is what LimitRanger and quotas ask of the pod, and the API server of the
// containers beside the pod as a whole.
func (c *slowCase) podAllows(chosen []slowConstraint, a *slowAssignment) bool {
	q, l := c.effective(a.requests), c.effective(a.limits)
	forRanger := [2]int{q, l}
	if a.wholeRequest != absent {
		if q > a.wholeRequest {
			return false
		}
		q = a.wholeRequest
	}
	if a.wholeLimit != absent {
		for i, kind := range c.kinds {
			if kind == computeresources.App && a.limits[i] > a.wholeLimit {
				return false
			}
		}
		l = a.wholeLimit
	}
	if c.must() {
		forRanger = [2]int{q, l} // LimitRanger knows cpu and memory of the pod as a whole
	}
	overhead := 0
	for _, s := range chosen {
		if s.rule == solver.Overhead {
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
		if s.rule == solver.Quota && charge > 0 && charge > s.amount {
			return false
		}
		if s.kind == corev1.LimitTypePod && !limitRangerAllows(s, forRanger[0], forRanger[1]) {
			return false
		}
	}
	return overhead >= 0
}

// effective is the sum over the containers (KEP-753), absent if none states anything.
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
		default:
			peak = max(peak, sidecars+amount)
		}
	}
	if !stated {
		return absent
	}
	return max(together, peak)
}

// compare is the documented order of solutions.
func (c *slowCase) compare(a, b *slowAssignment) int {
	of := func(whole int, amounts []int) int {
		if whole != absent {
			return whole
		}
		return max(c.effective(amounts), 0)
	}
	if by := cmp.Or(
		cmp.Compare(of(a.wholeRequest, a.requests), of(b.wholeRequest, b.requests)),
		cmp.Compare(of(a.wholeLimit, a.limits), of(b.wholeLimit, b.limits))); by != 0 {
		return by
	}
	var order []int
	for _, kind := range []kindOf{computeresources.App, computeresources.Init, computeresources.Sidecar} {
		var same []int
		for i := range c.kinds {
			if c.kinds[i] == kind {
				same = append(same, i)
			}
		}
		if kind == computeresources.Sidecar {
			slices.Reverse(same)
		}
		order = append(order, same...)
	}
	slices.Reverse(order)
	for _, i := range order {
		if by := cmp.Compare(max(a.requests[i], 0), max(b.requests[i], 0)); by != 0 {
			return by
		}
	}
	for _, i := range order {
		if by := cmp.Compare(a.limits[i], b.limits[i]); by != 0 {
			return by
		}
	}
	for _, i := range order {
		if by := cmp.Compare(a.requests[i], b.requests[i]); by != 0 {
			return by
		}
	}
	return 0
}

// smallest returns the first of the smallest sets of constraints without solution.
func (c *slowCase) smallest() []slowConstraint {
	for size := range len(c.stated) + 1 {
		if set := c.firstOf(nil, 0, size); set != nil {
			return set
		}
	}
	return nil
}

func (c *slowCase) firstOf(chosen []slowConstraint, from, size int) []slowConstraint {
	if size == 0 {
		if c.solvable(chosen) {
			return nil
		}
		return slices.Clone(chosen)
	}
	for i := from; i < len(c.stated); i++ {
		if set := c.firstOf(append(chosen, c.stated[i]), i+1, size-1); set != nil {
			return set
		}
	}
	return nil
}

// slowCases draws small problems, mostly with a solution.
func slowCases(containers int, whole bool) *rapid.Generator[*slowCase] {
	return rapid.Custom(func(t *rapid.T) *slowCase {
		c := &slowCase{name: rapid.SampledFrom([]corev1.ResourceName{"cpu", "cpu", "ephemeral-storage", "ephemeral-storage", "memory", "example.com/gpu", pages}).Draw(t, "resource")}
		for range rapid.IntRange(0, containers).Draw(t, "containers") {
			c.kinds = append(c.kinds, rapid.SampledFrom([]kindOf{computeresources.App, computeresources.App, computeresources.Init, computeresources.Sidecar}).Draw(t, "kind"))
		}
		slices.SortStableFunc(c.kinds, func(a, b kindOf) int {
			return cmp.Compare(initLast(a), initLast(b))
		})
		small := rapid.IntRange(0, 4)
		rare := rapid.SampledFrom([]int{1, 4}).Draw(t, "rare")
		sometimes := func(s slowConstraint, n int) {
			if rapid.IntRange(0, n).Draw(t, s.rule.String()) == 0 {
				c.stated = append(c.stated, s)
			}
		}
		for _, rule := range []solver.Rule{solver.Minimum, solver.Maximum, solver.Ratio, solver.DefaultLimit, solver.DefaultRequest} {
			for _, kind := range []corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod} {
				s := slowConstraint{rule: rule, kind: kind, source: "range", container: -2, amount: small.Draw(t, "amount")}
				switch {
				case rule == solver.Ratio:
					s.amount = rapid.SampledFrom([]int{1000, 1500, 2000, 2000, 3000, 2007, 999, 0, -1000}).Draw(t, "ratio")
				case rule >= solver.DefaultLimit && kind == corev1.LimitTypePod:
					continue
				case rule == solver.Maximum:
					s.amount += rapid.IntRange(0, 3).Draw(t, "more")
				}
				sometimes(s, rare)
			}
		}
		sometimes(slowConstraint{rule: solver.Quota, source: "quota", container: -2, amount: rapid.IntRange(-1, 7).Draw(t, "left")}, 4)
		if !c.together() {
			sometimes(slowConstraint{rule: solver.Quota, source: "quota", container: -2, limits: true, amount: rapid.IntRange(-1, 7).Draw(t, "left")}, 4)
		}
		sometimes(slowConstraint{rule: solver.Overhead, container: -2, amount: small.Draw(t, "overhead")}, 6)
		if whole && computeresources.PodLevel(c.name) {
			sometimes(slowConstraint{rule: solver.Request, container: -1, amount: small.Draw(t, "whole request")}, 1)
			sometimes(slowConstraint{rule: solver.Limit, container: -1, amount: small.Draw(t, "whole limit")}, 1)
		}
		for i := range c.kinds {
			sometimes(slowConstraint{rule: solver.Request, container: i, amount: small.Draw(t, "request")}, 2)
			sometimes(slowConstraint{rule: solver.Limit, container: i, amount: small.Draw(t, "limit")}, 2)
		}
		return c
	})
}

func initLast(k kindOf) int {
	if k == computeresources.App {
		return 1
	}
	return 0
}
