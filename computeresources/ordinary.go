package computeresources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// isOrdinary reports whether requests and limits are certainly valid: only cpu, memory and
// ephemeral-storage, small and exact, with requests up to the limit. If it returns false, they may
// still be valid. It does not allocate.
func isOrdinary(r *corev1.ResourceRequirements, ofPod bool) bool {
	for name, limit := range r.Limits {
		if scale, ok := ordinaryScale(name, ofPod); !ok {
			return false
		} else if _, exact := quantity.Small(&limit, scale); !exact {
			return false
		}
	}
	for name, request := range r.Requests {
		scale, ok := ordinaryScale(name, ofPod)
		if !ok {
			return false
		}
		requested, exact := quantity.Small(&request, scale)
		if !exact {
			return false
		}
		if limit, limited := r.Limits[name]; limited {
			if allowed, _ := quantity.Small(&limit, scale); requested > allowed {
				return false
			}
		}
	}
	return true
}

// ordinaryScale returns the unit of a resource that containers, or the pod, may have any amount of.
func ordinaryScale(name corev1.ResourceName, ofPod bool) (scale resource.Scale, ok bool) {
	switch name {
	case corev1.ResourceCPU:
		return resource.Milli, true
	case corev1.ResourceMemory:
		return 0, true
	case corev1.ResourceEphemeralStorage:
		return 0, !ofPod
	}
	return 0, false
}
