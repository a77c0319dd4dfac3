package resourcelist_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Of equal amounts, the first is the result, in its format, also if dst is one of the lists.
func TestExtremesOfEqualAmounts(t *testing.T) {
	binary, decimal := list("memory", "1Gi"), list("memory", "1073741824")
	for _, test := range []struct{ a, b corev1.ResourceList }{{binary, decimal}, {decimal, binary}} {
		for what, got := range map[string]corev1.ResourceList{
			"Max":          resourcelist.Max(test.a, test.b),
			"Min":          resourcelist.Min(test.a, test.b),
			"MaxInto":      resourcelist.MaxInto(list("cpu", "1"), test.a, test.b),
			"MaxInto of b": func(b corev1.ResourceList) corev1.ResourceList { return resourcelist.MaxInto(b, test.a, b) }(test.b.DeepCopy()),
		} {
			testkit.NoDiff(t, got, test.a, testkit.AsWritten(), what)
		}
	}
}

func TestOverlay(t *testing.T) {
	tests := []struct {
		name                 string
		list, defaults, want corev1.ResourceList
	}{
		{"nil", nil, nil, list()},
		{"only defaults", nil, list("memory", "1.5Gi"), list("memory", "1536Mi")},
		{"no defaults", list("memory", "1.5Gi"), nil, list("memory", "1536Mi")},
		{"a missing resource", list("cpu", "1"), list("cpu", "2", "memory", "1Gi"), list("cpu", "1", "memory", "1Gi")},
		{"zero is not missing", list("cpu", "0"), list("cpu", "2"), list("cpu", "0")},
		{"incomparable lists", list("cpu", "-1"), list("cpu", "2"), list("cpu", "-1")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantList(t, "Overlay", resourcelist.Overlay(test.list, test.defaults), test.want)
		})
	}
}
