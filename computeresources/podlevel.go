package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// SetsPodLevel reports whether a pod spec sets a request or a limit at pod level (KEP-2837), of a
// resource that can be set there, even to zero. Whether it sets one in one of the lists only is
// resourcelist.AnyPodLevel of that list. A nil spec sets none.
//
// Source: IsPodLevelResourcesSet of k8s.io/component-helpers/resource.
func SetsPodLevel(spec *corev1.PodSpec) bool {
	if spec == nil || spec.Resources == nil {
		return false
	}
	return resourcelist.AnyPodLevel(spec.Resources.Requests) || resourcelist.AnyPodLevel(spec.Resources.Limits)
}
