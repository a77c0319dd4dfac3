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
