package division

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// Divisible reports whether a resource can be divided. Huge pages of any size cannot, and
// neither can extended resources, such as nvidia.com/gpu: those of a domain, unless it
// contains kubernetes.io. What cannot be divided cannot be overcommitted either: the API
// server demands that a container requests its limit of it.
func Divisible(name corev1.ResourceName) bool {
	return resourcename.IsOvercommitAllowed(name)
}
