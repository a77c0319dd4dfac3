package computeresources

import corev1 "k8s.io/api/core/v1"

// BindingLimits returns the limits in a pod spec that really hold the pod back. It differs
// from SpecLimits, the sum that the API computes, where a container has no limit for cpu,
// memory or ephemeral-storage: that container may use what the node has, and so the
// pod has no limit for the resource, which is absent from the result. A limit of
// zero is no limit, as for the kubelet. A pod-level limit binds whatever the
// containers set. Hugepages and extended resources cannot be unbounded: a container
// that does not set them gets none, and their sum binds. A status does not count.
//
// The limit of cpu and memory is the one that the kubelet writes into the cgroup of
// the pod. (Up to 1.36 it overlooks an init container without a limit behind a sidecar
// that has one, and writes a limit nevertheless.) For ephemeral-storage, the kubelet
// measures each container that has a limit against it, and besides evicts a pod that
// uses more than SpecLimits in all, even if a container has no limit.
//
// A nil spec has no limits. The result is never nil and owns its quantities.
//
// Source: the first table of Tekton's "Compute Resources"; kubelet
// ResourceConfigForPod.
func BindingLimits(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	limits := SpecLimits(spec, opts)
	complete := SpecLimitTotals(spec, opts).Complete
	unbind(limits, corev1.ResourceCPU, complete.CPU)
	unbind(limits, corev1.ResourceMemory, complete.Memory)
	unbind(limits, corev1.ResourceEphemeralStorage, complete.EphemeralStorage)
	return limits
}

// unbind removes a limit that does not hold the pod back.
func unbind(limits corev1.ResourceList, name corev1.ResourceName, complete bool) {
	if limit := limits[name]; limit.Sign() <= 0 || !complete {
		delete(limits, name)
	}
}
