package resourcelist

import corev1 "k8s.io/api/core/v1"

// IsPodLevel reports whether a resource can be set for a pod itself, in spec.resources:
// cpu, memory and hugepages of any size (KEP-2837). Any other is ignored there.
func IsPodLevel(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || IsHugePages(name)
}

// AnyPodLevel reports whether a list names a resource that can be set for a pod itself, even
// if it sets it to zero.
func AnyPodLevel(list corev1.ResourceList) bool {
	for name := range list {
		if IsPodLevel(name) {
			return true
		}
	}
	return false
}
