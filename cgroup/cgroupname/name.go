package cgroupname

import (
	"fmt"
	"iter"
	"strings"
)

// Name is the abstract name of a cgroup: its components, from the root of the hierarchy
// on. The zero Name is the root itself. Names are comparable, and both drivers can format
// every Name.
type Name struct {
	path string // "/" before each component
}

// New returns the Name of the components. It returns an InvalidNameError for a component that one
// of the drivers cannot format so that it can be parsed again: components consist of letters,
// digits, ".", ":" and "-", begin and end with a letter or a digit, and have no two adjacent "-";
// and the name of the systemd unit must not exceed 255 bytes.
func New(components ...string) (Name, error) { return Name{}.Join(components...) }

// Join returns the Name of a cgroup below n. Errors are those of New.
func (n Name) Join(components ...string) (Name, error) {
	for _, c := range components {
		if err := checkComponent(c); err != nil {
			return Name{}, err
		}
	}
	path := n.path
	if len(components) > 0 {
		path += "/" + strings.Join(components, "/")
	}
	joined := Name{path}
	if unit := joined.Unit(); len(unit) > maxLength {
		return Name{}, invalid(TooLong, unit, "it is longer than a file name may be")
	}
	return joined, nil
}

// maxLength is the maximum length of file names on Linux.
const maxLength = 255

// checkComponent returns an error for a component that is not allowed in a Name.
func checkComponent(c string) error {
	if c == "" {
		return invalid(InvalidComponent, c, "a component is empty")
	}
	for i := range len(c) {
		if !letterOrDigit(c[i]) && c[i] != '.' && c[i] != ':' && c[i] != '-' {
			return invalid(InvalidComponent, c, fmt.Sprintf("%q cannot be part of a component", c[i:i+1]))
		}
	}
	switch {
	case !letterOrDigit(c[0]):
		return invalid(InvalidComponent, c, "a component begins with a letter or a digit")
	case !letterOrDigit(c[len(c)-1]):
		return invalid(InvalidComponent, c, "a component ends with a letter or a digit")
	case strings.Contains(c, "--"):
		return invalid(InvalidComponent, c, `a component has no "-" beside another`)
	default:
		return nil
	}
}

func letterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// Components yields the components of n, from the root on.
func (n Name) Components() iter.Seq[string] {
	return func(yield func(string) bool) {
		if n.path == "" {
			return
		}
		for c := range strings.SplitSeq(n.path[1:], "/") {
			if !yield(c) {
				return
			}
		}
	}
}

// String returns the abstract name as text: /burstable/pod123-456, and / for the root.
// The cgroupfs driver formats it the same way.
func (n Name) String() string { return n.Cgroupfs() }

// Cgroupfs returns the path of the cgroup below the mount point, as the cgroupfs driver
// formats it: /burstable/pod123-456, and / for the root.
func (n Name) Cgroupfs() string {
	if n.path == "" {
		return "/"
	}
	return n.path
}

// Systemd returns the path of the cgroup below the mount point, as the systemd driver
// formats it: /burstable.slice/burstable-pod123_456.slice, and / for the root.
func (n Name) Systemd() string {
	if n.path == "" {
		return "/"
	}
	var path, prefix strings.Builder
	for c := range n.Components() {
		prefix.WriteString(escape(c))
		path.WriteString("/" + prefix.String() + slice)
		prefix.WriteString("-")
	}
	return path.String()
}

// Unit returns the name of the systemd unit, which is the last element of its path:
// burstable-pod123_456.slice, and -.slice for the root.
func (n Name) Unit() string {
	if n.path == "" {
		return "-" + slice
	}
	return strings.ReplaceAll(escape(n.path[1:]), "/", "-") + slice
}

const slice = ".slice"

// escape escapes components so that "-" can separate them.
func escape(components string) string { return strings.ReplaceAll(components, "-", "_") }
