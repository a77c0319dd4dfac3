package steps

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/equalparts"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// bounds are the values of a LimitRange for one resource of a container.
type bounds struct {
	name            corev1.ResourceName
	divisible       bool
	min, max, ratio *resource.Quantity
	// defaultLimit is the default limit within min and max, or else the maximum.
	defaultLimit *resource.Quantity
	// zeroLimit is set if the default limit of the item is zero or less: a container without a limit
	// may get that.
	zeroLimit bool
	// whole is the default request of a container that is not a step, parts are those of the
	// steps.
	whole *resource.Quantity
	parts equalparts.Parts
	// conflict is why no container can meet them.
	conflict *limitrange.Conflict
}

// readBounds returns the bounds of each resource that item names, by name, over so many
// steps.
func readBounds(item corev1.LimitRangeItem, steps int, opts Options) map[corev1.ResourceName]*bounds {
	all := map[corev1.ResourceName]*bounds{}
	if item.Type != "" && item.Type != corev1.LimitTypeContainer {
		return all
	}
	for _, name := range quantity.Names(item.Min, item.Max, item.Default, item.DefaultRequest, item.MaxLimitRequestRatio) {
		if opts.Only != nil && !slices.Contains(opts.Only, name) {
			continue
		}
		b := &bounds{
			name: name, divisible: division.Divisible(name),
			min: quantity.Find(item.Min, name), max: quantity.Find(item.Max, name),
			ratio: quantity.Find(item.MaxLimitRequestRatio, name),
		}
		b.defaultLimit = cmp.Or(b.within(positive(item.Default, name)), b.max)
		b.zeroLimit = quantity.Find(item.Default, name) != nil && !states(item.Default, name)
		b.readRequest(item, steps, opts)
		b.conflict = b.contradiction()
		all[name] = b
	}
	return all
}

// readRequest reads the default request. The request of a resource that cannot be divided equals its
// limit, so a default limit is also a default request.
func (b *bounds) readRequest(item corev1.LimitRangeItem, steps int, opts Options) {
	request := positive(item.DefaultRequest, b.name)
	if request == nil && !b.divisible {
		request = positive(item.Default, b.name)
	}
	b.whole = cmp.Or(request, positive(item.Min, b.name))
	if !opts.Unchecked {
		b.whole = b.within(b.whole)
		request = b.whole
	} else if above(b.min, b.whole) {
		b.whole = b.min
	}
	if b.whole != nil && steps > 0 {
		// With Unchecked, the minimum is neither divided nor rounded: it is for each step.
		b.parts = equalparts.Of(b.name, *cmp.Or(request, zero()), steps, opts.Division)
	}
}

// within returns q, raised to the minimum or lowered to the maximum. Where these
// contradict each other, it is the minimum.
func (b *bounds) within(q *resource.Quantity) *resource.Quantity {
	if above(q, b.max) {
		q = b.max
	}
	if above(b.min, q) {
		q = b.min
	}
	return q
}

// part returns the default request of a container: for a step, its part, but at least the minimum. It is
// missing if there is no default, or if the resource cannot be divided and another step has it.
func (b *bounds) part(step int) *resource.Quantity {
	if b.whole == nil || step == noStep {
		return b.whole
	}
	part := b.parts.At(step)
	if least := ifPositive(b.min); above(least, &part) {
		return least
	}
	if !b.divisible {
		return ifPositive(&part)
	}
	return &part
}

// contradiction returns why no request and limit can meet the bounds, if so.
func (b *bounds) contradiction() *limitrange.Conflict {
	one := resource.NewQuantity(1, resource.DecimalSI)
	switch {
	case above(zero(), b.max):
		return conflictOf(limitrange.MaxBelowZero, value(limitrange.Max, b.max))
	case above(b.min, b.max):
		return conflictOf(limitrange.MinAboveMax, value(limitrange.Min, b.min), value(limitrange.Max, b.max))
	case above(one, b.ratio):
		return conflictOf(limitrange.RatioUnreachable, value(limitrange.Ratio, b.ratio))
	case b.ratio != nil && b.max != nil && b.max.IsZero():
		return conflictOf(limitrange.RatioUnreachable, value(limitrange.Ratio, b.ratio), value(limitrange.Max, b.max))
	}
	return nil
}
