package computeresources

import corev1 "k8s.io/api/core/v1"

// ApplyResize makes of pod what the API server stores when updated is sent to its subresource
// resize: it takes the resources and resize policies of containers, init containers and sidecars
// from updated, and pod-level resources where they can be resized. All else stays, unless
// containers were added, removed or renamed, which ValidateResize refuses: then the whole spec is
// that of updated. What is written is pod's own. If either is nil, nothing is written.
//
// Source: dropNonResizeUpdates of k8s.io/kubernetes/pkg/registry/core/pod.
func ApplyResize(pod, updated *corev1.Pod, opts ResizeOptions) {
	if pod != nil && updated != nil {
		pod.Spec = *resized(pod, updated, opts).DeepCopy()
	}
}
