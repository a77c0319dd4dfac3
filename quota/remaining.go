package quota

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Remaining returns what remains of a quota: for each resource that its status limits, the limit
// minus the usage, which is negative if the quota is exceeded. Resources without usage in the
// status are absent, so the result for a quota without a status is empty (CalculateUsage
// computes a status). The result for a nil quota is empty.
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
