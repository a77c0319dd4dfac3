package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/enum"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// List is one of the two lists of a corev1.ResourceRequirements. The zero value is unspecified.
type List uint8

const (
	Requests List = iota + 1
	Limits
)

// Of returns the list of r, which is not a copy. The result is nil if r is nil, or l is not one of
// the constants.
func (l List) Of(r *corev1.ResourceRequirements) corev1.ResourceList {
	return podwalk.List(l).Of(r)
}

// internal returns the list as the kernels name it, and whether l is one of the constants.
func (l List) internal() (_ podwalk.List, ok bool) {
	return podwalk.List(l), l == Requests || l == Limits
}

// String returns "request" or "limit", the word for one amount of the list; "unspecified"
// for the zero value, and "unknown" for any other value.
func (l List) String() string {
	switch l {
	case 0:
		return "unspecified"
	case Requests:
		return "request"
	case Limits:
		return "limit"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (l List) MarshalText() ([]byte, error) { return enum.Marshal(l) }

// UnmarshalText sets l to the list of that name. An unknown name is an error.
func (l *List) UnmarshalText(text []byte) error { return enum.Unmarshal(l, text, Limits) }
