package quotatracker

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// A name always has the same number.
func TestNameTable(t *testing.T) {
	table := nameTable{index: map[corev1.ResourceName]int32{}}
	var numbers []int32
	for _, name := range []corev1.ResourceName{"pods", "secrets", "pods", "services", "secrets"} {
		numbers = append(numbers, table.number(name))
	}
	if want := []int32{0, 1, 0, 2, 1}; !slices.Equal(numbers, want) {
		t.Errorf("numbers %v, want %v", numbers, want)
	}
	if want := []corev1.ResourceName{"pods", "secrets", "services"}; !slices.Equal(table.names, want) {
		t.Errorf("names %v, want %v", table.names, want)
	}
}
