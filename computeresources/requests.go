package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// PodRequests returns what the scheduler reserves on a node for a pod that is placed there.
//
// For each resource it is max(Σ app containers + Σ sidecars, max use(i)), where use(i) = Σ sidecars
// before init container i + init container i. A pod-level request for cpu, memory or hugepages
// replaces this sum. Overhead is added. Options select what else counts. A resource that nothing
// sets is absent; a resource that is only set to zero is zero. Sums are exact at every scale.
//
// The status of the pod and of its containers counts while the pod is resized in place (KEP-1287,
// KEP-5419). For each resource, the result is the largest of the sums of the desired, the allocated
// and the actuated resources; without the desired ones if the resize is infeasible. For example,
// while a pod is resized from 1 CPU (allocated and actuated) to 2 CPUs (desired), the result is 2
// CPUs; if the node reports the resize as infeasible, it is 1 CPU. Up to 1.36, Kubernetes sums up the
// largest amount of each container: see Kubernetes.Release. A status without resources
// changes nothing. SpecRequests ignores the status. Quotas count the statuses of containers only:
// see quota.Object.Usage.
//
// The kubelet of 1.36 includes overhead in status.allocatedResources, and the scheduler adds
// overhead again. PodRequests does the same, because it returns what the scheduler reserves.
//
// Requests that the API server would default from limits are not included: see
// ApplyRequestDefaults and ApplyPodLevelDefaults. The phase is ignored: the requests of a pod that has ended
// (HasEnded) are those that it had. A nil pod has no requests. The result is never nil and owns its quantities.
//
// Cost: one lookup for each container, resource, and list of the status; two allocations for up to
// eight resources. Amounts that need arbitrary precision allocate: those beyond 2^52 units,
// fractions of a unit, or decimals such as 1.5Gi next to amounts in another format.
//
// Source: k8s.io/component-helpers/resource.PodRequests (v0.37, and v0.36 for older releases) with
// UseStatusResources and InPlacePodLevelResourcesVerticalScalingEnabled, KEP-753, KEP-1287, KEP-2837, KEP-5419.
func PodRequests(pod *corev1.Pod, opts Options) corev1.ResourceList {
	return PodRequestsInto(nil, pod, opts)
}

// PodRequestsInto clears dst, fills it with PodRequests and returns it. If dst is
// nil, it returns a new list. It does not allocate once dst has grown to the
// number of resources, except for amounts that need arbitrary precision. Dst must not
// be one of the lists of pod or opts.
func PodRequestsInto(dst corev1.ResourceList, pod *corev1.Pod, opts Options) corev1.ResourceList {
	var r reading
	r.readPod(pod, podwalk.Requests, &opts)
	return r.into(dst)
}

// SpecRequests returns the effective requests of a pod spec, by the formula of PodRequests without
// a status: for a template, or for a pod that is not scheduled yet. kubectl describe node also adds
// up these requests, even for pods that are being resized.
//
// For each resource it is max(Σ app containers + Σ sidecars, the largest sum of an init container and
// the sidecars before it), or the pod-level request instead; overhead is added.
//
// A nil spec has no requests. The result is never nil and owns its quantities. Cost and
// allocations are those of PodRequests.
//
// Source: k8s.io/component-helpers/resource.PodRequests (v0.37), KEP-753, KEP-2837.
func SpecRequests(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	return SpecRequestsInto(nil, spec, opts)
}

// SpecRequestsInto clears dst, fills it with SpecRequests and returns it, as
// PodRequestsInto does with the requests of a pod.
func SpecRequestsInto(dst corev1.ResourceList, spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	var r reading
	r.read(spec, nil, podwalk.Requests, &opts)
	return r.into(dst)
}

// into clears dst, fills it with the amounts that count, and returns it. It makes dst if that is nil.
func (r *reading) into(dst corev1.ResourceList) corev1.ResourceList {
	if dst == nil {
		dst = make(corev1.ResourceList, 4)
	}
	clear(dst)
	if r.spec == nil {
		return dst
	}
	var u units
	if !u.read(r) || !u.formats.Set(dst, u.amounts) || !u.all {
		r.exactInto(dst)
	}
	return dst
}
