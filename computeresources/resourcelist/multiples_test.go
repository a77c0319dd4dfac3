package resourcelist_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestScale(t *testing.T) {
	tests := []struct {
		name     string
		of       corev1.ResourceList
		ratio    *big.Rat
		want     corev1.ResourceList
		notation string
	}{
		{"nil list", nil, big.NewRat(1, 2), list(), ""},
		{"nil ratio", list("cpu", "1"), nil, list("cpu", "0"), "cpu=0"},
		{"half as much again", list("cpu", "1", "memory", "1Gi", "pods", "2"), big.NewRat(3, 2), list("cpu", "1500m", "memory", "1536Mi", "pods", "3"), "cpu=1500m,memory=1536Mi,pods=3"},
		{"up to a unit", list("cpu", "1", "requests.cpu", "1", "limits.cpu", "1", "memory", "100", "pods", "1", "nvidia.com/gpu", "4"), big.NewRat(1, 3),
			list("cpu", "334m", "requests.cpu", "334m", "limits.cpu", "334m", "memory", "34", "pods", "1", "nvidia.com/gpu", "2"), ""},
		{"a ratio of one rounds", list("cpu", "100n", "memory", "1500m"), big.NewRat(1, 1), list("cpu", "1m", "memory", "2"), ""},
		{"a fraction of a unit is rounded up", list("memory", "999"), big.NewRat(1001, 1000), list("memory", "1000"), ""},
		{"a whole result is not rounded", list("memory", "1000"), big.NewRat(1001, 1000), list("memory", "1001"), ""},
		{"a decimal", list("memory", "1.5Gi"), big.NewRat(1, 3), list("memory", "512Mi"), "memory=512Mi"},
		{"negative amounts are rounded away from zero", list("cpu", "-1", "memory", "-100"), big.NewRat(1, 3), list("cpu", "-334m", "memory", "-34"), ""},
		{"a ratio below zero", list("cpu", "1", "memory", "100"), big.NewRat(-1, 3), list("cpu", "-334m", "memory", "-34"), ""},
		{"beyond int64", list("memory", "9223372036854775807"), big.NewRat(3, 2), list("memory", "13835058055282163711"), ""},
		{"to the end of int64", list("memory", "4503599627370496"), big.NewRat(math.MaxInt64, 4503599627370496), list("memory", "9223372036854775807"), ""},
		{"just past the end of int64", list("memory", "4503599627370496"), new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), 63), big.NewInt(4503599627370496)), list("memory", "9223372036854775808"), ""},
		{"up to an amount beyond an int64", list("memory", "3"), big.NewRat(6148914691236517205, 2), list("memory", "9223372036854775808"), ""},
		{"a product of 65 bits", list("memory", "4503599627370496"), big.NewRat(5000, 1), list("memory", "22517998136852480000"), ""},
		{"a product of 64 bits", list("memory", "4503599627370496"), big.NewRat(3000, 1), list("memory", "13510798882111488000"), ""},
		{"a denominator of 80 bits", list("memory", "1Gi"), new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 80)), list("memory", "1"), ""},
		{"a ratio from a float is above its decimal", list("memory", "1000"), new(big.Rat).SetFloat64(1.1), list("memory", "1101"), ""},
		{"a ratio from a text is exact", list("memory", "1000"), rat("1.1"), list("memory", "1100"), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := resourcelist.Scale(test.of, test.ratio)
			wantList(t, "Scale", got, test.want)
			if s := resourcelist.String(got); test.notation != "" && s != test.notation {
				t.Errorf("Scale is written %s, want %s", s, test.notation)
			}
		})
	}
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r
}

// unitsPerOne is how many units of a resource are one.
func unitsPerOne(name corev1.ResourceName) int64 {
	if name == corev1.ResourceCPU {
		return 1000
	}
	return 1
}

// roundedIn returns a value rounded to multiples of 1/unitsPerOne: away from zero, or down.
func roundedIn(value *big.Rat, unitsPerOne int64, away bool) *big.Rat {
	scaled := new(big.Rat).Mul(value, big.NewRat(unitsPerOne, 1))
	units, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int)) // to zero
	if away || rest.Sign() < 0 {
		units.Add(units, big.NewInt(int64(rest.Sign())))
	}
	return new(big.Rat).SetFrac(units, big.NewInt(unitsPerOne))
}

