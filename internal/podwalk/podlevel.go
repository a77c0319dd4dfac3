package podwalk

import corev1 "k8s.io/api/core/v1"

// WithoutPodLevel returns the pod as a cluster without PodLevelResources (KEP-2837) reads it:
// without spec.resources. It is the pod itself if it has none, and otherwise a shallow copy, which
// shares everything else with the pod and must only be read. Containers keep their addresses. The
// result for nil is nil.
func WithoutPodLevel(pod *corev1.Pod) *corev1.Pod {
	if pod == nil || pod.Spec.Resources == nil {
		return pod
	}
	without := *pod
	without.Spec.Resources = nil
	return &without
}

// SpecWithoutPodLevel is WithoutPodLevel for a pod spec.
func SpecWithoutPodLevel(spec *corev1.PodSpec) *corev1.PodSpec {
	if spec == nil || spec.Resources == nil {
		return spec
	}
	without := *spec
	without.Resources = nil
	return &without
}
