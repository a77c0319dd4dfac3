package quotaplan

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Remaining returns what remains of a quota: for each resource that its status limits,
// the limit less what is used, which is below zero where more is used than allowed.
// Resources whose usage the status does not know are absent, and so is everything of a
// quota without a status (quota.CalculateUsage makes one). Of a nil quota, nothing remains.
func Remaining(quota *corev1.ResourceQuota) corev1.ResourceList {
	if quota == nil {
		return corev1.ResourceList{}
	}
	hard, used := quota.Status.Hard, quota.Status.Used
	return resourcelist.Subtract(
		resourcelist.Mask(hard, resourcelist.ResourceNames(used)),
		resourcelist.Mask(used, resourcelist.ResourceNames(hard)),
	)
}
