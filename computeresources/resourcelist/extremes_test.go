package resourcelist_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestMin(t *testing.T) {
	tests := []struct {
		name       string
		a, b, want corev1.ResourceList
	}{
		{"nil", nil, nil, list()},
		{"nothing in common", list("cpu", "1"), list("memory", "1Gi"), list()},
		{"a resource in one list only", list("cpu", "10", "memory", "20Gi"), list("cpu", "6", "memory", "24Gi", "nvidia.com/gpu", "2"), list("cpu", "6", "memory", "20Gi")},
		{"zero", list("cpu", "0"), list("cpu", "1m"), list("cpu", "0")},
		{"below zero", list("cpu", "-1", "memory", "-1"), list("cpu", "-2", "memory", "0"), list("cpu", "-2", "memory", "-1")},
		{"by a billionth", list("cpu", "1000000001n"), list("cpu", "1"), list("cpu", "1")},
		{"decimals", list("memory", "1.5Gi"), list("memory", "1535Mi"), list("memory", "1535Mi")},
		{"beyond int64", list("cpu", "9223372036854775808"), list("cpu", "9223372036854775807"), list("cpu", "9223372036854775807")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantList(t, "Min(a, b)", resourcelist.Min(test.a, test.b), test.want)
			wantList(t, "Min(b, a)", resourcelist.Min(test.b, test.a), test.want)
		})
	}
}

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
			if diff := cmp.Diff(test.a, got, testkit.AsWritten()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
		}
	}
}

// Of what both name, the lesser and the greater are both of them: a + b.
func TestMinAndMaxAreBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := lists().Draw(t, "a"), lists().Draw(t, "b")
		both := resourcelist.Intersection(resourcelist.ResourceNames(a), resourcelist.ResourceNames(b))
		got := resourcelist.Add(resourcelist.Min(a, b), resourcelist.Mask(resourcelist.Max(a, b), both))
		want := resourcelist.Mask(resourcelist.Add(a, b), both)
		if !resourcelist.Equals(got, want) {
			t.Fatalf("%s, want %s", resourcelist.String(got), resourcelist.String(want))
		}
	})
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
