package division

import (
	"errors"
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// ErrParts is the error of a division into no parts, or fewer.
var ErrParts = errors.New("division: the number of parts has to be above zero")

// Method is how the units are assigned that remain after a division into equal parts. The zero
// value is Exact.
type Method string

const (
	// Exact adds one of the remaining units to each of the first parts, so the parts add up to the
	// whole.
	Exact Method = ""
	// Truncated drops them: all parts are the same, rounded toward zero to whole units. They add up
	// to the whole or less; to the whole or more, if it is below zero. Tekton divides like that.
	Truncated Method = "truncated"
)

// Indivisible is which parts get a resource that cannot be divided. The zero value is ToOne.
type Indivisible string

const (
	// ToOne assigns it to one part, so the parts add up to the whole: to the first part or, in a
	// division by weight, to the first part with the largest weight. The other parts get none.
	ToOne Indivisible = ""
	// ToEach gives all of it to every part; by weight, to every part with a weight
	// above zero. The parts do not add up to the whole.
	ToEach Indivisible = "to-each"
)

// Options select how amounts are divided. With the zero value, the parts add up to the whole. An
// undefined value counts as the zero value.
type Options struct {
	Method      Method
	Indivisible Indivisible
}

// Divide divides q, an amount of the named resource, into n parts: by units of [Unit], or as a
// whole if the resource is not [Divisible]. The package comment says how parts are rounded. If n is
// not above zero, the error wraps ErrParts.
//
// Cost: that of one division, for any n. It allocates nothing if q is a whole number of
// units from 0 to 2^52.
func Divide(name corev1.ResourceName, q resource.Quantity, n int, opts Options) (Parts, error) {
	if n <= 0 {
		return Parts{}, fmt.Errorf("%w: %d", ErrParts, n)
	}
	if !Divisible(name) {
		return whole(q, n, opts.Indivisible), nil
	}
	p := smallParts(q, scaleOf(name), n)
	if p.n == 0 {
		p = bigParts(q, scaleOf(name), n)
	}
	if opts.Method == Truncated {
		p = p.truncated(q.Sign() < 0)
	}
	return p, nil
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

func whole(q resource.Quantity, n int, to Indivisible) Parts {
	none := *resource.NewQuantity(0, q.Format)
	p := Parts{n: n, larger: 1, large: q.DeepCopy(), next: none, base: none, whole: true}
	if to == ToEach {
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
	units, rest := split(q, scale)
	base, larger := new(big.Int).DivMod(units, big.NewInt(int64(n)), new(big.Int))
	p := Parts{n: n, larger: int(larger.Int64()), base: quantity.OfUnits(base, scale, q.Format)}
	p.large = quantity.OfUnits(base.Add(base, big.NewInt(1)), scale, q.Format)
	p.next = p.base.DeepCopy()
	addRest(&p.next, rest)
	return p
}

// split returns the whole units of q, rounded down, and the remainder of less than one unit.
func split(q resource.Quantity, scale resource.Scale) (units *big.Int, rest resource.Quantity) {
	units, _ = quantity.Floor(quantity.Rational(q), scale)
	rest = q.DeepCopy()
	rest.Sub(quantity.OfUnits(units, scale, q.Format))
	return units, rest
}

// addRest adds the remainder to one part. The format remains.
func addRest(part *resource.Quantity, rest resource.Quantity) {
	format := part.Format
	part.Add(rest)
	part.Format = format
}
