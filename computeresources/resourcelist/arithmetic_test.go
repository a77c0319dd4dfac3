package resourcelist_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

var list = testkit.List

type names = []corev1.ResourceName

func wantList(t *testing.T, what string, got, want corev1.ResourceList) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestSums(t *testing.T) {
	tests := []struct {
		name                          string
		a, b                          corev1.ResourceList
		sum, difference, clamped, max corev1.ResourceList
	}{
		{
			name: "nil", sum: list(), difference: list(), clamped: list(), max: list(),
		},
		{
			name: "each alone", a: list("cpu", "1"), b: list("memory", "1.5Gi"),
			sum:        list("cpu", "1", "memory", "1536Mi"),
			difference: list("cpu", "1", "memory", "-1536Mi"),
			clamped:    list("cpu", "1", "memory", "0"),
			max:        list("cpu", "1", "memory", "1536Mi"),
		},
		{
			name: "both", a: list("cpu", "1", "memory", "1.5Gi", "pods", "2"), b: list("cpu", "250m", "memory", "2Gi", "pods", "2"),
			sum:        list("cpu", "1250m", "memory", "3584Mi", "pods", "4"),
			difference: list("cpu", "750m", "memory", "-512Mi", "pods", "0"),
			clamped:    list("cpu", "750m", "memory", "0", "pods", "0"),
			max:        list("cpu", "1", "memory", "2Gi", "pods", "2"),
		},
		{
			name: "below zero", a: list("cpu", "-1", "memory", "1"), b: list("cpu", "-2", "pods", "-3"),
			sum:        list("cpu", "-3", "memory", "1", "pods", "-3"),
			difference: list("cpu", "1", "memory", "1", "pods", "3"),
			clamped:    list("cpu", "1", "memory", "1", "pods", "0"),
			max:        list("cpu", "-1", "memory", "1", "pods", "-3"),
		},
		{
			name: "at the ends of int64", a: list("cpu", "9223372036854775807", "memory", "1E"), b: list("cpu", "1", "memory", "1n"),
			sum:        list("cpu", "9223372036854775808", "memory", "1000000000000000000.000000001"),
			difference: list("cpu", "9223372036854775806", "memory", "999999999999999999.999999999"),
			clamped:    list("cpu", "9223372036854775806", "memory", "999999999999999999.999999999"),
			max:        list("cpu", "9223372036854775807", "memory", "1E"),
		},
		{
			name: "the least int64", a: list("cpu", "0"), b: corev1.ResourceList{"cpu": *resource.NewQuantity(math.MinInt64, resource.DecimalSI)},
			sum:        list("cpu", "-9223372036854775808"),
			difference: list("cpu", "9223372036854775808"),
			clamped:    list("cpu", "9223372036854775808"),
			max:        list("cpu", "0"),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantList(t, "Add", resourcelist.Add(test.a, test.b), test.sum)
			wantList(t, "Subtract", resourcelist.Subtract(test.a, test.b), test.difference)
			wantList(t, "SubtractWithNonNegativeResult", resourcelist.SubtractWithNonNegativeResult(test.a, test.b), test.clamped)
			wantList(t, "Max", resourcelist.Max(test.a, test.b), test.max)
		})
	}
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
		if q.Format != resource.DecimalSI {
			t.Errorf("%s: zero of the format %q", name, q.Format)
		}
	}
}

func TestSelection(t *testing.T) {
	a := list("cpu", "1", "memory", "0", "pods", "-1")
	wantList(t, "Mask", resourcelist.Mask(a, names{"pods", "cpu", "other", "cpu"}), list("cpu", "1", "pods", "-1"))
	wantList(t, "Mask of no names", resourcelist.Mask(a, nil), list())
	wantList(t, "Mask of nil", resourcelist.Mask(nil, names{"cpu"}), list())
	wantList(t, "RemoveZeros", resourcelist.RemoveZeros(a), list("cpu", "1", "pods", "-1"))
	wantList(t, "RemoveZeros of nil", resourcelist.RemoveZeros(nil), list())
}

