package resourcename

import corev1 "k8s.io/api/core/v1"

// IsPodLevel is that of package resourcelist.
func IsPodLevel(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || IsHugePages(name)
}

// PodLevelNames returns the names of the resources that can be set at pod level, sorted: cpu,
// hugepages-, which stands for hugepages of any size, and memory.
//
// Source: SupportedPodLevelResources of k8s.io/component-helpers/resource.
func PodLevelNames() []corev1.ResourceName {
	return []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceHugePagesPrefix, corev1.ResourceMemory}
}

// AnyPodLevel reports whether a list names a resource that can be set at pod level, even if
// its amount is zero.
//
// Source: IsPodLevelResourcesSet of k8s.io/component-helpers/resource.
func AnyPodLevel(list corev1.ResourceList) bool {
	for name := range list {
		if IsPodLevel(name) {
			return true
		}
	}
	return false
}

// SetsPodLevel reports whether a pod spec sets a pod-level request or limit (KEP-2837), even to
// zero, of a resource that can be set at pod level. A nil spec sets none.
func SetsPodLevel(spec *corev1.PodSpec) bool {
	return spec != nil && spec.Resources != nil &&
		(AnyPodLevel(spec.Resources.Requests) || AnyPodLevel(spec.Resources.Limits))
}
