package podwalk

import corev1 "k8s.io/api/core/v1"

// HasEnded reports whether the phase of a pod is Succeeded or Failed: all its containers have
// terminated, and none will be restarted. Such a pod uses nothing of its node.
func HasEnded(pod *corev1.Pod) bool {
	switch pod.Status.Phase {
	case corev1.PodSucceeded, corev1.PodFailed:
		return true
	}
	return false
}
