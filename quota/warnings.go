package quota

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// ObjectWarnings returns what the API server warns about when a ResourceQuota is created: requests
// above limits of cpu, memory, storage or ephemeral-storage, in that order. The names cpu and
// memory mean requests if those are not listed. The server does not warn when a quota is updated. A
// nil quota has no warnings.
//
// Source: resourcequotaStrategy.WarningsOnCreate of k8s.io/kubernetes/pkg/registry/core/resourcequota.
func ObjectWarnings(quota *corev1.ResourceQuota) []string {
	if quota == nil {
		return nil
	}
	hard := quota.Spec.Hard
	var warnings []string
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceStorage, corev1.ResourceEphemeralStorage} {
		requests, limits := corev1.DefaultResourceRequestsPrefix+name, "limits."+name
		if quantity.Find(hard, requests) == nil && (name == corev1.ResourceCPU || name == corev1.ResourceMemory) {
			requests = name
		}
		request, limit := quantity.Find(hard, requests), quantity.Find(hard, limits)
		if request != nil && limit != nil && request.Cmp(*limit) > 0 {
			warnings = append(warnings, fmt.Sprintf("ResourceQuota %s (%s) should be less than %s (%s)", requests, quantity.Text(request), limits, quantity.Text(limit)))
		}
	}
	return warnings
}