func TestComparison(t *testing.T) {
	tests := []struct {
		name     string
		a, b     corev1.ResourceList
		equal    bool
		exceeded names // of a over b
	}{
		{"nil", nil, nil, true, nil},
		{"nil and empty", nil, list(), true, nil},
		{"same", list("cpu", "1"), list("cpu", "1000m"), true, nil},
		{"same decimal", list("memory", "1.5Gi"), list("memory", "1536Mi"), true, nil},
		{"less", list("cpu", "999m"), list("cpu", "1"), false, nil},
		{"more", list("cpu", "1001m"), list("cpu", "1"), false, names{"cpu"}},
		{"by a billionth", list("cpu", "1000000001n"), list("cpu", "1"), false, names{"cpu"}},
		{"a resource without a limit", list("cpu", "1", "memory", "1"), list("memory", "1"), false, nil},
		{"a limit of a resource without a request", list("memory", "1"), list("cpu", "-1", "memory", "1"), false, nil},
		{"different resources", list("cpu", "1"), list("memory", "1"), false, nil},
		{"zero is not absent", list("cpu", "0"), list("memory", "0"), false, nil},
		{"several, sorted", list("pods", "2", "cpu", "2", "memory", "2", "b", "2", "a", "1"), list("pods", "1", "cpu", "1", "memory", "1", "b", "1", "a", "1"), false, names{"b", "cpu", "memory", "pods"}},
		{"beyond int64", list("cpu", "9223372036854775808"), list("cpu", "9223372036854775807"), false, names{"cpu"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := resourcelist.Equals(test.a, test.b); got != test.equal {
				t.Errorf("Equals = %v", got)
			}
			within, exceeded := resourcelist.LessThanOrEqual(test.a, test.b)
			if within != (test.exceeded == nil) || !slices.Equal(exceeded, test.exceeded) {
				t.Errorf("LessThanOrEqual = %v, %v, want %v", within, exceeded, test.exceeded)
			}
		})
	}
}

func TestZeroAndNegative(t *testing.T) {
	tests := []struct {
		list     corev1.ResourceList
		zero     bool
		negative names
	}{
		{nil, true, nil},
		{list("cpu", "0", "memory", "0Gi"), true, nil},
		{list("cpu", "0", "memory", "1n"), false, nil},
		{list("memory", "-1n", "cpu", "-1", "pods", "0", "a", "1", "z", "-1.5Gi"), false, names{"cpu", "memory", "z"}},
	}
	for _, test := range tests {
		if got := resourcelist.IsZero(test.list); got != test.zero {
			t.Errorf("IsZero(%v) = %v", test.list, got)
		}
		if got := resourcelist.IsNegative(test.list); !slices.Equal(got, test.negative) {
			t.Errorf("IsNegative(%v) = %v", test.list, got)
		}
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		what      string
		got, want names
	}{
		{"names", resourcelist.ResourceNames(list("pods", "1", "cpu", "0", "memory", "-1")), names{"cpu", "memory", "pods"}},
		{"names of nil", resourcelist.ResourceNames(nil), names{}},
		{"intersection", resourcelist.Intersection(names{"c", "a", "b", "a"}, names{"a", "c", "c", "d"}), names{"a", "c"}},
		{"intersection with an empty list", resourcelist.Intersection(names{"a"}, nil), names{}},
		{"difference", resourcelist.Difference(names{"d", "c", "a", "b", "d", "a"}, names{"c", "b"}), names{"a", "d"}},
		{"difference from an empty list", resourcelist.Difference(nil, names{"a"}), names{}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
	if !resourcelist.Contains(names{"a", "b"}, "b") || resourcelist.Contains(names{"a", "b"}, "c") || resourcelist.Contains(nil, "") {
		t.Error("Contains")
	}
	prefixes := []string{"hugepages-", "requests."}
	if !resourcelist.ContainsPrefix(prefixes, "requests.cpu") || !resourcelist.ContainsPrefix(prefixes, "hugepages-") ||
		resourcelist.ContainsPrefix(prefixes, "cpu.requests.") || resourcelist.ContainsPrefix(nil, "a") || !resourcelist.ContainsPrefix([]string{""}, "a") {
		t.Error("ContainsPrefix")
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
		"Intersection":    {resourcelist.Intersection(nil, nil), resourcelist.Intersection(names{"a"}, nil), resourcelist.Intersection(nil, names{"a"}), resourcelist.Intersection(names{"a"}, names{"b"})},
		"Difference":      {resourcelist.Difference(nil, nil), resourcelist.Difference(nil, names{"a"}), resourcelist.Difference(names{"a", "a"}, names{"a"})},
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
		"Mask":                          {resourcelist.Mask(nil, nil), resourcelist.Mask(a, nil), resourcelist.MaskInto(nil, a, nil)},
		"RemoveZeros":                   {resourcelist.RemoveZeros(nil), resourcelist.RemoveZeros(list("cpu", "0"))},
	} {
		for i, list := range got {
			if list == nil || len(list) > 0 {
				t.Errorf("%s %d: %#v, want an empty list", what, i, list)
			}
		}
	}
}
