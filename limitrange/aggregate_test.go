package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// The document prints a minimum of 300m for the aggregate, against its own rule.
func TestAggregateOfTheDocument(t *testing.T) {
	want := corev1.LimitRangeItem{
		Type: container, Default: list("cpu", "1.5"), DefaultRequest: list("cpu", "750m"), Max: list("cpu", "2.5"), Min: list("cpu", "500m"),
	}
	for _, ranges := range permutations(tektonRanges()) {
		testkit.NoDiff(t, limitrange.AggregateOf(ranges).Item(container), want)
	}
}

func TestEveryValueKnowsItsSource(t *testing.T) {
	a := limitrange.AggregateOf(tektonRanges())
	want := map[limitrange.Bound]string{
		limitrange.Min:            "Container cpu min 500m of LimitRange team/limitrange-1",
		limitrange.Max:            "Container cpu max 2500m of LimitRange team/limitrange-2",
		limitrange.DefaultLimit:   "Container cpu default 1500m of LimitRange team/limitrange-2",
		limitrange.DefaultRequest: "Container cpu defaultRequest 750m of LimitRange team/limitrange-1",
	}
	for bound, words := range want {
		if v, stated := a.Value(container, "cpu", bound); !stated || v.String() != words {
			t.Errorf("%v: %v, %v, want %s", bound, v, stated, words)
		}
	}
	if v, stated := a.Value(container, "cpu", limitrange.Ratio); stated {
		t.Errorf("nobody states the ratio, got %v", v)
	}
	if v, stated := a.Value(pod, "cpu", limitrange.Min); stated {
		t.Errorf("nobody bounds pods, got %v", v)
	}
	if v, stated := a.Value(container, "memory", limitrange.Min); stated {
		t.Errorf("nobody bounds memory, got %v", v)
	}
}

func TestReadingADefaultBringsItWithinTheBounds(t *testing.T) {
	tests := []struct {
		name, min, max, stated string
		want, source           string
	}{
		{"within", "100m", "2", "1", "1", "defaults"},
		{"at the minimum", "1", "2", "1", "1", "defaults"},
		{"at the maximum", "100m", "1", "1", "1", "defaults"},
		{"below the minimum", "1500m", "2", "1", "1500m", "bounds"},
		{"above the maximum", "100m", "500m", "1", "500m", "bounds"},
		{"the minimum wins over the maximum", "3", "2", "1", "3", "bounds"},
		{"the minimum wins over the maximum, from above", "3", "2", "4", "3", "bounds"},
		{"no minimum", "", "500m", "1", "500m", "bounds"},
		{"no maximum", "1500m", "", "1", "1500m", "bounds"},
		{"no bounds", "", "", "1", "1", "defaults"},
		{"zero", "1m", "", "0", "1m", "bounds"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bounds := corev1.LimitRangeItem{Type: container}
			if test.min != "" {
				bounds.Min = list("cpu", test.min)
			}
			if test.max != "" {
				bounds.Max = list("cpu", test.max)
			}
			a := limitrange.AggregateOf([]*corev1.LimitRange{limitRange("bounds", bounds), limitRange("defaults",
				corev1.LimitRangeItem{Type: container, Default: list("cpu", test.stated), DefaultRequest: list("cpu", test.stated)})})
			for _, bound := range []limitrange.Bound{limitrange.DefaultLimit, limitrange.DefaultRequest} {
				got, _ := a.Value(container, "cpu", bound)
				want := limitrange.BoundValue{
					Type: container, Resource: "cpu", Bound: bound, Amount: quantity(test.want),
					Source: sourceIn(test.source, 0),
				}
				testkit.NoDiff(t, got, want, "Value")
				stated, _ := asSet(a, container, "cpu", bound)
				if stated.Amount.Cmp(quantity(test.stated)) != 0 || stated.Source.Name != "defaults" {
					t.Errorf("as it is set: %v, want %s", stated, test.stated)
				}
			}
			item := a.Item(container)
			for _, got := range []corev1.ResourceList{item.Default, item.DefaultRequest} {
				testkit.NoDiff(t, got, list("cpu", test.want), "Item")
			}
		})
	}
}

// Of several equal values, the first by namespace, name and item is the source, however the
// amount is written.
func TestTiesGoBySource(t *testing.T) {
	min := func(amount string) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: container, Min: list("cpu", amount)}
	}
	other := limitRange("a", min("1"))
	other.Namespace = "other"
	tests := []struct {
		name   string
		ranges []*corev1.LimitRange
		want   computeresources.Source
	}{
		{"name", []*corev1.LimitRange{limitRange("b", min("1")), limitRange("a", min("1000m"))}, sourceIn("a", 0)},
		{"namespace", []*corev1.LimitRange{limitRange("0", min("1")), other}, computeresources.Source{Kind: "LimitRange", Namespace: "other", Name: "a", Field: "spec.limits[0]"}},
		{"item of eleven", []*corev1.LimitRange{limitRange("a", min("3"), min("3"), min("7"), min("3"), min("3"), min("3"), min("3"), min("3"), min("3"), min("3"), min("7"))}, sourceIn("a", 2)},
		{"item", []*corev1.LimitRange{limitRange("a", min("500m"), min("1"), min("1000m"))}, sourceIn("a", 1)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, order := range permutations(test.ranges) {
				if v, _ := asSet(limitrange.AggregateOf(order), container, "cpu", limitrange.Min); v.Source != test.want {
					t.Errorf("source %+v, want %+v", v.Source, test.want)
				}
			}
		})
	}
}

// asSet returns a value as it is written in the ranges.
func asSet(a limitrange.Aggregate, limitType corev1.LimitType, name corev1.ResourceName, bound limitrange.Bound) (limitrange.BoundValue, bool) {
	for _, v := range a.Values() {
		if v.Type == limitType && v.Resource == name && v.Bound == bound {
			return v, true
		}
	}
	return limitrange.BoundValue{}, false
}

func TestAggregateOfNothing(t *testing.T) {
	for name, a := range map[string]limitrange.Aggregate{
		"zero value": {}, "no ranges": limitrange.AggregateOf(nil), "nil": limitrange.AggregateOf([]*corev1.LimitRange{nil, nil}), "without items": limitrange.AggregateOf([]*corev1.LimitRange{limitRange("a")}),
	} {
		if len(a.Values()) > 0 || len(a.Conflicts()) > 0 {
			t.Errorf("%s: %v", name, a.Values())
		}
		testkit.NoDiff(t, a.Item(pod), corev1.LimitRangeItem{Type: pod}, name)
	}
}

// The aggregate also keeps the largest defaults, which no method returns.
func TestUnknownBounds(t *testing.T) {
	a := limitrange.AggregateOf(tektonRanges())
	for b := range 256 {
		bound := limitrange.Bound(b)
		_, isValue := a.Value(container, "cpu", bound)
		testkit.Equal(t, isValue, bound > 0 && bound <= limitrange.DefaultRequest && bound != limitrange.Ratio, "bound", b)
	}
	for _, v := range a.Values() {
		if v.Bound > limitrange.DefaultRequest {
			t.Errorf("Values has %+v", v)
		}
	}
}
