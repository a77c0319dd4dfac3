package resourcelist_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestIntoAllocatesNothing(t *testing.T) {
	a, b := list("cpu", "1500m", "memory", "1Gi", "pods", "3"), list("cpu", "1", "memory", "512Mi", "pods", "3")
	decimal, free := list("cpu", "1500m", "memory", "1.5Gi", "pods", "3"), list("cpu", "4", "memory", "12.5Gi", "pods", "110")
	q, total := decimal["memory"], free["memory"]
	tolerance := big.NewRat(1, 20)
	dst := corev1.ResourceList{}
	for name, call := range map[string]func(){
		"AddInto":         func() { dst = resourcelist.AddInto(dst, a, b) },
		"SubtractInto":    func() { dst = resourcelist.SubtractInto(dst, a, b) },
		"MaxInto":         func() { dst = resourcelist.MaxInto(dst, a, b) },
		"ClampInto":       func() { dst, _ = resourcelist.ClampInto(dst, b, nil, a) }, // otherwise the names of what changes
		"Equals":          func() { resourcelist.Equals(a, b) },
		"LessThanOrEqual": func() { resourcelist.LessThanOrEqual(b, a) },
		"Fits":            func() { resourcelist.Fits(decimal, free) },
		"Insufficient":    func() { resourcelist.Insufficient(decimal, free) },
		"IsZero":          func() { resourcelist.IsZero(a) },
		"IsNegative":      func() { resourcelist.IsNegative(a) },
		"Times":           func() { resourcelist.Times(nil, free) }, // otherwise the names of what stops it
		"EqualsWithin":    func() { resourcelist.EqualsWithin(decimal, decimal, tolerance) },
		"Value":           func() { resourcelist.Value(q, 0) },
		"Float":           func() { resourcelist.Float(q) },
		"ScaleQuantity":   func() { resourcelist.ScaleQuantity(q, tolerance, 0) },
		"PartOfQuantity":  func() { resourcelist.PartOfQuantity(q, tolerance, 0) },
		"parts at Nano":   func() { resourcelist.PartOfQuantity(free["cpu"], tolerance, resource.Nano) },
		"Integer":         func() { resourcelist.Integer("memory", q) },
		"Quantity":        func() { resourcelist.Quantity("memory", 1<<30) },
		"Fraction":        func() { resourcelist.Fraction(q, total) },
		"Percent":         func() { resourcelist.Percent(q, total) },
		"DominantShare":   func() { resourcelist.DominantShare(decimal, free) },
		"resource of a quota": func() {
			resourcename.RequestOfQuota("requests.memory")
			if _, ok := resourcename.LimitOfQuota("limits.memory"); !ok {
				t.Error("limits.memory is no limit")
			}
		},
	} {
		if got := testing.AllocsPerRun(100, call); got > 0 {
			t.Errorf("%s: %v allocations, want none", name, got)
		}
	}
}

func BenchmarkTimes(b *testing.B) {
	want, free := list("cpu", "300m", "memory", "1536Mi", "pods", "1"), list("cpu", "3900m", "memory", "62Gi", "pods", "110")
	b.Run("Times", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resourcelist.Times(want, free)
		}
	})
	b.Run("by hand", func(b *testing.B) { // saturates nowhere, and names nothing
		b.ReportAllocs()
		for b.Loop() {
			n := int64(math.MaxInt64)
			for name, q := range want {
				left := free[name]
				n = min(n, left.MilliValue()/q.MilliValue())
			}
		}
	})
}

func BenchmarkClamp(b *testing.B) {
	amounts, minimum, maximum := list("cpu", "25m", "memory", "9Gi"), list("cpu", "100m", "memory", "64Mi"), list("cpu", "4", "memory", "8Gi")
	b.Run("Clamp", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resourcelist.Clamp(amounts, minimum, maximum)
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			clamped, texts := amounts.DeepCopy(), []string{}
			for name, q := range clamped {
				if low, set := minimum[name]; set && q.Cmp(low) < 0 {
					clamped[name], texts = low, append(texts, fmt.Sprintf("%s capped to minimum", name))
				}
				if high, set := maximum[name]; set && q.Cmp(high) > 0 {
					clamped[name], texts = high, append(texts, fmt.Sprintf("%s capped to maximum", name))
				}
			}
			testkit.Keep(texts)
		}
	})
}

func BenchmarkMax(b *testing.B) {
	x, y := list("cpu", "1500m", "memory", "1Gi", "pods", "3"), list("cpu", "1", "memory", "2Gi", "nvidia.com/gpu", "1")
	b.Run("Max", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resourcelist.Max(x, y)
		}
	})
	b.Run("MaxInto", func(b *testing.B) {
		b.ReportAllocs()
		dst := corev1.ResourceList{}
		for b.Loop() {
			dst = resourcelist.MaxInto(dst, x, y)
		}
	})
}

func BenchmarkAddInto(b *testing.B) {
	x, y := list("cpu", "1500m", "memory", "1Gi", "pods", "3"), list("cpu", "1", "memory", "512Mi", "pods", "3")
	dst := corev1.ResourceList{}
	b.ReportAllocs()
	for b.Loop() {
		dst = resourcelist.AddInto(dst, x, y)
	}
}

func BenchmarkSum(b *testing.B) {
	lists := make([]corev1.ResourceList, 1000)
	for i := range lists {
		lists[i] = list("cpu", "1500m", "memory", "1Gi", "pods", "1")
	}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(resourcelist.Sum(lists...))
	}
}

func BenchmarkFits(b *testing.B) {
	want, free := list("cpu", "1500m", "memory", "1.5Gi", "pods", "1"), list("cpu", "4", "memory", "12.5Gi", "pods", "110")
	b.ReportAllocs()
	for b.Loop() {
		resourcelist.Fits(want, free)
	}
}

func BenchmarkScale(b *testing.B) {
	of, ratio := list("cpu", "1500m", "memory", "1Gi", "pods", "3"), big.NewRat(3, 2)
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(resourcelist.Scale(of, ratio))
	}
}

func BenchmarkIntegers(b *testing.B) {
	of := list("cpu", "1500m", "memory", "1.5Gi", "nvidia.com/gpu", "1")
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(resourcelist.Integers(of))
	}
}

func BenchmarkDominantShare(b *testing.B) {
	used, total := list("cpu", "1500m", "memory", "1.5Gi", "nvidia.com/gpu", "1"), list("cpu", "64", "memory", "256Gi", "nvidia.com/gpu", "8")
	b.ReportAllocs()
	for b.Loop() {
		resourcelist.DominantShare(used, total)
	}
}
