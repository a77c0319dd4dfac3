// Package equalparts divides an amount into equal parts, as package division says.
package equalparts

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// Parts are the equal parts of an amount. They are not stored one by one, so a division into a
// billion parts needs no more memory than one into two. The zero value has no parts.
type Parts struct {
	n      int
	larger int // how many of the first parts are large
	large  resource.Quantity
	next   resource.Quantity // the part after those, with the remainder of less than a unit
	base   resource.Quantity // all others
	whole  bool              // not divisible: parts that are not large get none
}

// Of returns an amount of the named resource in n parts, which have to be above zero.
//
// Cost: that of one division, for any n. It allocates nothing if q is a whole number of
// units from 0 to 2^52.
func Of(name corev1.ResourceName, q resource.Quantity, n int, opts division.Options) Parts {
	if opts.RoundUp {
		q = q.DeepCopy()
		q.RoundUp(resourcename.Scale(name))
	}
	if !division.Divisible(name) {
		return whole(q, n, opts.ToEach)
	}
	scale := resourcename.Scale(name)
	p := smallParts(q, scale, n)
	if p.n == 0 {
		p = bigParts(q, scale, n)
	}
	if opts.Truncated {
		p = p.truncated(q.Sign() < 0)
	}
	return p
}

// At returns the part of index i, from 0 to n-1; for any other, zero. The quantity
// is the caller's.
func (p Parts) At(i int) resource.Quantity {
	switch {
	case i < 0 || i >= p.n:
		return resource.Quantity{}
	case i < p.larger:
		return p.large.DeepCopy()
	case i == p.larger:
		return p.next.DeepCopy()
	default:
		return p.base.DeepCopy()
	}
}

// Has reports whether a part has the resource: one that is not divisible may be in another
// part.
func (p Parts) Has(i int) bool { return !p.whole || i < p.larger }

// truncated returns parts that are all the same: those of an amount above zero without what
// remains, and those of one below zero, which are rounded down, one unit nearer to zero if anything
// remains.
func (p Parts) truncated(negative bool) Parts {
	if negative && (p.larger > 0 || p.next.Cmp(p.base) != 0) {
		p.base = p.large
	}
	p.larger, p.next = 0, p.base
	return p
}

// whole returns one part, or all, of the whole amount. At copies it.
func whole(q resource.Quantity, n int, toEach bool) Parts {
	none := *resource.NewQuantity(0, q.Format)
	p := Parts{n: n, larger: 1, large: q, next: none, base: none, whole: true}
	if toEach {
		p.larger = n
	}
	return p
}

// smallParts is bigParts where integers do, and otherwise returns no parts.
func smallParts(q resource.Quantity, scale resource.Scale, n int) Parts {
	units, exact := quantity.Small(&q, scale)
	if !exact {
		return Parts{}
	}
	amount := func(units int64) resource.Quantity {
		part := resource.NewScaledQuantity(units, scale)
		part.Format = q.Format
		return *part
	}
	base := units / int64(n)
	p := Parts{n: n, larger: int(units % int64(n)), large: amount(base + 1), base: amount(base)}
	p.next = p.base
	return p
}

// bigParts divides in arbitrary precision. It rounds down, also below zero, so fewer than n
// whole units remain, and a rest of less than one unit.
func bigParts(q resource.Quantity, scale resource.Scale, n int) Parts {
	units, _ := quantity.Floor(quantity.Rational(q), scale)
	rest := quantity.Minus(q, quantity.OfUnits(units, scale, q.Format))
	base, larger := new(big.Int).DivMod(units, big.NewInt(int64(n)), new(big.Int))
	p := Parts{n: n, larger: int(larger.Int64()), base: quantity.OfUnits(base, scale, q.Format)}
	p.large = quantity.OfUnits(base.Add(base, big.NewInt(1)), scale, q.Format)
	p.next = p.base.DeepCopy()
	quantity.Add(&p.next, rest)
	return p
}
