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
				limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Gates{}).ApplyDefaults(spec)
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
