package cgroupname

import (
	"fmt"
	"strings"
)

// name is the abstract name of a cgroup: its components, from the root of the hierarchy on, with "/"
// before each. The empty name is the root itself. Both drivers can format every name.
type name string

// newName returns the name of the components. It returns an error for a component that one
// of the drivers cannot format so that it can be parsed again: components consist of letters,
// digits, ".", ":" and "-", begin and end with a letter or a digit, and have no two adjacent "-";
// and the name of the systemd unit must not exceed 255 bytes.
func newName(components ...string) (name, error) {
	for _, c := range components {
		if err := checkComponent(c); err != nil {
			return "", err
		}
	}
	n := name(joined(components))
	if unit := n.unit(); len(unit) > maxLength {
		return "", invalid(unit, "it is longer than a file name may be")
	}
	return n, nil
}

// nameOf returns the name of a CgroupRoot, which is a path as the cgroupfs driver formats it.
func nameOf(cgroupRoot string) (name, error) {
	rest, ok := strings.CutPrefix(cgroupRoot, "/")
	switch {
	case rest == "":
		return "", nil
	case !ok:
		return "", invalid(cgroupRoot, `a path begins with "/"`)
	default:
		return newName(strings.Split(rest, "/")...)
	}
}

// nameOfUnit returns the name whose systemd unit is called so: the inverse of unit.
func nameOfUnit(unit string) (name, error) {
	dashed, ok := strings.CutSuffix(unit, slice)
	switch {
	case !ok:
		return "", invalid(unit, `a slice ends with ".slice"`)
	case dashed == "-":
		return "", nil
	}
	components := strings.Split(dashed, "-")
	for i, c := range components {
		components[i] = strings.ReplaceAll(c, "_", "-")
	}
	return newName(components...)
}

// maxLength is the maximum length of file names on Linux.
const maxLength = 255

// checkComponent returns an error for a component that is not allowed in a name.
func checkComponent(c string) error {
	if c == "" {
		return invalid(c, "a component is empty")
	}
	for i := range len(c) {
		if !letterOrDigit(c[i]) && c[i] != '.' && c[i] != ':' && c[i] != '-' {
			return invalid(c, fmt.Sprintf("%q cannot be part of a component", c[i:i+1]))
		}
	}
	switch {
	case !letterOrDigit(c[0]):
		return invalid(c, "a component begins with a letter or a digit")
	case !letterOrDigit(c[len(c)-1]):
		return invalid(c, "a component ends with a letter or a digit")
	case strings.Contains(c, "--"):
		return invalid(c, `a component has no two adjacent "-"`)
	default:
		return nil
	}
}

func letterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// components returns the components of n, from the root on.
func (n name) components() []string {
	if n == "" {
		return nil
	}
	return strings.Split(string(n[1:]), "/")
}

// cgroupfs returns the path of the cgroup below the mount point, as the cgroupfs driver formats it:
// /burstable/pod123-456, and / for the root.
func (n name) cgroupfs() string {
	if n == "" {
		return "/"
	}
	return string(n)
}

// systemd returns the path of the cgroup below the mount point, as the systemd driver formats it:
// /burstable.slice/burstable-pod123_456.slice, and / for the root.
func (n name) systemd() string {
	if n == "" {
		return "/"
	}
	var path, prefix strings.Builder
	for _, c := range n.components() {
		prefix.WriteString(escape(c))
		path.WriteString("/" + prefix.String() + slice)
		prefix.WriteString("-")
	}
	return path.String()
}

// unit returns the name of the systemd unit, which is the last element of its path:
// burstable-pod123_456.slice, and -.slice for the root.
func (n name) unit() string {
	if n == "" {
		return "-" + slice
	}
	return strings.ReplaceAll(escape(string(n[1:])), "/", "-") + slice
}

const slice = ".slice"

// escape escapes components so that "-" can separate them.
func escape(components string) string { return strings.ReplaceAll(components, "-", "_") }
