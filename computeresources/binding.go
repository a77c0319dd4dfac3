package computeresources

import corev1 "k8s.io/api/core/v1"

// BindingLimits returns the limits of a pod spec that really bound the pod. It differs from
// SpecLimits, the sum that the API computes up to 1.37, if a container has no limit for cpu, memory or
// ephemeral-storage: that container may use everything on the node, so the pod has no limit for the
// resource, and the result does not contain it. As in the kubelet, a limit of zero is no limit. A
// pod-level limit always binds. Hugepages and extended resources cannot be unbounded: a container
// that does not set them gets none, so their sum binds. The status of a pod does not count.
//
// The limit of cpu and memory is the one that the kubelet writes into the cgroup of the pod. (Up to
// 1.36, the kubelet ignores an init container without a limit that follows a sidecar with one, and
// writes a limit.) For ephemeral-storage, the kubelet enforces the limit of each container that has
// one. It also evicts a pod whose total usage exceeds SpecLimits, even if a container has no limit.
//
// A nil spec has no limits. The result is never nil and owns its quantities.
//
// Source: the first table of Tekton's "Compute Resources"; kubelet
// ResourceConfigForPod.
func BindingLimits(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	limits := SpecLimits(spec, opts)
	totals := SpecTotals(spec, Limits, opts)
	unbind(limits, corev1.ResourceCPU, totals.CPUAllSet)
	unbind(limits, corev1.ResourceMemory, totals.MemoryAllSet)
	unbind(limits, corev1.ResourceEphemeralStorage, totals.EphemeralStorageAllSet)
	return limits
}

// unbind removes a limit that does not bind.
func unbind(limits corev1.ResourceList, name corev1.ResourceName, complete bool) {
	if limit := limits[name]; limit.Sign() <= 0 || !complete {
		delete(limits, name)
	}
}
