package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func TestComplete(t *testing.T) {
	tests := []struct {
		name         string
		item, stored corev1.LimitRangeItem
	}{
		{
			name:   "only bounds",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "3")},
		},
		{
			name:   "only a default limit",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "2")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "2"), DefaultRequest: list("cpu", "2")},
		},
		{
			name:   "only a default request",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
		},
		{
			name:   "both",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "4"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "4"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
		},
		{
			name:   "only a minimum",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), DefaultRequest: list("cpu", "1")},
		},
		{
			name:   "a default limit without bounds",
			item:   corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")},
			stored: corev1.LimitRangeItem{Type: container, Default: list("cpu", "1"), DefaultRequest: list("cpu", "1")},
		},
		{
			name: "each resource on its own, and zero is set",
			item: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1", "memory", "1Gi"), Max: list("memory", "4Gi", "example.com/gpu", "2"), Default: list("cpu", "0"), MaxLimitRequestRatio: list("cpu", "2")},
			stored: corev1.LimitRangeItem{
				Type: container, Min: list("cpu", "1", "memory", "1Gi"), Max: list("memory", "4Gi", "example.com/gpu", "2"), MaxLimitRequestRatio: list("cpu", "2"),
				Default: list("cpu", "0", "memory", "4Gi", "example.com/gpu", "2"), DefaultRequest: list("cpu", "0", "memory", "4Gi", "example.com/gpu", "2"),
			},
		},
		{
			name:   "the server rounds up to milli-units",
			item:   corev1.LimitRangeItem{Type: pod, Min: list("cpu", "1500u"), Max: list("memory", "100n"), MaxLimitRequestRatio: list("cpu", "1000001n")},
			stored: corev1.LimitRangeItem{Type: pod, Min: list("cpu", "2m"), Max: list("memory", "1m"), MaxLimitRequestRatio: list("cpu", "2m")},
		},
		{
			name:   "defaults are rounded up to milli-units",
			item:   corev1.LimitRangeItem{Type: container, Default: list("cpu", "1500u"), DefaultRequest: list("memory", "100n")},
			stored: corev1.LimitRangeItem{Type: container, Default: list("cpu", "2m"), DefaultRequest: list("cpu", "2m", "memory", "1m")},
		},
		{
			name:   "other types have no defaults",
			item:   corev1.LimitRangeItem{Type: claim, Min: list("storage", "1"), Max: list("storage", "2")},
			stored: corev1.LimitRangeItem{Type: claim, Min: list("storage", "1"), Max: list("storage", "2")},
		},
		{name: "nothing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, limitrange.WithDefaults(test.item), test.stored)
		})
	}
}
