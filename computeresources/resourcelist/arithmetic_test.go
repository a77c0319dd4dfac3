package resourcelist_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

var list = testkit.List

type names = []corev1.ResourceName

func wantList(t *testing.T, what string, got, want corev1.ResourceList) {
	t.Helper()
	testkit.NoDiff(t, got, want, what)
}

// Amounts are printed in messages: their notation is part of the answer.
func TestNotation(t *testing.T) {
	a, b := list("cpu", "500m", "memory", "1Gi", "pods", "0"), list("cpu", "1500m", "memory", "1G", "storage", "1Gi")
	for what, test := range map[string]struct {
		got  corev1.ResourceList
		want map[corev1.ResourceName]string
	}{
		"sum":        {resourcelist.Add(a, b), map[corev1.ResourceName]string{"cpu": "2", "memory": "2073741824", "pods": "0", "storage": "1Gi"}},
		"difference": {resourcelist.Subtract(list("memory", "3Gi", "cpu", "1"), list("memory", "1Gi")), map[corev1.ResourceName]string{"cpu": "1", "memory": "2Gi"}},
		"clamped":    {resourcelist.SubtractWithNonNegativeResult(a, list("memory", "512Mi", "cpu", "1", "storage", "1")), map[corev1.ResourceName]string{"cpu": "0", "memory": "512Mi", "pods": "0", "storage": "0"}},
		"greatest":   {resourcelist.Max(list("memory", "1Gi"), list("memory", "1073741824")), map[corev1.ResourceName]string{"memory": "1Gi"}},
		"zero":       {resourcelist.Add(list("memory", "1Gi"), list("memory", "0")), map[corev1.ResourceName]string{"memory": "1Gi"}},
		"less zero":  {resourcelist.Subtract(list("memory", "0"), list("memory", "0Gi")), map[corev1.ResourceName]string{"memory": "0"}},
	} {
		if len(test.got) != len(test.want) {
			t.Errorf("%s: %v", what, test.got)
		}
		for name, want := range test.want {
			if q := test.got[name]; q.String() != want {
				t.Errorf("%s: %s = %s, want %s", what, name, q.String(), want)
			}
		}
	}
	// An amount from which nothing is subtracted keeps its format.
	for _, format := range []resource.Format{resource.BinarySI, resource.DecimalExponent, resource.DecimalSI, ""} {
		for _, amount := range []int64{0, 1 << 20, -1 << 20} {
			a := corev1.ResourceList{"memory": *resource.NewQuantity(amount, format)}
			for what, got := range map[string]corev1.ResourceList{
				"Subtract 0":       resourcelist.Subtract(a, list("memory", "0")),
				"Subtract 0Gi":     resourcelist.Subtract(a, list("memory", "0Gi")),
				"Subtract nothing": resourcelist.Subtract(a, nil),
				"Add 0":            resourcelist.Add(a, list("memory", "0e3")),
				"Add nothing":      resourcelist.Add(a, nil),
				"Add to nothing":   resourcelist.Add(nil, a),
				"Mask":             resourcelist.Mask(a, names{"memory"}),
				"Max with nothing": resourcelist.Max(a, nil),
			} {
				if q := got["memory"]; q.Format != format || q.Value() != amount {
					t.Errorf("%s of %d in %q is %d in %q", what, amount, format, q.Value(), q.Format)
				}
			}
		}
	}
	zero := resourcelist.SubtractWithNonNegativeResult(list("a", "1", "c", "1Ki"), list("a", "2", "b", "1", "c", "1Ki"))
	for name, q := range zero {
		testkit.Equal(t, q.Format, resource.DecimalSI, name, "zero of the format")
	}
}

func TestNames(t *testing.T) {
	_, exceeded := resourcelist.LessThanOrEqual(list("pods", "2", "cpu", "2", "memory", "2", "b", "2", "a", "1", "z", "2"), list("pods", "1", "cpu", "1", "memory", "1", "b", "1", "a", "1", "z", "1"))
	for _, test := range []struct {
		what      string
		got, want names
	}{
		{"names that exceed", exceeded, names{"b", "cpu", "memory", "pods", "z"}},
		{"names", resourcelist.ResourceNames(list("pods", "1", "cpu", "0", "memory", "-1")), names{"cpu", "memory", "pods"}},
		{"names of negative amounts", resourcelist.IsNegative(list("z", "-1.5Gi", "memory", "-1n", "cpu", "-1", "pods", "0", "a", "1", "b", "-1", "c", "-2")), names{"b", "c", "cpu", "memory", "z"}},
		{"names of nil", resourcelist.ResourceNames(nil), names{}},
	} {
		testkit.NoDiff(t, test.got, test.want, test.what)
	}
}

// Empty results are not nil, as upstream: reflect.DeepEqual and JSON distinguish them.
func TestNothingIsNotNil(t *testing.T) {
	type lists = []corev1.ResourceList
	a := list("cpu", "1")
	_, within := resourcelist.LessThanOrEqual(a, a)
	_, nothing := resourcelist.LessThanOrEqual(nil, nil)
	for what, got := range map[string][]names{
		"LessThanOrEqual": {within, nothing},
		"Insufficient":    {resourcelist.Insufficient(nil, nil), resourcelist.Insufficient(a, a)},
		"IsNegative":      {resourcelist.IsNegative(nil), resourcelist.IsNegative(a)},
		"ResourceNames":   {resourcelist.ResourceNames(nil), resourcelist.ResourceNames(list())},
	} {
		for i, names := range got {
			if names == nil || len(names) > 0 {
				t.Errorf("%s %d: %#v, want an empty slice", what, i, names)
			}
		}
	}
	for what, got := range map[string]lists{
		"Add":                           {resourcelist.Add(nil, nil), resourcelist.AddInto(nil, nil, nil)},
		"Subtract":                      {resourcelist.Subtract(nil, nil), resourcelist.SubtractInto(nil, nil, nil)},
		"SubtractWithNonNegativeResult": {resourcelist.SubtractWithNonNegativeResult(nil, nil)},
		"Max":                           {resourcelist.Max(nil, nil), resourcelist.MaxInto(nil, nil, nil)},
		"Min":                           {resourcelist.Min(nil, nil), resourcelist.Min(a, nil)},
		"Overlay":                       {resourcelist.Overlay(nil, nil)},
		"Sum":                           {resourcelist.Sum(), resourcelist.Sum(nil)},
		"Multiply":                      {resourcelist.Multiply(nil, 2)},
		"Scale":                         {resourcelist.Scale(nil, nil)},
		"PartOf":                        {resourcelist.PartOf(nil, nil)},
		"Mask":                          {resourcelist.Mask(nil, nil), resourcelist.Mask(a, nil)},
		"RemoveZeros":                   {resourcelist.RemoveZeros(nil), resourcelist.RemoveZeros(list("cpu", "0"))},
	} {
		for i, list := range got {
			if list == nil || len(list) > 0 {
				t.Errorf("%s %d: %#v, want an empty list", what, i, list)
			}
		}
	}
}
