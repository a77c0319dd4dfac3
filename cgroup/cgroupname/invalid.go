package cgroupname

import (
	"fmt"

	"github.com/kubemath/kubemath/internal/enum"
)

// InvalidNameError reports that a name is not that of a cgroup, or not that of a pod or a
// container.
type InvalidNameError struct {
	Cause  NameCause
	Name   string // or path, or component: what is wrong
	Detail string
}

// Error returns the name, quoted and cut off if it is very long, and the detail:
// `invalid cgroup name "a_b": "_" cannot be part of a component`.
func (e *InvalidNameError) Error() string {
	name, more := e.Name, ""
	if len(name) > 2*maxLength {
		name, more = name[:2*maxLength], "..."
	}
	return fmt.Sprintf("invalid cgroup name %q%s: %s", name, more, e.Detail)
}

func invalid(cause NameCause, name, detail string) error {
	return &InvalidNameError{cause, name, detail}
}

// NameCause is what is wrong with a name. The zero value is unspecified.
type NameCause uint8

const (
	// InvalidComponent: it is empty, or has a character that cannot be part of it there.
	InvalidComponent NameCause = iota + 1
	// TooLong: it is longer than a file name may be.
	TooLong
	// InvalidPath: it is not a clean absolute path.
	InvalidPath
	// NoPods: the path is not below a root of all pods. It belongs to something else on the node.
	NoPods
	// NestedPods: there is one root of all pods above another.
	NestedPods
	// WrongSlice: it is not a slice, or the slices of a path are not the prefixes of the last one.
	WrongSlice
	// InvalidClass: the QoS class is unknown.
	InvalidClass
	// NoPod: the element below a tier is not a pod.
	NoPod
	// InvalidContainer: the element below a pod is not a container, or is incomplete.
	InvalidContainer
	// InvalidDriver: the driver is unknown.
	InvalidDriver
)

// String returns the cause in words, such as "no pods" or "no pod"; "unspecified" for the zero
// value, and "unknown" for any other value.
func (c NameCause) String() string {
	switch c {
	case 0:
		return "unspecified"
	case InvalidComponent:
		return "invalid component"
	case TooLong:
		return "too long"
	case InvalidPath:
		return "invalid path"
	case NoPods:
		return "no pods"
	case NestedPods:
		return "nested pods"
	case WrongSlice:
		return "wrong slice"
	case InvalidClass:
		return "invalid class"
	case NoPod:
		return "no pod"
	case InvalidContainer:
		return "invalid container"
	case InvalidDriver:
		return "invalid driver"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (c NameCause) MarshalText() ([]byte, error) { return enum.Marshal(c) }

// UnmarshalText sets c to the cause of that name. An unknown name is an error.
func (c *NameCause) UnmarshalText(text []byte) error {
	return enum.Unmarshal(c, text, InvalidDriver)
}
