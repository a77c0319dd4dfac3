package division

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// Unit returns the smallest amount of a resource that a part is given: 1m of cpu, and 1
// of everything else, which is one byte of memory, ephemeral-storage and storage.
func Unit(name corev1.ResourceName) resource.Quantity {
	return *resource.NewScaledQuantity(1, scaleOf(name))
}

// Divisible reports whether a resource can be divided. Huge pages of any size cannot, and
// neither can extended resources, such as nvidia.com/gpu: those of a domain, unless it
// contains kubernetes.io. What cannot be divided cannot be overcommitted either: the API
// server demands that a container requests its limit of it.
func Divisible(name corev1.ResourceName) bool {
	return resourcename.IsOvercommitAllowed(name)
}

// scaleOf returns the power of ten of the unit.
func scaleOf(name corev1.ResourceName) resource.Scale {
	if name == corev1.ResourceCPU {
		return resource.Milli
	}
	return 0
}
