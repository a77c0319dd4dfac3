package limitrange_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// For any request, limit and bounds of one container: the violations are those of the slow twin,
// and giving the range twice changes nothing in the aggregate.
func FuzzAdmit(f *testing.F) {
	f.Add("100m", "1", "200m", "2", "1.5", "1", "500m")
	f.Add("1.5Gi", "", "1", "1536Mi", "1", "", "2Gi")
	f.Add("-1", "0", "1n", "1E", "16.1", "9223372036854775807", "1")
	f.Add("9223372036854776", "1500m", "", "", "2", "", "")
	f.Fuzz(func(t *testing.T, request, limit, min, max, ratio, defaultLimit, defaultRequest string) {
		parse := func(s string) corev1.ResourceList {
			if q, ok := testkit.Parse(s); ok {
				return corev1.ResourceList{"memory": q}
			}
			return nil
		}
		// The slow twin knows small ratios only.
		ratios := parse(ratio)
		if q := ratios["memory"]; q.AsApproximateFloat64() > 1e6 || q.AsApproximateFloat64() < -1e6 {
			ratios = nil
		}
		item := corev1.LimitRangeItem{
			Type: container, Min: parse(min), Max: parse(max), MaxLimitRequestRatio: ratios, Default: parse(defaultLimit), DefaultRequest: parse(defaultRequest),
		}
		podItem := item
		podItem.Type, podItem.Default, podItem.DefaultRequest = pod, nil, nil
		lr := limitRange("a", item, podItem)
		a := admit(limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Gates{}), withContainers(testkit.Container("app", parse(request), parse(limit))))
		var got []string
		for _, v := range a.Violations {
			v.Request, v.Limit = plain(v.Request), plain(v.Limit)
			got = append(got, v.Error())
		}
		want := slowViolations(a.Spec, []*corev1.LimitRange{lr})
		slices.Sort(got)
		slices.Sort(want)
		testkit.NoDiff(t, got, want, "violations")
		once, twice := limitrange.AggregateOf([]*corev1.LimitRange{lr}), limitrange.AggregateOf([]*corev1.LimitRange{lr, lr})
		testkit.NoDiff(t, written(twice), written(once), "given twice")
	})
}
