package cgroupname

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Parse returns what the cgroup at a path is: the root of all pods, a tier, a pod, or a
// container, whatever its driver and its runtime. The path is one that a node shows: with
// or without its mount point, and as /proc/PID/cgroup has it behind the last colon. The
// first element that is a root of all pods counts: what is in a container of a pod is
// Below it, even if it belongs to another kubelet.
//
// It returns an InvalidNameError for anything else, such as /init.scope, and what is beside the
// containers in the cgroup of a pod: crio-conmon-<ID> and crio-conmon-<ID>.scope, in which
// CRI-O runs conmon, have the ID of a container, but are not its cgroup. Parse is the inverse
// of Identity.Path.
func Parse(path string) (Identity, error) {
	if !absolute(path) {
		return Identity{}, invalid(path, "it is not a clean absolute path")
	}
	elements := strings.Split(path[1:], "/")
	for i, element := range elements {
		driver, root := rootOf(element)
		switch {
		case !root:
		case driver == Systemd:
			return parseSystemd(path, elements, i)
		default:
			id := Identity{Mount: joined(elements[:i])}
			return id.complete(path, elements[i+1:], elements[i+1:])
		}
	}
	return Identity{}, invalid(path, `no part of it is "kubepods", the root of all pods`)
}

// rootOf reports whether an element of a path is the root of all pods, and which driver
// formats it like that.
func rootOf(element string) (Driver, bool) {
	switch {
	case element == kubepods:
		return Cgroupfs, true
	case element == kubepods+slice, strings.HasSuffix(element, "-"+kubepods+slice):
		return Systemd, true
	default:
		return 0, false
	}
}

// parseSystemd parses the elements of a path of which the one at index root is that of
// all pods. The name of the last slice has all components; there is one slice for each.
func parseSystemd(path string, elements []string, root int) (Identity, error) {
	last := root
	for last+1 < len(elements) && strings.HasSuffix(elements[last+1], slice) {
		last++
	}
	name, err := ParseUnit(elements[last])
	if err != nil {
		return Identity{}, err
	}
	components := slices.Collect(name.Components())
	above := slices.Index(components, kubepods)
	first := root - above
	if above < 0 || first < 0 || joined(elements[first:last+1]) != name.Systemd() {
		return Identity{}, invalid(path, "the path of "+name.Unit()+" is "+name.Systemd())
	}
	id := Identity{Driver: Systemd, Mount: joined(elements[:first]), CgroupRoot: Name{joined(components[:above])}}
	return id.complete(path, components[above+1:], elements[last+1:])
}

// complete returns id with its tier, pod and container. Components are those below the root
// of all pods. Rest is what follows: under cgroupfs, the same again.
func (id Identity) complete(path string, components, rest []string) (Identity, error) {
	next := func() {
		components = components[1:]
		if id.Driver == Cgroupfs {
			rest = rest[1:]
		}
	}
	id.Class = corev1.PodQOSGuaranteed
	for _, class := range [...]corev1.PodQOSClass{corev1.PodQOSBurstable, corev1.PodQOSBestEffort} {
		if len(components) > 0 && components[0] == tier(class) {
			id.Class = class
			next()
			break
		}
	}
	if len(components) > 0 {
		uid, pod := strings.CutPrefix(components[0], podPrefix)
		if !pod || uid == "" {
			return Identity{}, invalid(components[0], `what is below a tier is called "pod" and the UID of a pod`)
		}
		id.UID = types.UID(uid)
		next()
	}
	if id.Driver == Systemd && len(components) > 0 {
		return Identity{}, invalid(path, "a pod has no slices below it")
	}
	if len(rest) > 0 {
		if err := id.parseContainer(rest[0]); err != nil {
			return Identity{}, err
		}
		id.Below = joined(rest[1:])
	}
	if _, err := id.Path(); err != nil {
		return Identity{}, err
	}
	return id, nil
}

// parseContainer sets the container from the element of a path that its runtime named.
func (id *Identity) parseContainer(element string) error {
	name := element
	if id.Driver == Systemd {
		var ok bool
		if name, ok = strings.CutSuffix(element, scope); !ok {
			return invalid(element, `under systemd, the cgroup of a container ends with ".scope"`)
		}
	}
	if i := strings.LastIndexByte(name, '-'); i == 0 {
		return invalid(element, "there is nothing before the \"-\"")
	} else if i > 0 {
		id.Runtime, name = name[:i], name[i+1:]
	}
	if name == "" {
		return invalid(element, "there is no ID of a container in it")
	}
	id.Container = name
	return nil
}

// joined returns elements with "/" before each.
func joined(elements []string) string {
	if len(elements) == 0 {
		return ""
	}
	return "/" + strings.Join(elements, "/")
}
