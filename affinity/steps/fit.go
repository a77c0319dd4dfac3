package steps

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/limitrange"
)

// Fit returns the changes that bring every container within the bounds of item (see the package
// comment). Afterwards, the LimitRanger has no default to set, unless a default is zero or less.
// For each container and resource:
//
//  1. A missing request is set, as Fill does; a missing limit is set to the default
//     limit, or else to the maximum.
//  2. Both are raised to the minimum and lowered to the maximum.
//  3. A request above the limit is lowered to it; but a limit that was set in step 1, or is
//     not above zero, is raised to the request.
//  4. If the ratio is exceeded, a limit that was a default is lowered; otherwise the request is
//     raised, to whole units. A request or a limit that is still missing is set so that the ratio
//     is satisfied. A ratio requires amounts above zero: if there is none, because there is no
//     default, or the part of a step is zero, both are set to one unit (1m of cpu, and 1 of all
//     else). Set a default, or a minimum, if containers cannot run with that.
//  5. An amount that a bound requires, and that has no default, is set to zero. A negative amount
//     is set to zero.
//
// A resource that cannot be divided cannot be overcommitted either: request and limit are both set
// to the limit of the container, or else its request, or else the default, within the bounds. If
// none of these is set, and item has the resource, both are set to zero, or, with a ratio, to 1
// within the bounds.
//
// For resources that are not in item, only the third and the last rule apply.
//
// If no request and limit satisfy the bounds, conflicts contain the reason, and the resource is not
// changed in any container. Without conflicts, the result satisfies the bounds of the
// LimitRanger (for amounts that fit into an int64, which it uses), and no request exceeds a limit
// above zero. After the changes are applied, Fit returns none.
//
// Opts select how the default request is divided among the steps.
//
// Source: the second table of Tekton's "Compute Resources in Tekton", and the rules of
// "LimitRange support in Pipeline".
func Fit(
	spec *corev1.PodSpec, item corev1.LimitRangeItem, isStep Predicate, opts division.Options,
) (changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
	all := readBounds(item, count(spec, isStep), Options{Division: opts})
	for p, c := range containers(spec, isStep) {
		r := c.Resources
		for _, name := range quantity.Names(r.Requests, r.Limits, item.Min, item.Max, item.Default, item.DefaultRequest,
			item.MaxLimitRequestRatio) {
			b := all[name]
			if b == nil {
				b = &bounds{name: name, divisible: true} // only the request is held against the limit
			}
			from := amounts{quantity.Find(r.Requests, name), quantity.Find(r.Limits, name)}
			if b.conflict != nil {
				conflicts = append(conflicts, at(b.conflict, p.ref, name))
				continue
			}
			to := b.fit(from, b.part(p.step))
			changes = diff(changes, p.ref, computeresources.Requests, name, from.request, cmp.Or(to.request, from.request))
			changes = diff(changes, p.ref, computeresources.Limits, name, from.limit, cmp.Or(to.limit, from.limit))
		}
	}
	return changes, conflicts
}

// amounts are the request and limit of a container for a resource, current or new.
type amounts struct{ request, limit *resource.Quantity }

// fit returns the new amounts of a container that differ from its current ones. The bounds are not
// in conflict.
func (b *bounds) fit(set amounts, part *resource.Quantity) amounts {
	have := amounts{ifPositive(set.request), ifPositive(set.limit)}
	if !b.divisible {
		return b.fitIndivisible(have, part)
	}
	to := amounts{
		request: b.within(cmp.Or(have.request, part)),
		limit:   b.within(cmp.Or(have.limit, b.defaultLimit)),
	}
	if to.limit == nil && set.limit != nil && ifPositive(to.request) != nil {
		to.limit = to.request // as nothing may be requested above a limit of zero
	}
	switch {
	case above(to.request, to.limit) && have.limit == nil:
		to.limit = to.request
	case above(to.request, to.limit):
		to.request = to.limit
	}
	if b.ratio != nil {
		b.fitRatio(&to, have.limit == nil)
	}
	if to.request == nil && (b.min != nil || set.request != nil) {
		to.request = zero()
	}
	if to.limit == nil && set.limit != nil {
		to.limit = zero()
	}
	return to
}

// fitRatio makes amounts keep the ratio. It lowers the limit if that was missing before.
func (b *bounds) fitRatio(to *amounts, filled bool) {
	request, limit := ifPositive(to.request), ifPositive(to.limit)
	switch {
	case request == nil && limit == nil:
		*to = b.leastAmounts()
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
}

// fitIndivisible is fit for what cannot be divided.
func (b *bounds) fitIndivisible(have amounts, part *resource.Quantity) amounts {
	amount := b.within(cmp.Or(have.limit, have.request, part))
	switch {
	case b.ratio != nil && ifPositive(amount) == nil:
		return b.leastAmounts()
	case amount == nil:
		amount = zero()
	}
	return amounts{amount, amount}
}

// leastAmounts returns one unit within the bounds as request and limit. They are equal, which
// satisfies every ratio of at least 1.
func (b *bounds) leastAmounts() amounts {
	unit := b.within(resource.NewScaledQuantity(1, resourcename.Scale(b.name)))
	return amounts{unit, unit}
}
