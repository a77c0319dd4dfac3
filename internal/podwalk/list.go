package podwalk

import corev1 "k8s.io/api/core/v1"

// List names one of the two lists of a corev1.ResourceRequirements.
type List uint8

const (
	Requests List = iota
	Limits
)

// Of returns the list of r. It is not a copy.
func (l List) Of(r *corev1.ResourceRequirements) corev1.ResourceList {
	switch l {
	case Requests:
		return r.Requests
	case Limits:
		return r.Limits
	}
	return nil
}
