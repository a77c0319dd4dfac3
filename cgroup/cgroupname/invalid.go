package cgroupname

import "fmt"

// InvalidNameError reports that a name is not that of a cgroup, or not that of a pod or a
// container.
type InvalidNameError struct {
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

func invalid(name, detail string) error { return &InvalidNameError{name, detail} }
