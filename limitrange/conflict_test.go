package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func TestConflicts(t *testing.T) {
	bounds := func(limitType corev1.LimitType, min, max, ratio string) corev1.LimitRangeItem {
		item := corev1.LimitRangeItem{Type: limitType}
		for to, amount := range map[*corev1.ResourceList]string{&item.Min: min, &item.Max: max, &item.MaxLimitRequestRatio: ratio} {
			if amount != "" {
				*to = list("cpu", amount)
			}
		}
		return item
	}
	defaults := func(limit, request string) corev1.LimitRangeItem {
		item := corev1.LimitRangeItem{Type: container}
		if limit != "" {
			item.Default = list("cpu", limit)
		}
		if request != "" {
			item.DefaultRequest = list("cpu", request)
		}
		return item
	}
	both := func(a, b corev1.LimitRangeItem) corev1.LimitRangeItem {
		a.Default, a.DefaultRequest = b.Default, b.DefaultRequest
		return a
	}
	tests := []struct {
		name string
		a, b corev1.LimitRangeItem
		want []string
	}{
		{"min at max", bounds(container, "1", "", ""), bounds(container, "", "1", ""), nil},
		{"min above max", bounds(container, "1001m", "", ""), bounds(container, "", "1", ""), []string{
			"Container cpu: min is above max: min 1001m of LimitRange team/a, max 1 of LimitRange team/b",
		}},
		{"min above max of Pod", bounds(pod, "2", "", ""), bounds(pod, "", "1", ""), []string{
			"Pod cpu: min is above max: min 2 of LimitRange team/a, max 1 of LimitRange team/b",
		}},
		{"the least of two default requests below the minimum", both(bounds(container, "500m", "", ""), defaults("", "1")), defaults("", "100m"), []string{
			"Container cpu: the default is out of bounds: min 500m of LimitRange team/a, defaultRequest 100m of LimitRange team/b",
		}},
		{"the greatest of two default requests above the maximum", both(bounds(container, "", "500m", ""), defaults("", "100m")), defaults("", "1"), []string{
			"Container cpu: the default is out of bounds: defaultRequest 1 of LimitRange team/b, max 500m of LimitRange team/a",
		}},
		{"the least of two default limits below the minimum", both(bounds(container, "500m", "", ""), defaults("1", "")), defaults("100m", ""), []string{
			"Container cpu: the default is out of bounds: min 500m of LimitRange team/a, default 100m of LimitRange team/b",
		}},
		{"the greatest of two default limits above the maximum", both(bounds(container, "", "500m", ""), defaults("100m", "")), defaults("1", ""), []string{
			"Container cpu: the default is out of bounds: default 1 of LimitRange team/b, max 500m of LimitRange team/a",
		}},
		{"min above max of PersistentVolumeClaim", bounds(claim, "2", "", ""), bounds(claim, "", "1", ""), []string{
			"PersistentVolumeClaim cpu: min is above max: min 2 of LimitRange team/a, max 1 of LimitRange team/b",
		}},
		{"bounds of an unknown type", bounds("Other", "2", "", "0"), bounds("Other", "", "1", ""), []string{
			"Other cpu: min is above max: min 2 of LimitRange team/a, max 1 of LimitRange team/b",
		}},
		{"different types", bounds(pod, "2", "", ""), bounds(container, "", "1", ""), nil},
		{"a negative maximum", bounds(container, "", "-1", ""), corev1.LimitRangeItem{}, []string{
			"Container cpu: max is below zero: max -1 of LimitRange team/a",
		}},
		{"a negative maximum below the minimum", bounds(container, "1", "-1", ""), corev1.LimitRangeItem{}, []string{
			"Container cpu: min is above max: min 1 of LimitRange team/a, max -1 of LimitRange team/a",
			"Container cpu: max is below zero: max -1 of LimitRange team/a",
		}},
		{"a negative maximum above the minimum", bounds(claim, "-2", "-1", ""), corev1.LimitRangeItem{}, []string{
			"PersistentVolumeClaim cpu: max is below zero: max -1 of LimitRange team/a",
		}},
		{"a default with a negative maximum", bounds(container, "", "-1", ""), defaults("1", ""), []string{
			"Container cpu: max is below zero: max -1 of LimitRange team/a",
		}},
		{"a default with a maximum of zero", bounds(container, "", "0", ""), defaults("1", ""), []string{
			"Container cpu: the default is out of bounds: default 1 of LimitRange team/b, max 0 of LimitRange team/a",
		}},
		{"a maximum of zero", bounds(container, "", "0", ""), corev1.LimitRangeItem{}, nil},
		{"ratio 1", bounds(container, "1", "1", "1"), corev1.LimitRangeItem{}, nil},
		{"ratio below 1", bounds(container, "", "", "999m"), corev1.LimitRangeItem{}, []string{
			"Container cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 999m of LimitRange team/a",
		}},
		{"ratio 0", bounds(container, "", "", "0"), corev1.LimitRangeItem{}, []string{
			"Container cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 0 of LimitRange team/a",
		}},
		{"ratio with a maximum of zero", bounds(container, "", "", "2"), bounds(container, "", "0", ""), []string{
			"Container cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 2 of LimitRange team/a, max 0 of LimitRange team/b",
		}},
		{"ratio of claims", bounds(claim, "1", "", "0"), corev1.LimitRangeItem{}, nil},
		{"ratio of a pod, below 1", bounds(pod, "", "", "500m"), bounds(pod, "1", "", ""), nil},
		{"ratio of a pod, reached", bounds(pod, "1", "2", "500m"), corev1.LimitRangeItem{}, nil},
		{"ratio of a pod, not reached", bounds(pod, "1", "", "499m"), bounds(pod, "", "2", ""), []string{
			"Pod cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 499m of LimitRange team/a, min 1 of LimitRange team/a, max 2 of LimitRange team/b",
		}},
		{"ratio of a pod, without a minimum", bounds(pod, "", "2", "1m"), corev1.LimitRangeItem{}, nil},
		{"ratio of a pod, 0", bounds(pod, "", "", "0"), corev1.LimitRangeItem{}, []string{
			"Pod cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 0 of LimitRange team/a",
		}},
		{"ratio of a pod with a maximum of zero", bounds(pod, "", "0", "1"), corev1.LimitRangeItem{}, []string{
			"Pod cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 1 of LimitRange team/a, max 0 of LimitRange team/a",
		}},
		{"ratio of a pod with conflicting bounds", bounds(pod, "2", "1", "1"), corev1.LimitRangeItem{}, []string{
			"Pod cpu: min is above max: min 2 of LimitRange team/a, max 1 of LimitRange team/a",
		}},
		{"defaults at the bounds", bounds(container, "1", "2", "2"), defaults("2", "1"), nil},
		{"default limit above max", bounds(container, "", "1", ""), defaults("1001m", ""), []string{
			"Container cpu: the default is out of bounds: default 1001m of LimitRange team/b, max 1 of LimitRange team/a",
		}},
		{"default limit below min", bounds(container, "1", "", ""), defaults("999m", ""), []string{
			"Container cpu: the default is out of bounds: min 1 of LimitRange team/a, default 999m of LimitRange team/b",
		}},
		{"default request above max", bounds(container, "", "1", ""), defaults("", "1001m"), []string{
			"Container cpu: the default is out of bounds: defaultRequest 1001m of LimitRange team/b, max 1 of LimitRange team/a",
		}},
		{"default request below min", bounds(container, "1", "", ""), defaults("", "999m"), []string{
			"Container cpu: the default is out of bounds: min 1 of LimitRange team/a, defaultRequest 999m of LimitRange team/b",
		}},
		{"one of two defaults is out of bounds", defaults("1", "1"), corev1.LimitRangeItem{Type: container, Default: list("cpu", "3"), DefaultRequest: list("cpu", "3"), Max: list("cpu", "2")}, []string{
			"Container cpu: the default is out of bounds: default 3 of LimitRange team/b, max 2 of LimitRange team/b",
			"Container cpu: the default is out of bounds: defaultRequest 3 of LimitRange team/b, max 2 of LimitRange team/b",
		}},
		{"defaults reversed", defaults("1", ""), defaults("", "1001m"), []string{
			"Container cpu: the default request is above the default limit: defaultRequest 1001m of LimitRange team/b, default 1 of LimitRange team/a",
		}},
		{"defaults reversed beside a ratio", defaults("1", ""), both(bounds(container, "", "", "2"), defaults("", "1001m")), []string{
			"Container cpu: the default request is above the default limit: defaultRequest 1001m of LimitRange team/b, default 1 of LimitRange team/a",
		}},
		{"defaults equal", defaults("1", ""), defaults("", "1"), nil},
		{"defaults exceed the ratio", defaults("2001m", "1"), bounds(container, "", "", "2"), []string{
			"Container cpu: the defaults exceed the ratio: defaultRequest 1 of LimitRange team/a, default 2001m of LimitRange team/a, maxLimitRequestRatio 2 of LimitRange team/b",
		}},
		{"defaults meet the ratio", defaults("2", "1"), bounds(container, "", "", "2"), nil},
		{"a default of zero with a ratio", defaults("1", "0"), bounds(container, "", "", "2"), []string{
			"Container cpu: the defaults exceed the ratio: defaultRequest 0 of LimitRange team/a, default 1 of LimitRange team/a, maxLimitRequestRatio 2 of LimitRange team/b",
		}},
		{"a negative maximum with a ratio", bounds(container, "", "-1", ""), bounds(container, "", "", "2"), []string{
			"Container cpu: max is below zero: max -1 of LimitRange team/a",
		}},
		{"defaults of claims", corev1.LimitRangeItem{Type: claim, Default: list("storage", "1"), DefaultRequest: list("storage", "3"), Max: list("storage", "2")}, corev1.LimitRangeItem{}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, order := range permutations([]*corev1.LimitRange{limitRange("a", test.a), limitRange("b", test.b)}) {
				testkit.NoDiff(t, testkit.Strings(limitrange.Conflicts(order)), test.want)
			}
		})
	}
}

