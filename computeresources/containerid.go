package computeresources

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// ContainerByID returns the container of a pod that has, or had before its last restart, a container ID:
// "containerd://4f…" as in the status, or "4f…" as in the name of its cgroup (see cgroupname.Identity) and in
// messages of the kernel. The statuses of all kinds of containers count. The Ref of an ephemeral container only
// has its name, because such a container has no requests and limits.
//
// Found is false if no status has the ID, if the pod spec does not have the container of the
// status, and for an empty ID or a nil pod. If several statuses have it, which no runtime reports, init
// containers and sidecars come first, then app containers, each in the order of the statuses.
//
// Cost: a comparison for each ID in the status. It does not allocate.
func ContainerByID(pod *corev1.Pod, id string) (ref Ref, found bool) {
	if _, bare, hasRuntime := strings.Cut(id, "://"); pod == nil || id == "" || hasRuntime && bare == "" {
		return Ref{}, false
	}
	for i := range pod.Status.InitContainerStatuses {
		if s := &pod.Status.InitContainerStatuses[i]; hasID(s, id) {
			return refOf(&pod.Spec, initList, s.Name)
		}
	}
	for i := range pod.Status.ContainerStatuses {
		if s := &pod.Status.ContainerStatuses[i]; hasID(s, id) {
			return refOf(&pod.Spec, appList, s.Name)
		}
	}
	for i := range pod.Status.EphemeralContainerStatuses {
		if s := &pod.Status.EphemeralContainerStatuses[i]; hasID(s, id) {
			return Ref{Name: s.Name}, true
		}
	}
	return Ref{}, false
}

// refOf returns the container of a name in one of the lists of a pod spec.
func refOf(spec *corev1.PodSpec, list, name string) (Ref, bool) {
	for ref := range Containers(spec) {
		if ref.Name == name && ref.Kind.list() == list {
			return ref, true
		}
	}
	return Ref{}, false
}

// hasID reports whether a container has the ID, or had it before its last restart.
func hasID(s *corev1.ContainerStatus, id string) bool {
	if isID(s.ContainerID, id) {
		return true
	}
	for _, state := range [...]*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
		if state != nil && isID(state.ContainerID, id) {
			return true
		}
	}
	return false
}

// isID reports whether the ID in a status is id, which need not name the runtime.
func isID(status, id string) bool {
	if status == id {
		return true
	}
	_, bare, hasRuntime := strings.Cut(status, "://")
	return hasRuntime && bare == id
}
