package cgroupname

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Driver is what spells the names of cgroups on a node. The zero Driver is Cgroupfs, the
// kubelet's default.
type Driver uint8

const (
	Cgroupfs Driver = iota
	Systemd
)

// String returns "cgroupfs" or "systemd", as the kubelet's --cgroup-driver has it, and
// "unknown" for a value that is neither.
func (d Driver) String() string {
	switch d {
	case Cgroupfs:
		return "cgroupfs"
	case Systemd:
		return "systemd"
	default:
		return "unknown"
	}
}

// Identity is a cgroup of the hierarchy that the kubelet keeps for pods: its root, a tier, a
// pod, or a container.
type Identity struct {
	Driver Driver

	// Mount is what stands before the hierarchy, such as /sys/fs/cgroup: a path without
	// a "/" at its end, or nothing.
	Mount string

	// CgroupRoot is the kubelet's --cgroup-root, below which the root of all pods,
	// kubepods, is. Under cgroupfs, Parse cannot tell it from Mount, and puts it there.
	CgroupRoot Name

	// Class is the tier. That of Guaranteed pods is the root of all pods itself.
	Class corev1.PodQOSClass

	UID types.UID // of the pod; empty for a tier

	// Container is the ID of a container of the pod; empty for the pod itself.
	Container string

	// Runtime is what the container runtime puts before the ID, with a "-" between
	// them: cri-containerd, crio, docker. Under systemd there always is one; under
	// cgroupfs only CRI-O has it.
	Runtime string

	// Below is what follows on the container, such as /init.scope; empty for the
	// container itself.
	Below string
}

const (
	kubepods  = "kubepods"
	podPrefix = "pod"
	scope     = ".scope"

	// conmon is what CRI-O puts before the ID of a container for the cgroup of conmon, the
	// process that watches it: crio-conmon-<ID>, or crio-conmon-<ID>.scope under systemd.
	conmon = "crio-conmon"
)

// Name returns the abstract name of the tier, or of the pod. A container has none: it is
// named by its runtime, and this is the name of its pod. It returns an InvalidNameError if a
// part of the Ref cannot be part of a name.
func (r Identity) Name() (Name, error) {
	for c := range r.CgroupRoot.Components() {
		if c == kubepods {
			return Name{}, invalid(r.CgroupRoot.String(), "there is one root of all pods above another")
		}
	}
	components := []string{kubepods}
	switch r.Class {
	case corev1.PodQOSGuaranteed:
	case corev1.PodQOSBurstable, corev1.PodQOSBestEffort:
		components = append(components, tier(r.Class))
	default:
		return Name{}, invalid(string(r.Class), "it is not a class of pods")
	}
	if r.UID != "" {
		if err := checkComponent(string(r.UID)); err != nil {
			return Name{}, err
		}
		components = append(components, podPrefix+string(r.UID))
	}
	return r.CgroupRoot.Join(components...)
}

// tier returns the component for a class.
func tier(class corev1.PodQOSClass) string { return strings.ToLower(string(class)) }

// Path returns the path of the cgroup. It returns an InvalidNameError if a part of the Ref
// cannot be part of a path, or lacks another: a container needs a pod.
func (r Identity) Path() (string, error) {
	name, err := r.Name()
	if err != nil {
		return "", err
	}
	path := r.Mount
	switch r.Driver {
	case Cgroupfs:
		path += name.Cgroupfs()
	case Systemd:
		path += name.Systemd()
	default:
		return "", invalid(name.String(), "its driver is neither cgroupfs nor systemd")
	}
	if err := r.checkMount(); err != nil {
		return "", err
	}
	if r.Container == "" && r.Runtime == "" && r.Below == "" {
		return path, nil
	}
	if err := r.checkContainer(); err != nil {
		return "", err
	}
	return path + "/" + r.containerElement() + r.Below, nil
}

// containerElement returns what the runtime calls the cgroup of a container.
func (r Identity) containerElement() string {
	element := r.Container
	if r.Runtime != "" {
		element = r.Runtime + "-" + element
	}
	if r.Driver == Systemd {
		element += scope
	}
	return element
}

func (r Identity) checkMount() error {
	if r.Mount == "" {
		return nil
	}
	if !absolute(r.Mount) {
		return invalid(r.Mount, "it is not a clean absolute path")
	}
	for element := range strings.SplitSeq(r.Mount, "/") {
		if _, root := rootOf(element); root {
			return invalid(r.Mount, "there is one root of all pods above another")
		}
	}
	return nil
}

// checkContainer checks the parts of a container.
func (r Identity) checkContainer() error {
	switch {
	case r.Container == "":
		return invalid(r.Runtime+r.Below, "it belongs to a container, and there is none")
	case r.UID == "":
		return invalid(r.Container, "a container needs a pod")
	case !alphanumeric(r.Container):
		return invalid(r.Container, "the ID of a container consists of letters and digits")
	case r.Driver == Systemd && r.Runtime == "":
		return invalid(r.Container, "under systemd, a runtime puts its name before the ID")
	case r.Runtime == conmon:
		return invalid(r.containerElement(), "it is the cgroup of conmon, which watches a container for CRI-O, and not of a container")
	case len(r.containerElement()) > maxLength:
		return invalid(r.containerElement(), "it is longer than a file name may be")
	case r.Below != "" && !absolute(r.Below):
		return invalid(r.Below, "it is not a clean absolute path")
	case r.Runtime != "":
		return checkComponent(r.Runtime)
	default:
		return nil
	}
}

func alphanumeric(s string) bool {
	for i := range len(s) {
		if !letterOrDigit(s[i]) {
			return false
		}
	}
	return true
}

// absolute reports whether a path begins with "/", and has no element that is empty, "."
// or "..".
func absolute(path string) bool {
	rest, ok := strings.CutPrefix(path, "/")
	for element := range strings.SplitSeq(rest, "/") {
		ok = ok && element != "" && element != "." && element != ".."
	}
	return ok
}