func TestConflictsAreSortedAndTyped(t *testing.T) {
	item := func(limitType corev1.LimitType) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: limitType, Min: list("memory", "2", "cpu", "2"), Max: list("memory", "1", "cpu", "1", "ephemeral-storage", "1"), Default: list("cpu", "3", "ephemeral-storage", "3")}
	}
	conflicts := limitrange.Conflicts([]*corev1.LimitRange{limitRange("a", item(pod), item(container))})
	var got []string
	for _, c := range conflicts {
		got = append(got, string(c.Type)+" "+string(c.Resource)+" "+string(c.Cause))
	}
	want := []string{
		"Container cpu MinAboveMax", "Container ephemeral-storage DefaultOutOfBounds", "Container memory MinAboveMax",
		"Pod cpu MinAboveMax", "Pod memory MinAboveMax",
	}
	testkit.NoDiff(t, got, want)
	source := sourceIn("a", 1)
	testkit.NoDiff(t, conflicts[1].Values, []limitrange.BoundValue{
		{Type: container, Resource: "ephemeral-storage", Bound: limitrange.DefaultLimit, Amount: quantity("3"), Source: source},
		{Type: container, Resource: "ephemeral-storage", Bound: limitrange.Max, Amount: quantity("1"), Source: source},
	})
	// Both the smallest and the largest default are defaults.
	reported := limitrange.Conflicts([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, DefaultRequest: list("cpu", "3"), Max: list("cpu", "2")})})
	if len(reported) != 1 || reported[0].Values[0].Bound != limitrange.DefaultRequest {
		t.Errorf("%+v", reported)
	}
}

