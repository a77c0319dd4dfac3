package cgroupname

import (
	"fmt"
	"strings"
)

// ParseCgroupfs returns the Name that the cgroupfs driver spells as path: the inverse of
// Name.Cgroupfs. It returns an InvalidNameError for any other path.
func ParseCgroupfs(path string) (Name, error) {
	rest, ok := strings.CutPrefix(path, "/")
	switch {
	case !ok:
		return Name{}, invalid(path, `a path begins with "/"`)
	case rest == "":
		return Name{}, nil
	default:
		return New(strings.Split(rest, "/")...)
	}
}

// ParseSystemd returns the Name that the systemd driver spells as path: the inverse of
// Name.Systemd. It returns an InvalidNameError for any other path, such as one in which a
// slice is not below that of its prefix.
func ParseSystemd(path string) (Name, error) {
	if path == "/" {
		return Name{}, nil
	}
	name, err := ParseUnit(path[strings.LastIndexByte(path, '/')+1:])
	if err != nil {
		return Name{}, err
	}
	if want := name.Systemd(); path != want {
		return Name{}, invalid(path, "the path of "+name.Unit()+" is "+want)
	}
	return name, nil
}

// ParseUnit returns the Name whose systemd unit is called so: the inverse of Name.Unit.
// It returns an InvalidNameError for any other.
func ParseUnit(unit string) (Name, error) {
	dashed, ok := strings.CutSuffix(unit, slice)
	switch {
	case !ok:
		return Name{}, invalid(unit, `a slice ends with ".slice"`)
	case dashed == "-":
		return Name{}, nil
	}
	components := strings.Split(dashed, "-")
	for i, c := range components {
		components[i] = strings.ReplaceAll(c, "_", "-")
	}
	return New(components...)
}

// InvalidNameError says that something is not the name of a cgroup, or not that of a pod or a
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