func ratios() *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		num := rapid.OneOf(rapid.Int64Range(-3, 1000), rapid.Int64()).Draw(t, "numerator")
		denom := rapid.OneOf(rapid.Int64Range(1, 1000), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "denominator")
		ratio := big.NewRat(num, denom)
		if rapid.IntRange(0, 4).Draw(t, "long") == 0 {
			ratio.Mul(ratio, big.NewRat(math.MaxInt64, 3))
			ratio.Quo(ratio, big.NewRat(math.MaxInt64-1, 1))
		}
		return ratio
	})
}

// Multiples are those of exact fractions, and are written in the format of the amount.
func TestMultiplesEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of, ratio := lists().Draw(t, "list"), ratios().Draw(t, "ratio")
		n := rapid.OneOf(rapid.Int64Range(-2, 200), rapid.Int64()).Draw(t, "n")
		check := func(what string, got func() corev1.ResourceList, slow func(name corev1.ResourceName, value *big.Rat) *big.Rat) {
			want := map[corev1.ResourceName]*big.Rat{}
			for name, value := range rats(of) {
				want[name] = slow(name, value)
			}
			if diff := cmp.Diff(want, rats(got()), exactly); got() == nil || diff != "" {
				t.Fatalf("%s (-slow +ours):\n%s", what, diff)
			}
			for name, q := range got() {
				testkit.Equal(t, q.Format, of[name].Format, what, name, "in")
			}
		}
		testkit.Contract(t, func() any { return resourcelist.Multiply(of, n) }, of)
		testkit.Contract(t, func() any { return resourcelist.Scale(of, ratio) }, of, ratio)
		testkit.Contract(t, func() any { return resourcelist.PartOf(of, ratio) }, of, ratio)
		check("Multiply", func() corev1.ResourceList { return resourcelist.Multiply(of, n) },
			func(_ corev1.ResourceName, value *big.Rat) *big.Rat {
				return new(big.Rat).Mul(value, new(big.Rat).SetInt64(n))
			})
		check("Scale", func() corev1.ResourceList { return resourcelist.Scale(of, ratio) },
			func(name corev1.ResourceName, value *big.Rat) *big.Rat {
				return roundedIn(new(big.Rat).Mul(value, ratio), unitsPerOne(name), true)
			})
		check("PartOf", func() corev1.ResourceList { return resourcelist.PartOf(of, ratio) },
			func(name corev1.ResourceName, value *big.Rat) *big.Rat {
				return roundedIn(new(big.Rat).Mul(value, ratio), unitsPerOne(name), false)
			})
	})
}

// A format that is not set is not set in the product.
func TestFormatsOfMultiples(t *testing.T) {
	for _, format := range []resource.Format{resource.BinarySI, resource.DecimalExponent, resource.DecimalSI, ""} {
		of := corev1.ResourceList{"memory": *resource.NewQuantity(3<<20, format)}
		for what, got := range map[string]corev1.ResourceList{
			"Multiply": resourcelist.Multiply(of, 2), "Scale": resourcelist.Scale(of, big.NewRat(2, 1)), "PartOf": resourcelist.PartOf(of, big.NewRat(2, 1)),
		} {
			if q := got["memory"]; q.Format != format || q.Value() != 6<<20 {
				t.Errorf("%s: %d in %q, want %d in %q", what, q.Value(), q.Format, 6<<20, format)
			}
		}
	}
}

// A scale is a number that somebody may have read: 10^2147483647 has too many digits.
func TestScaleBeyondAllDigits(t *testing.T) {
	for scale, want := range map[resource.Scale]string{math.MaxInt32: "0", 1001: "0", math.MinInt32: "3", -1001: "3"} {
		q := resourcelist.PartOfQuantity(resource.MustParse("6"), big.NewRat(1, 2), scale)
		testkit.Equal(t, q.Cmp(resource.MustParse(want)), 0, scale)
	}
}
