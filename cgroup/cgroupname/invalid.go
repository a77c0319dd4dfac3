package cgroupname

import "fmt"

// invalid returns the error for a name, path or component that is not that of a cgroup, or not that of a
// pod or a container: the name, quoted and cut off if it is very long, and the detail.
func invalid(name, detail string) error {
	more := ""
	if len(name) > 2*maxLength {
		name, more = name[:2*maxLength], "..."
	}
	return fmt.Errorf("invalid cgroup name %q%s: %s", name, more, detail)
}
