package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// SetsPodLevel reports whether a pod spec sets a pod-level request or limit (KEP-2837), even to
// zero, of a resource that can be set at pod level. A nil spec sets none.
//
// Source: IsPodLevelResourcesSet of k8s.io/component-helpers/resource.
func SetsPodLevel(spec *corev1.PodSpec) bool {
	if spec == nil || spec.Resources == nil {
		return false
	}
	return resourcename.AnyPodLevel(spec.Resources.Requests) || resourcename.AnyPodLevel(spec.Resources.Limits)
}
