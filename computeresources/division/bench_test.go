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

func TestAllocs(t *testing.T) {
	cpu, memory, fraction := resource.MustParse("1"), resource.MustParse("1Gi"), resource.MustParse("1.5Gi")
	for _, test := range []struct {
		name string
		most float64
		call func()
	}{
		{"cpu", 1, func() { _, _ = division.Divide("cpu", cpu, 1000, division.Options{}) }},
		{"memory", 1, func() { _, _ = division.Divide("memory", memory, 1000, division.Options{}) }},
		{"a decimal", 1, func() { _, _ = division.Divide("memory", fraction, 3, division.Options{}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > test.most {
				t.Errorf("%v allocations, want at most %v", got, test.most)
			}
		})
	}
}
