package cgroupname

import "fmt"

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
type NameCause string

const (
	// InvalidComponent: it is empty, or has a character that cannot be part of it there.
	InvalidComponent NameCause = "invalid component"
	// TooLong: it is longer than a file name may be.
	TooLong NameCause = "too long"
	// InvalidPath: it is not a clean absolute path.
	InvalidPath NameCause = "invalid path"
	// NoPods: the path is not below a root of all pods. It belongs to something else on the node.
	NoPods NameCause = "no pods"
	// NestedPods: there is one root of all pods above another.
	NestedPods NameCause = "nested pods"
	// WrongSlice: it is not a slice, or the slices of a path are not the prefixes of the last one.
	WrongSlice NameCause = "wrong slice"
	// InvalidClass: the QoS class is unknown.
	InvalidClass NameCause = "invalid class"
	// NoPod: the element below a tier is not a pod.
	NoPod NameCause = "no pod"
	// InvalidContainer: the element below a pod is not a container, or is incomplete.
	InvalidContainer NameCause = "invalid container"
	// InvalidDriver: the driver is unknown.
	InvalidDriver NameCause = "invalid driver"
)
