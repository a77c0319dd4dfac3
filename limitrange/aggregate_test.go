package limitrange_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

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
	for _, v := range a.Values {
		if v.Type == limitType && v.Resource == name && v.Bound == bound {
			return v, true
		}
	}
	return limitrange.BoundValue{}, false
}

func TestAggregateOfNothing(t *testing.T) {
	for name, ranges := range map[string][]*corev1.LimitRange{"no ranges": nil, "nil": {nil, nil}, "without items": {limitRange("a")}} {
		a := limitrange.AggregateOf(ranges)
		testkit.NoDiff(t, a, limitrange.Aggregate{}, name)
		if conflicts := limitrange.Conflicts(ranges); conflicts != nil {
			t.Errorf("%s: %v", name, conflicts)
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
	for _, v := range a.Values {
		if v.Bound > limitrange.DefaultRequest {
			t.Errorf("Values has %+v", v)
		}
	}
}

func TestAmbiguities(t *testing.T) {
	ranges := func(items ...corev1.LimitRangeItem) (all []*corev1.LimitRange) {
		for i, item := range items {
			lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: pod}, item}}}
			lr.Namespace, lr.Name = "team", string(rune('c'-i)) // not in the order of their names
			all = append(all, lr, nil)
		}
		return all
	}
	limit := func(pairs ...string) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: container, Default: list(pairs...)}
	}
	request := func(pairs ...string) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: container, DefaultRequest: list(pairs...)}
	}
	for _, test := range []struct {
		name  string
		items []corev1.LimitRangeItem
		want  []string
	}{
		{"none", nil, nil},
		{"one", []corev1.LimitRangeItem{limit("cpu", "1")}, nil},
		{"equal amounts", []corev1.LimitRangeItem{limit("cpu", "1", "memory", "1Gi"), limit("cpu", "1000m", "memory", "1024Mi")}, nil},
		{"a limit, which the server stores as a request too, and a request", []corev1.LimitRangeItem{limit("cpu", "1"), request("cpu", "2")}, []string{
			"Container cpu defaultRequest: 2 of LimitRange team/b, 1 of LimitRange team/c",
		}},
		{"different resources", []corev1.LimitRangeItem{limit("cpu", "1"), limit("memory", "2")}, nil},
		{"limits, which the server stores as requests too", []corev1.LimitRangeItem{limit("cpu", "1"), limit("cpu", "2")}, []string{
			"Container cpu default: 2 of LimitRange team/b, 1 of LimitRange team/c",
			"Container cpu defaultRequest: 2 of LimitRange team/b, 1 of LimitRange team/c",
		}},
		{"the last of three", []corev1.LimitRangeItem{request("cpu", "2"), request("cpu", "1"), request("cpu", "1")}, []string{
			"Container cpu defaultRequest: 1 of LimitRange team/a, 1 of LimitRange team/b, 2 of LimitRange team/c",
		}},
		{"the one between two", []corev1.LimitRangeItem{limit("cpu", "1"), limit("cpu", "2"), limit("cpu", "1")}, []string{
			"Container cpu default: 1 of LimitRange team/a, 2 of LimitRange team/b, 1 of LimitRange team/c",
			"Container cpu defaultRequest: 1 of LimitRange team/a, 2 of LimitRange team/b, 1 of LimitRange team/c",
		}},
		{"by resource, limits first", []corev1.LimitRangeItem{
			{Type: container, Default: list("memory", "1", "cpu", "1"), DefaultRequest: list("cpu", "1")},
			{Type: container, Default: list("memory", "2", "cpu", "2"), DefaultRequest: list("cpu", "2")},
		}, []string{
			"Container cpu default: 2 of LimitRange team/b, 1 of LimitRange team/c",
			"Container cpu defaultRequest: 2 of LimitRange team/b, 1 of LimitRange team/c",
			"Container memory default: 2 of LimitRange team/b, 1 of LimitRange team/c",
			"Container memory defaultRequest: 2 of LimitRange team/b, 1 of LimitRange team/c",
		}},
		{"other types have no defaults that count", []corev1.LimitRangeItem{{Type: claim, Default: list("storage", "1")}, {Type: claim, Default: list("storage", "2")}, {Type: pod, Default: list("cpu", "1")}, {Type: pod, Default: list("cpu", "2")}}, nil},
		{"minimums, which the server stores as requests too", []corev1.LimitRangeItem{{Type: container, Min: list("cpu", "1")}, {Type: container, Min: list("cpu", "2")}}, []string{
			"Container cpu defaultRequest: 2 of LimitRange team/b, 1 of LimitRange team/c",
		}},
		{"different ratios are not ambiguous", []corev1.LimitRangeItem{{Type: container, MaxLimitRequestRatio: list("cpu", "1")}, {Type: container, MaxLimitRequestRatio: list("cpu", "2")}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, testkit.Strings(limitrange.Ambiguities(ranges(test.items...), nil)), test.want)
		})
	}
	field := limitrange.Ambiguities(ranges(limit("cpu", "1"), limit("cpu", "2")), nil)[0].Values[0].Source
	testkit.Equal(t, field, (computeresources.Source{Kind: "LimitRange", Namespace: "team", Name: "b", Field: "spec.limits[1]"}), "source")
}

