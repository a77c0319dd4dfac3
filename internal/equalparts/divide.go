package equalparts

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// Options select how an amount is divided.
type Options struct {
	Truncated bool // all parts are the same, rounded toward zero to whole units
	RoundUp   bool // the amount is rounded up to whole units first
	ToEach    bool // a resource that cannot be divided is given whole to every part, not to the first
}

// Of returns an amount of the named resource in n parts, which have to be above zero.
//
// Cost: that of one division, for any n. It allocates nothing if q is a whole number of
// units from 0 to 2^52.
func Of(name corev1.ResourceName, q resource.Quantity, n int, opts Options) Parts {
	if opts.RoundUp {
		q = q.DeepCopy()
		q.RoundUp(resourcename.Scale(name))
	}
	if !resourcename.IsOvercommitAllowed(name) {
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
