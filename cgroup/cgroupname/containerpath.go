package cgroupname

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// containerPath is a fast path of Parse for the paths of containers as kubelets and runtimes name
// them without a CgroupRoot. It returns false for any other path, which may still be valid. It
// allocates only for the UID of a pod under systemd.
func containerPath(path string) (Identity, bool) {
	if !absolute(path) {
		return Identity{}, false
	}
	id := Identity{Class: corev1.PodQOSGuaranteed}
	rest, root := "", false
	for start := 0; start < len(path) && !root; {
		end := elementEnd(path, start+1)
		if id.Driver, root = rootOf(path[start+1 : end]); root {
			id.Mount, rest = path[:start], path[end:]
			if id.Driver == Systemd && path[start+1:end] != kubepods+slice {
				return Identity{}, false // below a CgroupRoot
			}
		}
		start = end
	}
	if !root || len(kubepods)+len(rest)+len(slice) > maxLength { // no name in it is too long
		return Identity{}, false
	}
	uid, ok := id.cutPod(&rest)
	if !ok || checkComponent(uid) != nil {
		return Identity{}, false
	}
	id.UID = types.UID(uid)
	if rest == "" || elementEnd(rest, 1) != len(rest) || id.parseContainer(rest[1:]) != nil || id.Monitors != "" {
		return Identity{}, false
	}
	named := id.Runtime != ""
	if !alphanumeric(id.Container) || !named && id.Driver == Systemd || named && checkComponent(id.Runtime) != nil {
		return Identity{}, false
	}
	return id, true
}

// cutPod cuts the tier and the pod from the beginning of a path below the root of all pods, sets
// the class, and returns the unchecked UID. Under systemd, each slice repeats the name of its
// parent.
func (id *Identity) cutPod(path *string) (uid string, ok bool) {
	rest := *path
	for _, class := range [...]corev1.PodQOSClass{corev1.PodQOSBurstable, corev1.PodQOSBestEffort} {
		name, unit := "/burstable", "/kubepods-burstable.slice"
		if class == corev1.PodQOSBestEffort {
			name, unit = "/besteffort", "/kubepods-besteffort.slice"
		}
		if id.Driver == Systemd {
			name = unit
		}
		if below, found := strings.CutPrefix(rest, name); found && strings.HasPrefix(below, "/") {
			id.Class, rest = class, below
			break
		}
	}
	end := elementEnd(rest, 1)
	if end == 0 {
		return "", false
	}
	pod := rest[1:end]
	*path = rest[end:]
	if id.Driver == Cgroupfs {
		return strings.CutPrefix(pod, podPrefix)
	}
	prefix := "kubepods-pod"
	switch id.Class {
	case corev1.PodQOSBurstable:
		prefix = "kubepods-burstable-pod"
	case corev1.PodQOSBestEffort:
		prefix = "kubepods-besteffort-pod"
	}
	pod, isPod := strings.CutPrefix(pod, prefix)
	escaped, isSlice := strings.CutSuffix(pod, slice)
	if !isPod || !isSlice || strings.Contains(escaped, "-") {
		return "", false
	}
	return strings.ReplaceAll(escaped, "_", "-"), true
}

// elementEnd returns the end of the path element that begins at start, or 0 for an empty path.
func elementEnd(path string, start int) int {
	if path == "" {
		return 0
	}
	if i := strings.IndexByte(path[start:], '/'); i >= 0 {
		return start + i
	}
	return len(path)
}
