package quotaplan

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Remaining returns what remains of a quota: for each resource that its status limits,
// the limit less what is used, which is below zero where more is used than allowed.
// Resources whose usage the status does not know are absent, and so is everything of a
// quota without a status (quota.CalculateUsage makes one). Of a nil quota, nothing remains.
func Remaining(quota *corev1.ResourceQuota) corev1.ResourceList {
	remaining := corev1.ResourceList{}
	if quota == nil {
		return remaining
	}
	for name, limit := range quota.Status.Hard {
		if used, known := quota.Status.Used[name]; known {
			remaining[name] = quantity.Minus(limit, used)
		}
	}
	return remaining
}

// Times returns the usage of n objects, each of which uses this. For n below one, it is an
// empty list.
func Times(usage corev1.ResourceList, n int64) corev1.ResourceList {
	all := corev1.ResourceList{}
	if n < 1 {
		return all
	}
	for name, q := range usage {
		all[name] = quantity.Times(q, n)
	}
	return all
}
