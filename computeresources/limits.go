package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// PodLimits returns the sum of the limits of a pod, as component-helpers computes it. The
// formula is that of PodRequests, except that overhead is added only to a limit that is not
// zero, and that of a pod's status the actuated limits count, since none are allocated. The
// scheduler looks at no limits; what quotas charge is quota.Pod(pod).Usage().
//
// A container without a limit adds nothing to the sum, although nothing holds it
// back: the limit that the pod really meets is BindingLimits.
//
// A nil pod has no limits. The result is never nil and owns its quantities. Cost
// and allocations are those of PodRequests.
//
// Source: k8s.io/component-helpers/resource.PodLimits (v0.37) with UseStatusResources and
// InPlacePodLevelResourcesVerticalScalingEnabled.
func PodLimits(pod *corev1.Pod, opts Options) corev1.ResourceList {
	return PodLimitsInto(nil, pod, opts)
}

// PodLimitsInto clears dst, fills it with PodLimits and returns it, as
// PodRequestsInto does with requests.
func PodLimitsInto(dst corev1.ResourceList, pod *corev1.Pod, opts Options) corev1.ResourceList {
	return podInto(dst, pod, podwalk.Limits, &opts)
}

// SpecLimits returns the sum of the limits of a pod spec, by the formula of PodLimits without
// a status: of a template, of a pod that is still to be placed, or for the totals of kubectl
// describe node.
//
// A nil spec has no limits. The result is never nil and owns its quantities. Cost and
// allocations are those of PodRequests.
//
// Source: k8s.io/component-helpers/resource.PodLimits (v0.37).
func SpecLimits(spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	return SpecLimitsInto(nil, spec, opts)
}

// SpecLimitsInto clears dst, fills it with SpecLimits and returns it, as PodRequestsInto does
// with requests.
func SpecLimitsInto(dst corev1.ResourceList, spec *corev1.PodSpec, opts Options) corev1.ResourceList {
	return specInto(dst, spec, podwalk.Limits, &opts)
}
