package computeresources

import corev1 "k8s.io/api/core/v1"

// ResizeState is the state of a resize in place that the node has not begun. The zero value is
// ResizeNotPending.
type ResizeState string

const (
	ResizeNotPending ResizeState = ""                         // no resize is pending
	ResizeDeferred   ResizeState = corev1.PodReasonDeferred   // the node has no room now, and will try again
	ResizeInfeasible ResizeState = corev1.PodReasonInfeasible // the node keeps the allocated resources
)

// PendingResize returns the state of a resize in place (KEP-1287) that the node has not begun, from
// the conditions of a pod: the reason of the first condition of type PodResizePending, whatever its status. A reason
// that is not one of the constants is returned as it is. A resize that is in progress is not pending. A nil pod has none.
//
// An infeasible resize changes what the pod requests: see PodRequests.
//
// Source: IsPodResizeInfeasible and IsPodResizeDeferred of k8s.io/component-helpers/resource.
func PendingResize(pod *corev1.Pod) ResizeState {
	if pod == nil {
		return ResizeNotPending
	}
	return pendingResize(&pod.Status)
}

func pendingResize(status *corev1.PodStatus) ResizeState {
	for i := range status.Conditions {
		if c := &status.Conditions[i]; c.Type == corev1.PodResizePending {
			return ResizeState(c.Reason)
		}
	}
	return ResizeNotPending
}
