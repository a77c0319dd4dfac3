package podwalk

import corev1 "k8s.io/api/core/v1"

// HasEnded reports whether all containers of a pod have ended and none will be started again:
// its phase is Succeeded or Failed. Such a pod holds nothing of its node.
func HasEnded(pod *corev1.Pod) bool {
	switch pod.Status.Phase {
	case corev1.PodSucceeded, corev1.PodFailed:
		return true
	}
	return false
}
