package division

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/equalparts"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

var errWeights = errors.New("division: weights have to be zero or more, and one of them above it")

// Weighted returns q, an amount of the named resource, in one part for each weight: in
// units as [Divide] does, or whole if it is not [Divisible].
//
// Each part is first its proportional share of q, rounded down to whole units. The remaining units
// are added one by one to the parts with the largest remainders, the first part among equal ones
// (largest remainder method). A final remainder of less than one unit is added to the part that
// would be next. So the parts add up to the whole, and each part is less than one unit below its
// share and at most one unit above it. A part with a weight of zero is zero. Equal weights give the
// parts of an exact [Divide].
//
// A negative weight is an error, and so is none above zero. Weights may have any size.
//
// Cost: n·log n in the number of weights, in arbitrary precision.
func Weighted(name corev1.ResourceName, q resource.Quantity, weights []int64, opts Options) ([]resource.Quantity, error) {
	total, err := sum(weights)
	if err != nil {
		return nil, err
	}
	if !Divisible(name) {
		return wholeWeighted(q, weights, opts.ToEach), nil
	}
	scale := resourcename.Scale(name)
	shares, left := sharesOf(q, scale, weights, total)
	_, rest := equalparts.Split(q, scale)
	// Rounding loses less than one unit per rounded share, so there are more rounded shares
	// than remaining units: a share with a weight of zero, which loses nothing, gets none.
	slices.SortStableFunc(shares, func(a, b share) int { return b.lost.Cmp(a.lost) })
	for i := range left {
		shares[i].units.Add(shares[i].units, big.NewInt(1))
	}
	parts := make([]resource.Quantity, len(weights))
	for i, s := range shares {
		parts[s.index] = quantity.OfUnits(s.units, scale, q.Format)
		if i == left {
			equalparts.AddRest(&parts[s.index], rest)
		}
	}
	return parts, nil
}

func sum(weights []int64) (*big.Int, error) {
	total := new(big.Int)
	for i, w := range weights {
		if w < 0 {
			return nil, fmt.Errorf("%w: weight %d is %d", errWeights, i, w)
		}
		total.Add(total, big.NewInt(w))
	}
	if total.Sign() == 0 {
		return nil, fmt.Errorf("%w: all of %d are zero", errWeights, len(weights))
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

func wholeWeighted(q resource.Quantity, weights []int64, toEach bool) []resource.Quantity {
	greatest := greatestOf(weights)
	parts := make([]resource.Quantity, len(weights))
	for i := range parts {
		parts[i].Format = q.Format
		if toEach && weights[i] > 0 || i == greatest {
			parts[i] = q.DeepCopy()
		}
	}
	return parts
}

// greatestOf returns the index of the largest weight, the first if there are several.
func greatestOf(weights []int64) int { return slices.Index(weights, slices.Max(weights)) }
