package cgroupname

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Identity identifies a cgroup of the hierarchy that the kubelet keeps for pods: its root, a
// tier, a pod, a container, or the monitor of one. Kind says which.
type Identity struct {
	Driver Driver `json:"driver,omitempty"`

	// Mount is the mount point of the hierarchy, such as /sys/fs/cgroup: a path without a trailing
	// "/", or an empty string.
	Mount string `json:"mount,omitempty"`

	// CgroupRoot is the kubelet's --cgroup-root, below which the root of all pods, kubepods, is: a path such as
	// /kubelet, as cgroupfs formats it, with either driver. Both "" and / are the root of the hierarchy, for which
	// Parse returns "". Under cgroupfs, Parse cannot tell it from Mount: it is then part of Mount.
	CgroupRoot string `json:"cgroupRoot,omitempty"`

	// WithoutKubepods means that CgroupRoot itself, such as /, is the root of all pods. Parse
	// does not recognize paths below it.
	WithoutKubepods bool `json:"withoutKubepods,omitempty"`

	// Class is that of the pods in the tier. The tier of Guaranteed pods is the root of all
	// pods itself.
	Class corev1.PodQOSClass `json:"class,omitempty"`

	// UID is that of the pod, empty for a tier. UIDOf returns it, and knows mirror pods.
	UID types.UID `json:"uid,omitempty"`

	// Container is the ID of a container of the pod; empty for the pod itself.
	Container string `json:"container,omitempty"`

	// Runtime is the prefix that the container runtime puts before the ID, separated by "-":
	// cri-containerd, crio, docker. With systemd, there always is a prefix; with cgroupfs, only
	// CRI-O has one.
	Runtime string `json:"runtime,omitempty"`

	// Monitors is the ID of the container that the process in this cgroup monitors: CRI-O's conmon,
	// which runs next to the cgroup of the container. Container and Runtime are empty then. Its
	// usage belongs to the pod, not to the container.
	Monitors string `json:"monitors,omitempty"`

	// Below is what follows on the container or the monitor, such as /init.scope; empty for
	// these themselves.
	Below string `json:"below,omitempty"`
}

const (
	kubepods  = "kubepods"
	podPrefix = "pod"
	scope     = ".scope"

	// conmon is the prefix that CRI-O puts before the ID of a container to name the cgroup of
	// conmon: crio-conmon-<ID>, or crio-conmon-<ID>.scope under systemd.
	conmon = "crio-conmon"
)

// name returns the abstract name of the tier or pod. A container has none, because its runtime
// names it: name returns that of its pod. It returns an error if a part of the Identity
// cannot be part of a name.
func (id Identity) name() (name, error) {
	root, err := nameOf(id.CgroupRoot)
	if err != nil {
		return "", err
	}
	components := root.components()
	if !id.WithoutKubepods {
		if slices.Contains(components, kubepods) {
			return "", invalid(id.CgroupRoot, "there is one root of all pods above another")
		}
		components = append(components, kubepods)
	}
	switch id.Class {
	case corev1.PodQOSGuaranteed:
	case corev1.PodQOSBurstable, corev1.PodQOSBestEffort:
		components = append(components, tier(id.Class))
	default:
		return "", invalid(string(id.Class), "it is not a class of pods")
	}
	if id.UID != "" {
		if err := checkComponent(string(id.UID)); err != nil {
			return "", err
		}
		components = append(components, podPrefix+string(id.UID))
	}
	return newName(components...)
}

// tier returns the path component for the tier of a class.
func tier(class corev1.PodQOSClass) string { return strings.ToLower(string(class)) }

// Path returns the path of the cgroup. It returns an error if a part of the Identity
// cannot be part of a path, or lacks another: a container, or its monitor, needs a pod.
func (id Identity) Path() (string, error) {
	n, err := id.name()
	if err != nil {
		return "", err
	}
	path := id.Mount
	switch {
	case id.Driver != Cgroupfs && id.Driver != Systemd:
		return "", invalid(n.cgroupfs(), "its driver is neither cgroupfs nor systemd")
	case n == "" && id.Mount != "": // the mount point itself
	case id.Driver == Systemd:
		path += n.systemd()
	default:
		path += n.cgroupfs()
	}
	if err := id.checkMount(); err != nil {
		return "", err
	}
	if id.Container == "" && id.Runtime == "" && id.Monitors == "" && id.Below == "" {
		return path, nil
	}
	if err := id.checkContainer(); err != nil {
		return "", err
	}
	return path + "/" + id.containerElement() + id.Below, nil
}

// containerElement returns the runtime's name for the cgroup of a container, or of its monitor.
func (id Identity) containerElement() string {
	element := id.Container
	switch {
	case id.Monitors != "":
		element = conmon + "-" + id.Monitors
	case id.Runtime != "":
		element = id.Runtime + "-" + element
	}
	if id.Driver == Systemd {
		element += scope
	}
	return element
}

func (id Identity) checkMount() error {
	if id.Mount == "" {
		return nil
	}
	if !absolute(id.Mount) {
		return invalid(id.Mount, "it is not a clean absolute path")
	}
	for element := range strings.SplitSeq(id.Mount, "/") {
		if _, root := rootOf(element); root {
			return invalid(id.Mount, "there is one root of all pods above another")
		}
	}
	return nil
}

// checkContainer checks the parts of a container, or of its monitor.
func (id Identity) checkContainer() error {
	container := id.Container + id.Monitors
	switch {
	case container == "":
		return invalid(id.Runtime+id.Below, "it belongs to a container, and there is none")
	case id.Monitors != "" && (id.Container != "" || id.Runtime != ""):
		return invalid(id.containerElement(), "it is the cgroup of a monitor, and not of a container")
	case id.UID == "":
		return invalid(container, "a container needs a pod")
	case !alphanumeric(container):
		return invalid(container, "the ID of a container consists of letters and digits")
	case id.Driver == Systemd && id.Runtime == "" && id.Monitors == "":
		return invalid(id.Container, "under systemd, a runtime puts its name before the ID")
	case id.Runtime == conmon:
		return invalid(id.containerElement(), "it is the cgroup of a monitor, and not of a container")
	case len(id.containerElement()) > maxLength:
		return invalid(id.containerElement(), "it is longer than a file name may be")
	case id.Below != "" && !absolute(id.Below):
		return invalid(id.Below, "it is not a clean absolute path")
	case id.Runtime != "":
		return checkComponent(id.Runtime)
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
