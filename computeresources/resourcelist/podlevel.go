package resourcelist

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// IsPodLevel reports whether a resource can be set at pod level, in spec.resources of a pod:
// cpu, memory and hugepages of any size. Any other is ignored there.
//
// Source: KEP-2837, and IsSupportedPodLevelResource of k8s.io/component-helpers/resource.
func IsPodLevel(name corev1.ResourceName) bool {
	return resourcename.IsPodLevel(name)
}
