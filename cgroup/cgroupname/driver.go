package cgroupname

import "strings"

// Driver is what formats the names of cgroups on a node. The zero Driver is Cgroupfs, the
// kubelet's default. Identity.Path refuses any value that is not a constant.
type Driver string

const (
	Cgroupfs Driver = ""
	Systemd  Driver = "systemd"
)

// ParseCgroupfs returns the Name that the cgroupfs driver formats as path: the inverse of
// Name.Cgroupfs. It returns an InvalidNameError for any other path.
func ParseCgroupfs(path string) (Name, error) {
	rest, ok := strings.CutPrefix(path, "/")
	switch {
	case !ok:
		return Name{}, invalid(InvalidPath, path, `a path begins with "/"`)
	case rest == "":
		return Name{}, nil
	default:
		return New(strings.Split(rest, "/")...)
	}
}

// ParseSystemd returns the Name that the systemd driver formats as path: the inverse of
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
		return Name{}, invalid(WrongSlice, path, "the path of "+name.Unit()+" is "+want)
	}
	return name, nil
}

// ParseUnit returns the Name whose systemd unit is called so: the inverse of Name.Unit.
// It returns an InvalidNameError for any other.
func ParseUnit(unit string) (Name, error) {
	dashed, ok := strings.CutSuffix(unit, slice)
	switch {
	case !ok:
		return Name{}, invalid(WrongSlice, unit, `a slice ends with ".slice"`)
	case dashed == "-":
		return Name{}, nil
	}
	components := strings.Split(dashed, "-")
	for i, c := range components {
		components[i] = strings.ReplaceAll(c, "_", "-")
	}
	return New(components...)
}
