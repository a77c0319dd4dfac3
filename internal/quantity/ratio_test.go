package quantity_test

import (
	"math"
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// All operations give what fractions of arbitrary precision give, and do not change their operands.
func TestRatioEqualsSlow(t *testing.T) {
	number := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, math.MaxInt64), rapid.SampledFrom([]int64{math.MinInt64, -1, 1 << 32, 1 << 53, math.MaxInt64}))
	ratio := rapid.Custom(func(t *rapid.T) quantity.Ratio {
		num, denom := number.Draw(t, "numerator"), max(1, number.Draw(t, "denominator"))
		switch rapid.IntRange(0, 2).Draw(t, "made of") {
		case 0:
			return quantity.RatioOf(num, denom)
		case 1:
			r := big.NewRat(num, denom)
			return quantity.RatioOfRat(r.Mul(r, big.NewRat(max(1, number.Draw(t, "factor")), 3)))
		}
		return quantity.RatioOfQuantities(testkit.Quantity().Draw(t, "quantity"), *resource.NewQuantity(denom, resource.DecimalSI))
	})
	rapid.Check(t, func(t *rapid.T) {
		r, s := ratio.Draw(t, "r"), ratio.Draw(t, "s")
		x, y := r.Rat(), s.Rat()
		equal := func(what string, got quantity.Ratio, want *big.Rat) {
			t.Helper()
			if got.Rat().Cmp(want) != 0 {
				t.Fatalf("%v %s %v = %v, want %v", x, what, y, got.Rat(), want)
			}
			testkit.Equal(t, got.Sign(), want.Sign(), "sign of", want)
		}
		equal("+", r.Plus(s), new(big.Rat).Add(x, y))
		equal("-", r.Minus(s), new(big.Rat).Sub(x, y))
		equal("·", r.Times(s), new(big.Rat).Mul(x, y))
		if y.Sign() != 0 {
			equal("/", r.Over(s), new(big.Rat).Quo(x, y))
		}
		equal("reduced, not", r.Reduced(), x)
		equal("unchanged, not", r, x)
		testkit.Equal(t, r.String(), x.RatString())
		testkit.Equal(t, r.Cmp(s), x.Cmp(y), x, "compared with", y)
		float, _ := x.Float64()
		testkit.Equal(t, r.Float64(), float, "float of", x)

		floor, _ := quantity.Floor(x, 0)
		want := int64(math.MaxInt64)
		if floor.IsInt64() {
			want = floor.Int64()
		} else if floor.Sign() < 0 {
			want = math.MinInt64
		}
		testkit.Equal(t, r.Floor(), want, "floor of", x)

		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n")
		if units, exact, ok := r.Of(n); ok {
			want, whole := quantity.Floor(new(big.Rat).Mul(x, big.NewRat(n, 1)), 0)
			if !want.IsInt64() || want.Int64() != units || whole != exact || units == math.MaxInt64 {
				t.Fatalf("%v of %d = %d, %v, want %v, %v", x, n, units, exact, want, whole)
			}
		}
	})
}

// Ratios keep what they are made of, even if it does not fit integers.
func TestRatioOf(t *testing.T) {
	rat := func(s string) quantity.Ratio {
		r, _ := new(big.Rat).SetString(s)
		return quantity.RatioOfRat(r)
	}
	of := func(a, b string) quantity.Ratio {
		return quantity.RatioOfQuantities(resource.MustParse(a), resource.MustParse(b))
	}
	tests := []struct {
		name string
		got  quantity.Ratio
		want string
	}{
		{"an integer", quantity.Whole(3), "3"},
		{"a negative integer", quantity.Whole(-3), "-3"},
		{"two integers", quantity.RatioOf(3, 2), "3/2"},
		{"a negative numerator", quantity.RatioOf(-3, 2), "-3/2"},
		{"a fraction that is zero", rat("0"), "0"},
		{"a fraction that is an integer", rat("10/2"), "5"},
		{"a fraction", rat("5/2"), "5/2"},
		{"a negative fraction", rat("-5/2"), "-5/2"},
		{"a large fraction", rat("100000000000000000000/3"), "100000000000000000000/3"},
		{"a small fraction", rat("1/100000000000000000000"), "1/100000000000000000000"},
		{"whole quantities", of("1", "3"), "1/3"},
		{"quantities of milli-units", of("1500m", "500m"), "3"},
		{"a fine quantity", of("1n", "1"), "1/1000000000"},
		{"a negative quantity", of("-1", "2"), "-1/2"},
		{"a large quantity", of("10E", "2"), "5000000000000000000"},
		{"a negative fraction minus zero", quantity.RatioOf(-1, 2).Minus(quantity.Ratio{}), "-1/2"},
	}
	for _, test := range tests {
		testkit.Equal(t, test.got.Rat().RatString(), test.want, test.name)
	}
	// The nearest float is not the quotient of the floats.
	testkit.Equal(t, quantity.RatioOf(1, 1<<53+1).Float64(), 1.1102230246251564e-16)
}

func TestRatioOfNothing(t *testing.T) {
	var zero quantity.Ratio
	one := quantity.Whole(1)
	testkit.Equal(t, zero.Rat().RatString(), "0")
	testkit.Equal(t, quantity.RatioOfRat(nil).Cmp(zero), 0)
	testkit.Equal(t, zero.Plus(one).Cmp(one), 0)
	testkit.Equal(t, one.Times(zero).Over(one).Reduced().Sign(), 0)
	testkit.Equal(t, zero.Float64(), 0.0)
	testkit.Equal(t, zero.Floor(), 0)
}

func TestRatioAllocatesNothing(t *testing.T) {
	third, half := quantity.RatioOf(1, 3), quantity.RatioOf(1<<10, 1<<11)
	testkit.Equal(t, testing.AllocsPerRun(100, func() {
		sum := third.Plus(half).Minus(third).Over(half).Reduced()
		sum.Of(1 << 40)
		testkit.Keep(sum.Cmp(half) + int(sum.Floor()) + int(sum.Float64()))
	}), 0.0)
}
