package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// How the server rounds: in milli-units as long as all three fit, then in whole units.
func TestPrecision(t *testing.T) {
	tests := []struct {
		name           string
		item           corev1.LimitRangeItem
		request, limit string
		want           int
	}{
		{"milli-units count", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "2", 1},
		{"finer parts are rounded up", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999000001n", "2", 0},
		{"the largest limit compared in milli-units", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "9223372036854775", 1},
		{"with a larger limit, the request is rounded up", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "9223372036854776", 0},
		{"with a larger limit, the bound is rounded up", corev1.LimitRangeItem{Max: list("memory", "9223372036854775.5")}, "1", "9223372036854776", 0},
		{"beyond 64 bits, amounts are compared exactly", corev1.LimitRangeItem{Max: list("memory", "20E")}, "1", "20000000000000000001", 1},
		{"beyond 64 bits, equal", corev1.LimitRangeItem{Max: list("memory", "20E")}, "1", "20E", 0},
		{"beyond 64 bits below zero", corev1.LimitRangeItem{Min: list("memory", "-20E")}, "-20000000000000000001", "1", 1},
		{"a ratio in floating point that exceeds by its rounding", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "16.1")}, "100m", "1610m", 1},
		{"a ratio in floating point that does not exceed", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "16.2")}, "100m", "1620m", 0},
		{"a ratio of whole units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "9223372036854776", "18446744073709552", 0},
		{"a ratio of rounded units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854777")}, "1500m", "9223372036854776", 0},
		{"a huge ratio", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854777")}, "1", "9223372036854780", 1},
		{"a huge ratio that is just met", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "10P")}, "1", "10P", 0},
		{"the largest ratio that milli-units count for, which the quotient exceeds by its rounding", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854775")}, "2", "18446744073709550", 1},
		{"beyond 64 bits, a ratio", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "10E", "30E", 1},
		{"beyond 64 bits, a ratio that is met", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "4")}, "10E", "30E", 0},
		{"a bound in milli-units and a whole one", corev1.LimitRangeItem{Max: list("memory", "1500m"), MaxLimitRequestRatio: list("memory", "2")}, "1", "2", 1},
		{"with a ratio beyond milli-units, the request is rounded up", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "10P")}, "500m", "9000000000000000", 0},
		{"with a minimum beyond milli-units, limits are rounded up", corev1.LimitRangeItem{Min: list("memory", "9223372036854776")}, "9223372036854776", "9223372036854775.5", 0},
		{"with a maximum beyond milli-units, all are rounded up", corev1.LimitRangeItem{Max: list("memory", "9223372036854775.5")}, "1", "9223372036854775.9", 0},
		{"a quotient of amounts below zero, one of them beyond 64 bits of milli-units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "1e12")}, "-1", "-1e17", 1},
		{"a quotient of amounts below zero that is met", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "1e17")}, "-1", "-1e17", 0},
		{"a request that rounds to one milli-unit", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "1n", "2m", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.item.Type = container
			spec := withContainers(testkit.Container("app", list("memory", test.request), list("memory", test.limit)))
			if found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", test.item)}, computeresources.Gates{}).Validate(spec); len(found) != test.want {
				t.Errorf("%d violations, want %d: %v", len(found), test.want, found)
			}
		})
	}
}
