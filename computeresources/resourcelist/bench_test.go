package resourcelist_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func TestIntoAllocatesNothing(t *testing.T) {
	a, b := list("cpu", "1500m", "memory", "1Gi", "pods", "3"), list("cpu", "1", "memory", "512Mi", "pods", "3")
	names := resourcelist.ResourceNames(a)
	dst := corev1.ResourceList{}
	for name, call := range map[string]func(){
		"AddInto":                           func() { dst = resourcelist.AddInto(dst, a, b) },
		"SubtractInto":                      func() { dst = resourcelist.SubtractInto(dst, a, b) },
		"SubtractWithNonNegativeResultInto": func() { dst = resourcelist.SubtractWithNonNegativeResultInto(dst, a, b) },
		"MaxInto":                           func() { dst = resourcelist.MaxInto(dst, a, b) },
		"MaskInto":                          func() { dst = resourcelist.MaskInto(dst, a, names) },
		"RemoveZerosInto":                   func() { dst = resourcelist.RemoveZerosInto(dst, a) },
		"Equals":                            func() { resourcelist.Equals(a, b) },
		"IsZero":                            func() { resourcelist.IsZero(a) },
		"IsNegative":                        func() { resourcelist.IsNegative(a) },
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
		dst = resourcelist.AddInto(dst, x, y)
	}
}
