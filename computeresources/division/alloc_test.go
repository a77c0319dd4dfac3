package division_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestAllocs(t *testing.T) {
	cpu, memory, fraction := resource.MustParse("1"), resource.MustParse("1Gi"), resource.MustParse("1.5Gi")
	list := testkit.List("cpu", "1", "memory", "1Gi")
	parts, _ := division.Divide("cpu", cpu, 1000, division.Options{})
	for _, test := range []struct {
		name string
		most float64
		call func()
	}{
		{"cpu", 0, func() { _, _ = division.Divide("cpu", cpu, 1_000_000_000, division.Options{}) }},
		{"memory", 0, func() { _, _ = division.Divide("memory", memory, 1_000_000_000, division.Options{}) }},
		{"a decimal", 0, func() { _, _ = division.Divide("memory", fraction, 3, division.Options{}) }},
		{"parts", 0, func() {
			for range parts.All() {
			}
		}},
		{"a list over very many", 4, func() { _, _ = division.List(list, 1_000_000_000, division.Options{}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > test.most {
				t.Errorf("%v allocations, want at most %v", got, test.most)
			}
		})
	}
}
