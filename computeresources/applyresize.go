package computeresources

import corev1 "k8s.io/api/core/v1"

// ApplyResize changes pod to what the API server stores when updated is sent to the resize
// subresource: it copies the resources and resize policies of containers, init containers and
// sidecars from updated, and pod-level resources if they can be resized. Everything else remains,
// unless containers were added, removed or renamed, which ValidateResize refuses. If some were added
// or removed, the whole spec is that of updated; if one was renamed, the list that has it. Since 1.37, pod-level
// resources that updated lacks are kept, and [ApplyPodLevelDefaults] follows: the result is what it has set. The pods
// share no memory afterwards, with each other and the result. If either is nil, nothing is written.
//
// Source: podResizeStrategy of k8s.io/kubernetes/pkg/registry/core/pod.
func ApplyResize(pod, updated *corev1.Pod, opts ResizeOptions) []Change {
	if pod == nil || updated == nil {
		return nil
	}
	spec, defaults := resized(pod, updated, opts)
	pod.Spec = *spec.DeepCopy()
	return defaults
}
