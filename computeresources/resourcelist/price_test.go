package resourcelist_test

import (
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPrice(t *testing.T) {
	prices := map[corev1.ResourceName]*big.Rat{
		"cpu": big.NewRat(3, 100), "memory": big.NewRat(42, 10_000<<30), "example.com/gpu": big.NewRat(7, 3), "example.com/free": nil,
		"example.com/credit": big.NewRat(-1, 1),
	}
	for _, test := range []struct {
		name string
		list corev1.ResourceList
		want string
	}{
		{"nothing", nil, "0.0000000000000000"},
		{"a CPU and a half", testkit.List("cpu", "1500m"), "0.0450000000000000"},
		{"a billionth of a CPU", testkit.List("cpu", "1n"), "0.0000000000300000"},
		{"a decimal number of GiB", testkit.List("memory", "1.5Gi"), "0.0063000000000000"},
		{"several resources", testkit.List("cpu", "1", "memory", "1Gi", "example.com/gpu", "3"), "7.0342000000000000"},
		{"beyond int64", testkit.List("cpu", "1e30"), "30000000000000000000000000000.0000000000000000"},
		{"without a price", testkit.List("cpu", "1", "ephemeral-storage", "9Gi", "example.com/free", "2"), "0.0300000000000000"},
		{"below zero", testkit.List("cpu", "-1", "example.com/credit", "2"), "-2.0300000000000000"},
	} {
		testkit.Equal(t, resourcelist.Price(test.list, prices).FloatString(16), test.want, test.name)
	}
	testkit.Equal(t, resourcelist.Price(testkit.List("cpu", "1"), nil).Sign(), 0, "without prices")
}

// prices draws prices of some resources.
func prices(t *rapid.T) map[corev1.ResourceName]*big.Rat {
	drawn := map[corev1.ResourceName]*big.Rat{}
	for _, name := range testkit.ResourceNames {
		switch rapid.IntRange(0, 4).Draw(t, "price") {
		case 0:
		case 1:
			drawn[name] = nil
		default:
			drawn[name] = big.NewRat(rapid.Int64().Draw(t, "num"), rapid.Int64Range(1, 1<<40).Draw(t, "denom"))
		}
	}
	return drawn
}

// The price is that of each resource alone, and that of a sum is the sum of the prices.
func TestPriceEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := testkit.ResourceList(testkit.Quantity()).Draw(t, "a"), testkit.ResourceList(testkit.Quantity()).Draw(t, "b")
		of := prices(t)
		want := new(big.Rat)
		for name, price := range of {
			if q, set := a[name]; set && price != nil {
				want.Add(want, new(big.Rat).Mul(testkit.Exact(q.DeepCopy()), price))
			}
		}
		got := resourcelist.Price(a, of)
		if got.Cmp(want) != 0 {
			t.Fatalf("%s, want %s", got, want)
		}
		sum := resourcelist.Price(resourcelist.Add(a, b), of)
		if both := got.Add(got, resourcelist.Price(b, of)); both.Cmp(sum) != 0 {
			t.Fatalf("%s for both, %s for the sum", both, sum)
		}
	})
}

func TestPriceContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, of := testkit.ResourceList(testkit.Quantity()).Draw(t, "list"), prices(t)
		testkit.Contract(t, func() any { return resourcelist.Price(list, of) }, list, of)
	})
}

// BenchmarkPrice is the price of a pod with three resources.
func BenchmarkPrice(b *testing.B) {
	list := testkit.List("cpu", "1500m", "memory", "1536Mi", "example.com/gpu", "1")
	of := map[corev1.ResourceName]*big.Rat{"cpu": big.NewRat(3, 100), "memory": big.NewRat(42, 10_000<<30), "example.com/gpu": big.NewRat(7, 3)}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(resourcelist.Price(list, of))
	}
}