// The words of conflicts that packages steps and solver find.
func TestConflictsOfPods(t *testing.T) {
	app := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	value := func(bound limitrange.Bound, amount string) limitrange.BoundValue {
		return limitrange.BoundValue{Ref: app, Resource: "cpu", Bound: bound, Amount: quantity(amount)}
	}
	ofQuota := limitrange.BoundValue{Resource: "requests.cpu", Bound: limitrange.Remaining, Amount: quantity("500m"), Source: computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: "q"}}
	ofPods := limitrange.BoundValue{Type: pod, Resource: "cpu", Bound: limitrange.Max, Amount: quantity("1"), Source: sourceIn("a", 0)}
	for _, test := range []struct {
		cause  limitrange.ConflictCause
		values []limitrange.BoundValue
		want   string
	}{
		{limitrange.LimitBelowMin, []limitrange.BoundValue{value(limitrange.Limit, "200m"), value(limitrange.Min, "300m")}, "container app cpu: the limit is below min: limit 200m, min 300m"},
		{limitrange.LimitAboveMax, []limitrange.BoundValue{value(limitrange.Limit, "3"), value(limitrange.Max, "1")}, "container app cpu: the limit requires a request above max: limit 3, max 1"},
		{limitrange.RequestAboveLimit, []limitrange.BoundValue{value(limitrange.Request, "2"), value(limitrange.Limit, "1")}, "container app cpu: the request is above the limit: request 2, limit 1"},
		{limitrange.LimitNotSet, []limitrange.BoundValue{value(limitrange.DefaultLimit, "2")}, "container app cpu: no request suits every limit that the container may get: default 2"},
		{"Other", []limitrange.BoundValue{value(limitrange.DefaultRequest, "2")}, "container app cpu: Other: defaultRequest 2"},
	} {
		conflict := &limitrange.Conflict{Cause: test.cause, Type: container, Ref: app, Resource: "cpu", Values: test.values}
		testkit.Equal(t, conflict.Error(), test.want)
	}
	unsatisfiable := &limitrange.Conflict{Cause: limitrange.Unsatisfiable, Resource: "cpu", Values: []limitrange.BoundValue{ofPods, ofQuota, value(limitrange.Overhead, "1"), value(limitrange.Request, "2")}}
	testkit.Equal(t, unsatisfiable.Error(), "cpu: no amount satisfies all of: Pod cpu max 1 of LimitRange team/a; requests.cpu remaining 500m of ResourceQuota shop/q; "+
		"container app cpu overhead 1; container app cpu request 2")
}

