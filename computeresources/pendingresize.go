package computeresources

import corev1 "k8s.io/api/core/v1"

// PendingResize returns why the node has not begun a resize in place (KEP-1287), from the conditions of a pod: the
// reason of the first condition of type PodResizePending, whatever its status. It is corev1.PodReasonDeferred if the
// node has no room now and will try again, and corev1.PodReasonInfeasible if it keeps the allocated resources. It is
// empty if no resize is pending, which one in progress is not. A nil pod has none.
//
// An infeasible resize changes what the pod requests: see PodRequests.
//
// Source: IsPodResizeInfeasible and IsPodResizeDeferred of k8s.io/component-helpers/resource.
func PendingResize(pod *corev1.Pod) (reason string) {
	if pod == nil {
		return ""
	}
	return pendingResize(&pod.Status)
}

func pendingResize(status *corev1.PodStatus) (reason string) {
	for i := range status.Conditions {
		if c := &status.Conditions[i]; c.Type == corev1.PodResizePending {
			return c.Reason
		}
	}
	return ""
}
