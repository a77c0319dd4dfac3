package division

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// Options select how amounts are divided. With the zero value, the parts add up to the whole.
type Options struct {
	// Truncated makes equal parts the same, rounded toward zero to whole units, as Tekton does. They
	// add up to the whole or less; to the whole or more, if it is below zero. By default, each of the
	// first parts gets one of the remaining units.
	Truncated bool

	// RoundUp rounds the amount up to whole units before it is divided, as Tekton does. By default, what
	// remains of a unit belongs to one part.
	RoundUp bool

	// ToEach assigns all of a resource that cannot be divided to every part. The parts do not add up to
	// the whole. By default, it is assigned to the first part.
	ToEach bool
}

// Divisible reports whether a resource can be divided. Huge pages of any size cannot, and
// neither can extended resources, such as nvidia.com/gpu: those of a domain, unless it
// contains kubernetes.io. What cannot be divided cannot be overcommitted either: the API
// server demands that a container requests its limit of it.
func Divisible(name corev1.ResourceName) bool {
	return resourcename.IsOvercommitAllowed(name)
}
