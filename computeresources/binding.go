package computeresources

import corev1 "k8s.io/api/core/v1"

// BindingLimits returns the limits that really hold a pod back. It differs from
// PodLimits, the sum that the API computes, where a container has no limit for cpu,
// memory or ephemeral-storage: that container may use what the node has, and so the
// pod has no limit for the resource, which is absent from the result. A limit of
// zero is no limit, as for the kubelet. A pod-level limit binds whatever the
// containers state. What is not limited by default cannot be unbounded: a container
// that does not state hugepages or an extended resource gets none of it, and their
// sum binds.
//
// The limit of cpu and memory is the one that the kubelet writes into the cgroup of
// the pod. (Up to 1.36 it overlooks an init container without a limit behind a sidecar
// that has one, and writes a limit nevertheless.) For ephemeral-storage, the kubelet
// measures each container that has a limit against it, and besides evicts a pod that
// uses more than PodLimits in all, even if a container has no limit.
//
// A nil spec has no limits. The result is never nil and owns its quantities.
//
// Source: the first table of Tekton's "Compute Resources"; kubelet
// ResourceConfigForPod.
func BindingLimits(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	limits := make(corev1.ResourceList, 4)
	if spec == nil {
		return limits
	}
	var a amounts
	a.readLimits(spec, &opts)
	a.into(limits)
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		if limit := limits[name]; limit.Sign() <= 0 || !a.complete(name) {
			delete(limits, name)
		}
	}
	return limits
}