// Without a conflict, some request and limit pass; with one that is not about defaults,
// none does. All bounds from 0 to 3 and ratios from 0 to 2 by halves are tried, and all
// requests and limits on a grid that is finer than they are.
func TestConflictsEqualTrying(t *testing.T) {
	amounts := []string{"", "0", "1", "2", "3"}
	ratios := []string{"", "0", "500m", "1", "1500m", "2"}
	for _, limitType := range []corev1.LimitType{container, pod} {
		for _, min := range amounts {
			for _, max := range amounts {
				for _, ratio := range ratios {
					item := corev1.LimitRangeItem{Type: limitType}
					if min != "" {
						item.Min = list("cpu", min)
					}
					if max != "" {
						item.Max = list("cpu", max)
					}
					if ratio != "" {
						item.MaxLimitRequestRatio = list("cpu", ratio)
					}
					lr := limitRange("a", item)
					found := limitrange.Conflicts([]*corev1.LimitRange{lr})
					testkit.Equal(t, somePairPasses(lr), len(found) == 0, limitType, "min", min, "max", max, "ratio", ratio, found, "but a pair that passes")
				}
			}
		}
	}
}

// somePairPasses tries one container with a request up to its limit, and for pods
// containers that only request, too.
func somePairPasses(lr *corev1.LimitRange) bool {
	policy := limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{})
	grid := []string{"0", "500m", "1", "1500m", "2", "2500m", "3", "4", "6"}
	for i, request := range grid {
		for _, limit := range grid[i:] {
			for _, more := range grid {
				spec := withContainers(corev1.Container{Resources: corev1.ResourceRequirements{Requests: list("cpu", request), Limits: list("cpu", limit)}})
				if lr.Spec.Limits[0].Type == pod {
					spec.Containers = append(spec.Containers, corev1.Container{Resources: corev1.ResourceRequirements{Requests: list("cpu", more)}})
				}
				if len(policy.Validate(nil, spec)) == 0 {
					return true
				}
			}
		}
	}
	return false
}
