package division

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// ErrWeights is returned if a weight is negative, or if no weight is above zero.
var ErrWeights = errors.New("division: weights have to be zero or more, and one of them above it")

// Weighted returns q, an amount of the named resource, in one part for each weight: by
// units of [Unit], or whole if it is not [Divisible].
//
// Each part is first its proportional share of q, rounded down to whole units. The remaining units
// are added one by one to the parts with the largest remainders, the first part among equal ones
// (largest remainder method). A final remainder of less than one unit is added to the part that
// would be next. So the parts add up to the whole, and each part is less than one unit below its
// share and at most one unit above it. A part with a weight of zero is zero. Equal weights give the
// parts of an exact [Divide].
//
// If a weight is negative, or none is above zero, the error wraps ErrWeights. Weights may have any
// size.
//
// Cost: n·log n in the number of weights, in arbitrary precision.
func Weighted(name corev1.ResourceName, q resource.Quantity, weights []int64, whole Indivisible) ([]resource.Quantity, error) {
	total, err := sum(weights)
	if err != nil {
		return nil, err
	}
	if !Divisible(name) {
		return wholeWeighted(q, weights, whole), nil
	}
	shares, left := sharesOf(q, scaleOf(name), weights, total)
	_, rest := split(q, scaleOf(name))
	// Rounding loses less than one unit for each share that it rounds, so that there are
	// more of these than units left: a weight of zero, which loses nothing, gets none.
	slices.SortStableFunc(shares, func(a, b share) int { return b.lost.Cmp(a.lost) })
	for i := range left {
		shares[i].units.Add(shares[i].units, big.NewInt(1))
	}
	parts := make([]resource.Quantity, len(weights))
	for i, s := range shares {
		parts[s.index] = quantity.OfUnits(s.units, scaleOf(name), q.Format)
		if i == left {
			addRest(&parts[s.index], rest)
		}
	}
	return parts, nil
}

// WeightedList returns a list of amounts in one part for each weight: each resource of it as
// Weighted returns it. Each part has every resource of the whole, even with zero, except those that
// cannot be divided and were assigned to another part. The lists belong to the caller, and none is
// nil.
//
// Errors and cost, for each resource, are those of Weighted.
func WeightedList(list corev1.ResourceList, weights []int64, whole Indivisible) ([]corev1.ResourceList, error) {
	if _, err := sum(weights); err != nil {
		return nil, err
	}
	parts := make([]corev1.ResourceList, len(weights))
	for i := range parts {
		parts[i] = make(corev1.ResourceList, len(list))
	}
	greatest := greatestOf(weights)
	for name, q := range list {
		amounts, _ := Weighted(name, q, weights, whole) // the weights are fine
		for i, amount := range amounts {
			if Divisible(name) || whole == ToEach && weights[i] > 0 || i == greatest {
				parts[i][name] = amount
			}
		}
	}
	return parts, nil
}

func sum(weights []int64) (*big.Int, error) {
	total := new(big.Int)
	for i, w := range weights {
		if w < 0 {
			return nil, fmt.Errorf("%w: weight %d is %d", ErrWeights, i, w)
		}
		total.Add(total, big.NewInt(w))
	}
	if total.Sign() == 0 {
		return nil, fmt.Errorf("%w: all of %d are zero", ErrWeights, len(weights))
	}
	return total, nil
}

// share is the part of a weight.
type share struct {
	index int
	units *big.Int // rounded down
	lost  *big.Int // by rounding, as a fraction of a unit with one denominator for all
}

// sharesOf returns the shares of all weights, and how many whole units they leave.
func sharesOf(q resource.Quantity, scale resource.Scale, weights []int64, total *big.Int) (shares []share, left int) {
	units := new(big.Rat).Quo(quantity.Rational(q), quantity.Rational(*resource.NewScaledQuantity(1, scale)))
	denom := new(big.Int).Mul(units.Denom(), total)
	rest, _ := quantity.Floor(units, 0)
	for i, w := range weights {
		s := share{index: i, units: new(big.Int), lost: new(big.Int)}
		s.units.DivMod(new(big.Int).Mul(units.Num(), big.NewInt(w)), denom, s.lost)
		rest.Sub(rest, s.units)
		shares = append(shares, s)
	}
	return shares, int(rest.Int64())
}

func wholeWeighted(q resource.Quantity, weights []int64, whole Indivisible) []resource.Quantity {
	greatest := greatestOf(weights)
	parts := make([]resource.Quantity, len(weights))
	for i := range parts {
		parts[i].Format = q.Format
		if whole == ToEach && weights[i] > 0 || i == greatest {
			parts[i] = q.DeepCopy()
		}
	}
	return parts
}

// greatestOf returns the index of the largest weight, the first if there are several.
func greatestOf(weights []int64) int { return slices.Index(weights, slices.Max(weights)) }
