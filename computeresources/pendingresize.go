package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/enum"
)

// ResizeState is the state of a resize in place that the node has not begun. The zero value is
// ResizeNotPending.
type ResizeState uint8

const (
	ResizeNotPending     ResizeState = iota // no resize is pending
	ResizeDeferred                          // the node has no room now, and will try again
	ResizeInfeasible                        // the node has refused it, and keeps the allocated resources
	ResizePendingUnknown                    // a resize is pending for any other reason
)

// String returns "none", "Deferred" or "Infeasible", the last two as the condition has its reason;
// "pending" for another reason, and "unknown" for an undefined value.
func (s ResizeState) String() string {
	switch s {
	case ResizeNotPending:
		return "none"
	case ResizeDeferred:
		return corev1.PodReasonDeferred
	case ResizeInfeasible:
		return corev1.PodReasonInfeasible
	case ResizePendingUnknown:
		return "pending"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (s ResizeState) MarshalText() ([]byte, error) { return enum.Marshal(s) }

// UnmarshalText sets s to the state of that name. An unknown name is an error.
func (s *ResizeState) UnmarshalText(text []byte) error {
	return enum.Unmarshal(s, text, ResizePendingUnknown)
}

// PendingResize returns the state of a resize in place (KEP-1287) that the node has not begun, from
// the conditions of a pod. The first condition of type PodResizePending counts, by its reason; its
// status does not. A resize that is in progress is not pending. A nil pod has none.
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
			switch c.Reason {
			case corev1.PodReasonInfeasible:
				return ResizeInfeasible
			case corev1.PodReasonDeferred:
				return ResizeDeferred
			}
			return ResizePendingUnknown
		}
	}
	return ResizeNotPending
}
