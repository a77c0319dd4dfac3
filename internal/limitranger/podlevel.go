package limitranger

import corev1 "k8s.io/api/core/v1"

// CountsPodLevel reports whether bounds of type Pod apply to the pod-level amount of a
// resource, in place of the sum over containers. LimitRanger does so for cpu and memory, and
// not for hugepages, which the scheduler and quotas count at pod level as well.
func CountsPodLevel(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceMemory:
		return true
	}
	return false
}
