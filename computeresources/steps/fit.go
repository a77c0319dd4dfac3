package steps

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// Fit returns the changes that bring every container within the bounds of item (see the package
// comment). Afterwards, the LimitRanger has no default to set, unless a default is zero or less.
// For each container and resource:
//
//  1. A request that is missing is filled in, as Fill does, and a limit with the default
//     limit, or else with the maximum.
//  2. Both are raised to the minimum and lowered to the maximum.
//  3. A request above the limit is lowered to it; but a limit that was filled in, or is
//     not above zero, is raised to the request.
//  4. If the ratio is exceeded, a limit that was a default is lowered; otherwise the request is
//     raised, to whole units. A request or a limit that is still missing is set so that the ratio
//     is satisfied.
//  5. An amount that a bound requires, and that has no default, is set to zero. A negative amount
//     is set to zero.
//
// A resource that cannot be divided cannot be overcommitted either: request and limit are both set
// to the limit of the container, or else its request, or else the default, within the bounds. If
// none of these is set, and item has the resource, both are set to zero.
//
// For resources that are not in item, only the third and the last rule apply.
//
// If no request and limit satisfy the bounds, conflicts contain the reason, and the resource of
// that container is not changed. Without conflicts, the result satisfies the bounds of the
// LimitRanger (for amounts that fit into an int64, which it uses), and no request exceeds a limit
// above zero. After the changes are applied, Fit returns none.
//
// Source: the second table of Tekton's "Compute Resources in Tekton", and the rules of
// "LimitRange support in Pipeline".
func Fit(spec *corev1.PodSpec, item corev1.LimitRangeItem, isStep Predicate, opts Options) (changes []computeresources.Change, conflicts limitrange.Conflicts) {
	opts.Uncapped = false
	all := readBounds(item, count(spec, isStep), opts)
	for p, c := range containers(spec, isStep) {
		if opts.StepsOnly && p.step == noStep {
			continue
		}
		r := c.Resources
		for _, name := range quantity.Names(r.Requests, r.Limits, item.Min, item.Max, item.Default, item.DefaultRequest, item.MaxLimitRequestRatio) {
			b := all[name]
			if b == nil {
				b = &bounds{name: name, divisible: true} // only the request is held against the limit
			}
			from := amounts{quantity.Find(r.Requests, name), quantity.Find(r.Limits, name)}
			to, conflict := b.fit(from, b.part(p.step))
			if conflict != nil {
				conflicts = append(conflicts, at(conflict, p.ref, name))
				continue
			}
			changes = diff(changes, p.ref, computeresources.Requests, name, from.request, either(to.request, from.request))
			changes = diff(changes, p.ref, computeresources.Limits, name, from.limit, either(to.limit, from.limit))
		}
	}
	return changes, conflicts
}

// amounts are the request and limit of a container for a resource, current or new.
type amounts struct{ request, limit *resource.Quantity }

// fit returns the new amounts of a container that differ from its current ones.
func (b *bounds) fit(stated amounts, part *resource.Quantity) (amounts, *limitrange.Conflict) {
	if b.conflict != nil {
		return amounts{}, b.conflict
	}
	have := amounts{ifPositive(stated.request), ifPositive(stated.limit)}
	if !b.divisible {
		return b.fitIndivisible(have, part)
	}
	to := amounts{
		request: b.within(either(have.request, part)),
		limit:   b.within(either(have.limit, b.defaultLimit)),
	}
	if to.limit == nil && stated.limit != nil && ifPositive(to.request) != nil {
		to.limit = to.request // as nothing may be requested above a limit of zero
	}
	switch {
	case above(to.request, to.limit) && have.limit == nil:
		to.limit = to.request
	case above(to.request, to.limit):
		to.request = to.limit
	}
	if b.ratio != nil {
		if conflict := b.fitRatio(&to, have.limit == nil); conflict != nil {
			return amounts{}, conflict
		}
	}
	if to.request == nil && (b.min != nil || stated.request != nil) {
		to.request = zero()
	}
	if to.limit == nil && stated.limit != nil {
		to.limit = zero()
	}
	return to, nil
}

// fitRatio makes amounts keep the ratio, at the cost of the limit if that was filled in.
func (b *bounds) fitRatio(to *amounts, filled bool) *limitrange.Conflict {
	switch request, limit := ifPositive(to.request), ifPositive(to.limit); {
	case request == nil && limit == nil:
		return conflictOf(limitrange.RatioUnreachable, value(limitrange.Ratio, b.ratio))
	case request == nil:
		to.request = b.leastRequest(limit)
	case limit == nil:
		to.limit = b.greatestLimit(request)
	case b.keepsRatio(request, limit):
	case filled:
		to.limit = b.greatestLimit(request)
	default:
		to.request = b.leastRequest(limit)
	}
	return nil
}

// fitIndivisible is fit for what cannot be divided.
func (b *bounds) fitIndivisible(have amounts, part *resource.Quantity) (amounts, *limitrange.Conflict) {
	amount := b.within(either(have.limit, either(have.request, part)))
	if amount == nil {
		amount = zero()
	}
	if b.ratio != nil && amount.Sign() <= 0 {
		return amounts{}, conflictOf(limitrange.RatioUnreachable, value(limitrange.Ratio, b.ratio))
	}
	return amounts{amount, amount}, nil
}
