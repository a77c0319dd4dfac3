package podwalk

import corev1 "k8s.io/api/core/v1"

// List names one of the two lists of a corev1.ResourceRequirements, by the number that it has in package
// computeresources. The zero value names none.
type List uint8

const (
	Requests List = iota + 1
	Limits
)

// Of returns the list of r, and nil if r is nil or l names none. It is not a copy.
func (l List) Of(r *corev1.ResourceRequirements) corev1.ResourceList {
	if list := l.in(r); list != nil {
		return *list
	}
	return nil
}

// in returns where the list of r is, and nil if r is nil or l names none.
func (l List) in(r *corev1.ResourceRequirements) *corev1.ResourceList {
	if r == nil {
		return nil
	}
	switch l {
	case Requests:
		return &r.Requests
	case Limits:
		return &r.Limits
	}
	return nil
}
