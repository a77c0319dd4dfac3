package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// PodLimits returns the sum of the limits of a pod, as component-helpers computes it. The formula
// is that of PodRequests with two differences: overhead is added only to a limit that is not zero,
// and only the actuated limits in the status count, since there are no allocated ones. The
// scheduler does not use limits; for the usage of quotas, see quota.Object.Usage.
//
// Up to 1.37, a container without a limit adds nothing to the sum, although its usage is unbounded. Since 1.38, a
// pod has no limit of cpu or memory if one of its containers has none, or zero, unless it has a pod-level limit.
// BindingLimits returns the limits that really bind in each release, also of ephemeral-storage.
//
// A nil pod has no limits. The result is never nil and owns its quantities. Cost
// and allocations are those of PodRequests.
//
// Source: k8s.io/component-helpers/resource.PodLimits (v0.37, v0.38, and v0.36 for older releases) with
// UseStatusResources and InPlacePodLevelResourcesVerticalScalingEnabled.
func PodLimits(pod *corev1.Pod, opts Options) corev1.ResourceList {
	return PodLimitsInto(nil, pod, opts)
}

// PodLimitsInto clears dst, fills it with PodLimits and returns it, as
// PodRequestsInto does with requests.
func PodLimitsInto(dst corev1.ResourceList, pod *corev1.Pod, opts Options) corev1.ResourceList {
	var r reading
	r.readPod(pod, podwalk.Limits, &opts)
	return r.into(dst)
}

// SpecLimits returns the sum of the limits of a pod spec, by the formula of PodLimits without a
// status: for a template, for a pod that is not scheduled yet, or for the totals of kubectl
// describe node.
//
// A nil spec has no limits. The result is never nil and owns its quantities. Cost and
// allocations are those of PodRequests.
//
// Source: k8s.io/component-helpers/resource.PodLimits (v0.37, v0.38).
func SpecLimits(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	var r reading
	r.read(spec, nil, podwalk.Limits, &opts)
	return r.into(nil)
}
