package resourcelist

import (
	"math"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Multiply returns n times every amount of a list, exactly: what n such pods request. No
// resource is dropped: 0 times a list has zero of each. Use RemoveZeros on the result if readers
// may take an entry of zero for a request, as in the minResources of a PodGroup.
func Multiply(list corev1.ResourceList, n int64) corev1.ResourceList {
	multiple := make(corev1.ResourceList, len(list))
	for name, q := range list {
		multiple[name] = quantity.Times(q, n)
	}
	return multiple
}

// Scale returns every amount of a list multiplied by a ratio, such as big.NewRat(3, 2). Products
// are exact, and then rounded away from zero to milli-units of cpu, requests.cpu and limits.cpu,
// and to whole units of other resources, even if the ratio is 1. Formats are kept. A nil ratio
// counts as zero.
//
// Use PartOf to round down, and Multiply for a whole number, without
// rounding. The float64 1.1 is slightly larger than 1.1, and big.Rat.SetFloat64 keeps the
// difference, so 1000 bytes become 1101: use big.NewRat(11, 10), or SetString("1.1").
//
// Cost: amounts up to 2^52 units (2^48 milli-units) take a multiplication and a division of
// 128 bits, others big integers with all their digits.
func Scale(list corev1.ResourceList, ratio *big.Rat) corev1.ResourceList {
	return scaled(list, quantity.RatioOfRat(ratio), awayFromZero)
}

// PartOf is Scale, rounded down: big.NewRat(334, 1000) of 10 CPU are 3340m. The ratio may be above 1
// or negative; negative results are rounded down, too.
//
// If the Percent of a usage is at least p, the usage is at least PartOf the total with
// big.NewRat(p, 100).
//
// Source: capNodeCapacityToThreshold of the descheduler.
func PartOf(total corev1.ResourceList, ratio *big.Rat) corev1.ResourceList {
	return scaled(total, quantity.RatioOfRat(ratio), down)
}

// ScaleQuantity returns a quantity multiplied by a ratio, exactly, and then rounded away from zero to a
// multiple of 10^scale: resource.Milli for CPU, 0 for bytes, or resource.Nano, the finest scale
// that the text of a quantity has. The format is kept. A nil ratio counts as zero, and a scale beyond 1000 digits as
// 1000, before or after the point.
//
// To keep a proportion, such as that of a limit to its request, take the Ratio of both:
// ScaleQuantity(limit, Ratio(newRequest, request), resource.Milli).
//
// Cost: as that of Scale for the scales 0, resource.Milli and resource.Nano, at which 8Gi, or 281k CPUs, are the
// largest amounts without big integers.
//
// Source: scaleQuantityProportionally of the Vertical Pod Autoscaler.
func ScaleQuantity(q resource.Quantity, ratio *big.Rat, scale resource.Scale) resource.Quantity {
	return times(q, quantity.RatioOfRat(ratio), scale, awayFromZero)
}

// PartOfQuantity is ScaleQuantity, rounded down, also below zero.
//
// Source: MulByFloat of Kueue, which rounds to resource.Nano, so that an amount that decays reaches zero.
func PartOfQuantity(total resource.Quantity, ratio *big.Rat, scale resource.Scale) resource.Quantity {
	return times(total, quantity.RatioOfRat(ratio), scale, down)
}

// Ratio returns a / b exactly, for Scale and PartOf, and nil if b is zero. Either may be negative.
// Fraction returns the same as a float64, of a total above zero.
//
// Cost: amounts up to 2^52 units (2^48 milli-units) take two integers, others big integers with all their digits.
func Ratio(a, b resource.Quantity) *big.Rat {
	if b.IsZero() {
		return nil
	}
	return quantity.RatioOfQuantities(a, b).Rat()
}

// rounding is the direction in which fractions of units are rounded.
type rounding int

const (
	down         rounding = iota // to the lesser one, also below zero
	awayFromZero                 // to the greater one, and below zero to the lesser one
)

func scaled(list corev1.ResourceList, ratio quantity.Ratio, to rounding) corev1.ResourceList {
	products := make(corev1.ResourceList, len(list))
	for name, q := range list {
		products[name] = times(q, ratio, quantity.ScaleOf(name), to)
	}
	return products
}

// times returns a quantity multiplied by a ratio, and rounded to a multiple of 10^scale.
// mostDigits are the digits of a scale that count.
const mostDigits = 1000

func times(q resource.Quantity, ratio quantity.Ratio, scale resource.Scale, to rounding) resource.Quantity {
	scale = min(max(scale, -mostDigits), mostDigits)
	if units, small := smallUnits(q, scale); small {
		if product, exact, ok := ratio.Of(units); ok {
			if to == awayFromZero && !exact {
				product++
			}
			p := resource.NewScaledQuantity(product, scale)
			p.Format = q.Format
			return *p
		}
	}
	product := ratio.Rat()
	product.Mul(product, quantity.Rational(q))
	var units *big.Int
	if to == down || product.Sign() < 0 { // away from zero is down below it
		units, _ = quantity.Floor(product, scale)
	} else {
		units = quantity.Ceil(product, scale)
	}
	return quantity.OfUnits(units, scale, q.Format)
}

// smallUnits returns q in units of 10^scale, and whether that is exact, not below zero, and easily computed.
func smallUnits(q resource.Quantity, scale resource.Scale) (units int64, small bool) {
	switch scale {
	case 0, resource.Milli:
		return quantity.Small(&q, scale)
	case resource.Nano:
		const each = 1_000_000 // milli-unit
		own := q
		if milli, ok := quantity.SmallMilli(&own); ok && milli <= math.MaxInt64/each {
			return milli * each, true
		}
		return quantity.SmallNano(&q)
	}
	return 0, false
}
