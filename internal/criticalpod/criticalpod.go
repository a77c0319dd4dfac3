// Package criticalpod identifies critical pods.
//
// Source: IsCriticalPod, IsStaticPod, IsMirrorPod and IsNodeCriticalPod of
// k8s.io/kubernetes/pkg/kubelet/types.
package criticalpod

import corev1 "k8s.io/api/core/v1"

// Is reports whether a pod is critical: static, the mirror of a static pod, or with a system
// priority, 2,000,000,000 or more. The pod must not be nil.
func Is(pod *corev1.Pod) bool {
	const systemCriticalPriority = 2_000_000_000
	return fromNode(pod) || pod.Spec.Priority != nil && *pod.Spec.Priority >= systemCriticalPriority
}

// IsOfNode reports whether a pod is critical and has the priority of system-node-critical. Such pods
// are killed last.
func IsOfNode(pod *corev1.Pod) bool {
	const nodeCriticalClass = "system-node-critical"
	return pod.Spec.PriorityClassName == nodeCriticalClass && Is(pod)
}

// fromNode reports whether a pod comes from the node: from a source other than the API
// server, or as the mirror of such a pod.
func fromNode(pod *corev1.Pod) bool {
	const (
		configSource  = "kubernetes.io/config.source"
		fromAPIServer = "api"
	)
	source, known := pod.Annotations[configSource]
	_, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
	return mirror || known && source != fromAPIServer
}
