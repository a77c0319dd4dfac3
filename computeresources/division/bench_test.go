package division_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

func BenchmarkDivide(b *testing.B) {
	for _, whole := range []string{"1", "1E"} {
		b.Run(whole, func(b *testing.B) {
			q := resource.MustParse(whole)
			b.ReportAllocs()
			for b.Loop() {
				parts, err := division.Divide("cpu", q, 1000, division.Options{})
				testkit.Keep(parts)
				testkit.Keep(err)
			}
		})
	}
}

func BenchmarkList(b *testing.B) {
	list := testkit.List("cpu", "1", "memory", "1Gi", "nvidia.com/gpu", "1")
	b.ReportAllocs()
	for b.Loop() {
		parts, _ := division.List(list, 3, division.Options{})
		testkit.Keep(parts)
	}
}

func BenchmarkWeighted(b *testing.B) {
	weights := make([]int64, 1000)
	for i := range weights {
		weights[i] = int64(i * i % 97)
	}
	q := resource.MustParse("1Gi")
	b.ReportAllocs()
	for b.Loop() {
		parts, err := division.Weighted("memory", q, weights, division.Options{})
		testkit.Keep(parts)
		testkit.Keep(err)
	}
}

func TestAllocs(t *testing.T) {
	cpu, memory, fraction := resource.MustParse("1"), resource.MustParse("1Gi"), resource.MustParse("1.5Gi")
	list := testkit.List("cpu", "1", "memory", "1Gi")
	for _, test := range []struct {
		name string
		most float64
		call func()
	}{
		{"cpu", 1, func() { _, _ = division.Divide("cpu", cpu, 1000, division.Options{}) }},
		{"memory", 1, func() { _, _ = division.Divide("memory", memory, 1000, division.Options{}) }},
		{"a decimal", 1, func() { _, _ = division.Divide("memory", fraction, 3, division.Options{}) }},
		{"a list over ten", 1 + 2*10, func() { _, _ = division.List(list, 10, division.Options{}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > test.most {
				t.Errorf("%v allocations, want at most %v", got, test.most)
			}
		})
	}
}
