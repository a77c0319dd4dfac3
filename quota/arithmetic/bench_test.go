package arithmetic_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota/arithmetic"
)

func TestIntoAllocatesNothing(t *testing.T) {
	a, b := list("cpu", "1500m", "memory", "1Gi", "pods", "3"), list("cpu", "1", "memory", "512Mi", "pods", "3")
	names := arithmetic.ResourceNames(a)
	dst := corev1.ResourceList{}
	for name, call := range map[string]func(){
		"AddInto":                           func() { dst = arithmetic.AddInto(dst, a, b) },
		"SubtractInto":                      func() { dst = arithmetic.SubtractInto(dst, a, b) },
		"SubtractWithNonNegativeResultInto": func() { dst = arithmetic.SubtractWithNonNegativeResultInto(dst, a, b) },
		"MaxInto":                           func() { dst = arithmetic.MaxInto(dst, a, b) },
		"MaskInto":                          func() { dst = arithmetic.MaskInto(dst, a, names) },
		"RemoveZerosInto":                   func() { dst = arithmetic.RemoveZerosInto(dst, a) },
		"Equals":                            func() { arithmetic.Equals(a, b) },
		"IsZero":                            func() { arithmetic.IsZero(a) },
		"IsNegative":                        func() { arithmetic.IsNegative(a) },
	} {
		if got := testing.AllocsPerRun(100, call); got > 0 {
			t.Errorf("%s: %v allocations, want none", name, got)
		}
	}
}

func BenchmarkAddInto(b *testing.B) {
	x, y := list("cpu", "1500m", "memory", "1Gi", "pods", "3"), list("cpu", "1", "memory", "512Mi", "pods", "3")
	dst := corev1.ResourceList{}
	b.ReportAllocs()
	for b.Loop() {
		dst = arithmetic.AddInto(dst, x, y)
	}
}
