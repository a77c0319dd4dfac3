package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// PodRequests returns what a pod asks the cluster for: what the scheduler reserves
// on a node, and what a ResourceQuota charges.
//
// For each resource it is max(Σ app containers + Σ sidecars, max use(i)), where
// use(i) = Σ sidecars before init container i + init container i; replaced by the
// pod-level request, if there is one for cpu, memory or hugepages; plus overhead.
// Options say what else counts. A resource that nothing states is absent; one that
// is only stated as zero is zero. Sums are exact at every scale.
//
// Requests that the API server would default from limits are not assumed: see
// ApplyRequestDefaults. A nil spec requests nothing. The result is never nil and
// owns its quantities.
//
// Cost: one look-up per container and resource; two allocations for up to eight
// resources. Amounts that need arbitrary precision allocate: those beyond 2^52 units,
// finer than one, or decimals such as 1.5Gi beside pod-level resources, overhead or
// extended resources.
//
// Source: k8s.io/component-helpers/resource.PodRequests (v0.37), KEP-753, KEP-1287,
// KEP-2837.
func PodRequests(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	return PodRequestsInto(nil, spec, opts)
}

// PodRequestsInto clears dst, fills it with PodRequests and returns it. If dst is
// nil, it returns a new list. It does not allocate once dst has grown to the
// number of resources, except for amounts that need arbitrary precision. Dst must not
// be one of the lists of spec or opts.
func PodRequestsInto(dst corev1.ResourceList, spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	dst = cleared(dst)
	if spec == nil || opts.countContainersOnly(spec) && podwalk.Into(dst, spec, podwalk.Requests) {
		return dst
	}
	var a amounts
	a.readRequests(spec, &opts)
	a.into(dst)
	return dst
}

// PodLimits returns the sum of the limits of a pod, as the API computes it: what a
// ResourceQuota on limits charges. The formula is that of PodRequests, except that
// overhead is added only to a limit that is not zero.
//
// A container without a limit adds nothing to the sum, although nothing holds it
// back: the limit that the pod really meets is BindingLimits.
//
// A nil spec has no limits. The result is never nil and owns its quantities. Cost
// and allocations are those of PodRequests.
//
// Source: k8s.io/component-helpers/resource.PodLimits (v0.37).
func PodLimits(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	return PodLimitsInto(nil, spec, opts)
}

// PodLimitsInto clears dst, fills it with PodLimits and returns it, as
// PodRequestsInto does with requests.
func PodLimitsInto(dst corev1.ResourceList, spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	dst = cleared(dst)
	if spec == nil || opts.countContainersOnly(spec) && podwalk.Into(dst, spec, podwalk.Limits) {
		return dst
	}
	var a amounts
	a.readLimits(spec, &opts)
	a.into(dst)
	return dst
}

func cleared(dst corev1.ResourceList) corev1.ResourceList {
	if dst == nil {
		return make(corev1.ResourceList, 4)
	}
	clear(dst)
	return dst
}
