package cgroupname

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Parse returns the identity of the cgroup at a path: the root of all pods, a tier, a pod, a
// container, or the monitor of one, with any driver and runtime. The path is one of a node, with or
// without its mount point, or the part of a line of /proc/PID/cgroup after the last colon. The
// first element that is a root of all pods counts: a path within a container is in the field Below,
// even if it belongs to another kubelet.
//
// What CRI-O calls crio-conmon-<ID>, or crio-conmon-<ID>.scope, has the ID of a container, but is
// the cgroup of the process that watches it: see Identity.Monitors.
//
// It returns an error for anything else, such as /init.scope. Parse is the inverse
// of Identity.Path.
//
// Cost: linear in the path.
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

// rootOf reports whether a path element is the root of all pods, and which driver writes it that
// way.
func rootOf(element string) (Driver, bool) {
	switch {
	case element == kubepods:
		return Cgroupfs, true
	case element == kubepods+slice, strings.HasSuffix(element, "-"+kubepods+slice):
		return Systemd, true
	default:
		return "", false
	}
}

// parseSystemd parses the elements of a path. The element at index root is that of all pods. The name
// of the last slice has all components; there is one slice for each.
func parseSystemd(path string, elements []string, root int) (Identity, error) {
	last := root
	for last+1 < len(elements) && strings.HasSuffix(elements[last+1], slice) {
		last++
	}
	n, err := nameOfUnit(elements[last])
	if err != nil {
		return Identity{}, err
	}
	components := n.components()
	above := slices.Index(components, kubepods)
	first := root - above
	if above < 0 || first < 0 || joined(elements[first:last+1]) != n.systemd() {
		return Identity{}, invalid(path, "the path of "+n.unit()+" is "+n.systemd())
	}
	id := Identity{Driver: Systemd, Mount: joined(elements[:first]), CgroupRoot: joined(components[:above])}
	return id.complete(path, components[above+1:], elements[last+1:])
}

// complete fills in the tier, pod and container of id. Components are those below the root of all
// pods. Rest holds the remaining path elements; under cgroupfs, they are the same as the
// components.
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

// parseContainer sets the container, or the monitor of a container, from the path element that
// its runtime named.
func (id *Identity) parseContainer(element string) error {
	name := element
	if id.Driver == Systemd {
		unit, ok := strings.CutSuffix(element, scope)
		if !ok {
			return invalid(element, `under systemd, the cgroup of a container ends with ".scope"`)
		}
		name = unit
	}
	if i := strings.LastIndexByte(name, '-'); i == 0 {
		return invalid(element, "there is nothing before the \"-\"")
	} else if i > 0 {
		id.Runtime, name = name[:i], name[i+1:]
	}
	if name == "" {
		return invalid(element, "there is no ID of a container in it")
	}
	if id.Runtime == conmon {
		id.Runtime, id.Monitors = "", name
	} else {
		id.Container = name
	}
	return nil
}

// joined returns elements with "/" before each.
func joined(elements []string) string {
	if len(elements) == 0 {
		return ""
	}
	return "/" + strings.Join(elements, "/")
}
