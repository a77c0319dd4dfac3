package solver_test

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The slow twin: one resource in small whole numbers, all assignments tried.

const (
	absent = -1
	grid   = 9 // no amount that is tried is larger

	pages corev1.ResourceName = "hugepages-1" // of one byte each
)

// kindOf a container, as in the spec.
type kindOf = computeresources.Kind

// slowCase is a problem for one resource. All amounts of pods and objects are in stated, in the order in
// which the solver reports constraints.
type slowCase struct {
	name   corev1.ResourceName
	kinds  []kindOf // of init containers first, then of app containers
	stated []slowConstraint
	old    bool // the release is 1.36
}

type slowConstraint struct {
	rule      limitrange.Bound
	kind      corev1.LimitType
	source    string
	container int // -1 is the pod
	limits    bool
	amount    int // milli-units for ratios
}

func (c *slowCase) kubernetes() (k computeresources.Kubernetes) {
	if c.old {
		k.Release = "1.36"
	}
	return k
}

func (c *slowCase) must() bool     { return c.name == "cpu" || c.name == "memory" }
func (c *slowCase) together() bool { return c.name == "example.com/gpu" || c.name == pages }

// quantity writes an amount: milli-units of cpu, and units of anything else.
func (c *slowCase) quantity(amount int) resource.Quantity {
	if c.name == "cpu" {
		return resource.MustParse(fmt.Sprint(amount, "m"))
	}
	return resource.MustParse(fmt.Sprint(amount))
}

// given returns the case as the solver takes it.
func (c *slowCase) given() (*corev1.PodSpec, solver.Objects) {
	spec := &corev1.PodSpec{}
	p := solver.Objects{Kubernetes: c.kubernetes()}
	for i, kind := range c.kinds {
		container := testkit.Container(fmt.Sprint("c-", i), nil, nil)
		switch kind {
		case computeresources.App:
			spec.Containers = append(spec.Containers, container)
		case computeresources.Sidecar:
			spec.InitContainers = append(spec.InitContainers, testkit.Sidecar(container.Name, nil, nil))
		case computeresources.Init:
			spec.InitContainers = append(spec.InitContainers, container)
		case computeresources.Pod:
			panic("the pod is not a container")
		}
	}
	for _, s := range c.stated {
		c.give(s, spec, &p)
	}
	return spec, p
}

func (c *slowCase) give(s slowConstraint, spec *corev1.PodSpec, p *solver.Objects) {
	list := corev1.ResourceList{c.name: c.quantity(s.amount)}
	item := corev1.LimitRangeItem{Type: s.kind}
	switch s.rule {
	case limitrange.Min:
		item.Min = list
	case limitrange.Max:
		item.Max = list
	case limitrange.Ratio:
		item.MaxLimitRequestRatio = corev1.ResourceList{c.name: resource.MustParse(fmt.Sprint(s.amount, "m"))}
	case limitrange.DefaultLimit:
		item.Default = list
	case limitrange.DefaultRequest:
		item.DefaultRequest = list
	case limitrange.Remaining:
		prefix := "requests."
		if s.limits {
			prefix = "limits."
		}
		name := corev1.ResourceName(prefix + string(c.name))
		p.Budgets = append(p.Budgets, solver.Budget{Source: source(s.source), Remaining: corev1.ResourceList{name: c.quantity(s.amount)}})
		return
	case limitrange.Overhead:
		spec.Overhead = list
		return
	case limitrange.Request, limitrange.Limit:
		if s.container < 0 && spec.Resources == nil {
			spec.Resources = &corev1.ResourceRequirements{}
		}
		r := spec.Resources
		if s.container >= 0 {
			r = requirementsOf(spec)[s.container]
		}
		into := &r.Requests
		if s.rule == limitrange.Limit {
			into = &r.Limits
		}
		if *into == nil {
			*into = corev1.ResourceList{}
		}
		(*into)[c.name] = list[c.name]
		return
	}
	p.Items = append(p.Items, solver.RangeItem{Source: source(s.source), Item: item})
}

func requirementsOf(spec *corev1.PodSpec) []*corev1.ResourceRequirements {
	var all []*corev1.ResourceRequirements
	for _, c := range computeresources.Containers(spec) {
		all = append(all, &c.Resources)
	}
	return all
}

// slowAssignment holds the amounts of every container, or absent, and those of the pod level.
type slowAssignment struct {
	requests, limits         []int
	wholeRequest, wholeLimit int
}

// solve tries all assignments that keep the amounts of the pod, and returns the best.
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
		cmp.Compare(of(c.wholeLimit(a), a.limits), of(c.wholeLimit(b), b.limits))); by != 0 {
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

// derivesWholeLimit reports whether the API server may set the pod-level limit.
func (c *slowCase) derivesWholeLimit() bool {
	sets := func(rule limitrange.Bound) bool {
		return slices.ContainsFunc(c.stated, func(s slowConstraint) bool { return s.container == -1 && s.rule == rule })
	}
	return !c.old && !c.together() && sets(limitrange.Request) && !sets(limitrange.Limit)
}

// wholeLimit is the pod-level limit, which the API server sets if all containers have one, since 1.37.
func (c *slowCase) wholeLimit(a *slowAssignment) int {
	if c.old || c.together() || a.wholeLimit != absent || a.wholeRequest == absent || len(a.limits) == 0 || slices.Contains(a.limits, absent) {
		return a.wholeLimit
	}
	return max(a.wholeRequest, c.effective(a.limits))
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