// An amount is ambiguous exactly if the order of two LimitRanges decides what an empty container
// gets.
func TestAmbiguitiesAreOfOrder(t *testing.T) {
	ambiguous := 0
	rapid.Check(t, func(t *rapid.T) {
		defaults := rapid.Custom(func(t *rapid.T) corev1.LimitRangeItem {
			some := rapid.SampledFrom([]corev1.ResourceList{nil, list("cpu", "1"), list("cpu", "2", "memory", "1Gi"), list("memory", "1024Mi")})
			return corev1.LimitRangeItem{Type: container, Default: some.Draw(t, "limits"), DefaultRequest: some.Draw(t, "requests")}
		})
		give := func(first, second corev1.LimitRangeItem) corev1.ResourceRequirements {
			spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}
			for _, item := range []corev1.LimitRangeItem{first, second} {
				lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{limitrange.WithDefaults(item)}}}
				limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{}).ApplyDefaults(spec)
			}
			return spec.Containers[0].Resources
		}
		a, b := defaults.Draw(t, "a"), defaults.Draw(t, "b")
		var want []string
		ab, ba := give(a, b), give(b, a)
		for _, name := range []corev1.ResourceName{"cpu", "memory"} {
			for bound, lists := range map[limitrange.Bound][2]corev1.ResourceList{limitrange.DefaultLimit: {ab.Limits, ba.Limits}, limitrange.DefaultRequest: {ab.Requests, ba.Requests}} {
				if first, second := lists[0][name], lists[1][name]; first.Cmp(second) != 0 {
					want = append(want, fmt.Sprint(name, bound))
				}
			}
		}
		var got []string
		for _, found := range limitrange.Ambiguities([]*corev1.LimitRange{namedRange("a", a), namedRange("b", b)}, nil) {
			got = append(got, fmt.Sprint(found.Resource, found.Bound))
		}
		ambiguous += len(got)
		testkit.NoDiff(t, got, want, cmpopts.SortSlices(func(a, b string) bool { return a < b }), cmpopts.EquateEmpty())
	})
	if !testing.Short() && ambiguous == 0 {
		t.Error("nothing was ambiguous")
	}
}

// A pod is concerned by the defaults that one of its containers lacks after the server has set requests to
// limits.
func TestAmbiguitiesOfAPod(t *testing.T) {
	ranges := []*corev1.LimitRange{
		namedRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "2", "memory", "1Gi")}),
		namedRange("b", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1", "memory", "1024Mi"), Max: list("cpu", "1")}),
	}
	always := corev1.ContainerRestartPolicyAlways
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		want []string
	}{
		{"no containers", &corev1.PodSpec{}, nil},
		{"both amounts are set", &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", list("cpu", "1"), list("cpu", "1"))}}, nil},
		{"a limit is a request", &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", nil, list("cpu", "1"))}}, nil},
		{"a request is no limit", &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", list("cpu", "1"), nil)}}, []string{
			"Container cpu default: 2 of LimitRange a, 1 of LimitRange b: [container app]",
		}},
		{"zero is set", &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", list("cpu", "0"), list("cpu", "0"))}}, nil},
		{"containers of each kind", &corev1.PodSpec{
			Containers:     []corev1.Container{testkit.Container("app", nil, list("cpu", "1")), testkit.Container("proxy", list("memory", "1"), nil)},
			InitContainers: []corev1.Container{{Name: "setup"}, {Name: "log", RestartPolicy: &always}},
		}, []string{
			"Container cpu default: 2 of LimitRange a, 1 of LimitRange b: [init container setup sidecar log container proxy]",
			"Container cpu defaultRequest: 2 of LimitRange a, 1 of LimitRange b: [init container setup sidecar log container proxy]",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, a := range limitrange.Ambiguities(ranges, test.spec) {
				got = append(got, fmt.Sprintf("%v: %v", a, a.Refs))
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}

func namedRange(name string, item corev1.LimitRangeItem) *corev1.LimitRange {
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}
	lr.Name = name
	return lr
}
