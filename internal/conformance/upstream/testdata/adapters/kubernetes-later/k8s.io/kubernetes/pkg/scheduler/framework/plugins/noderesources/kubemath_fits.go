package noderesources

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"kubemath.example/upstream/beside"
)

func fitsRequest(podRequest *preFilterState, nodeInfo fwk.NodeInfo, ignoredExtendedResources, ignoredResourceGroups sets.Set[string], draManager fwk.SharedDRAManager, opts ResourceRequestsOptions, pod *v1.Pod) []InsufficientResource {
	original := func() []InsufficientResource {
		return upstreamFitsRequest(podRequest, nodeInfo, ignoredExtendedResources, ignoredResourceGroups, draManager, opts, pod)
	}
	if draManager != nil && opts.EnableDRAExtendedResource || opts.EnableDRANodeAllocatableResources {
		beside.Forward("fitsRequest", "devices of dynamic resource allocation")
		return original()
	}
	if opts.EnableInPlacePodVerticalScalingSchedulerPreemption && pod != nil && pod.Spec.NodeName != "" {
		beside.Forward("fitsRequest", "a pod on its node, with the gate InPlacePodVerticalScalingSchedulerPreemption")
		return original()
	}
	return fits(podRequest, nodeInfo, ignoredExtendedResources, ignoredResourceGroups, original)
}
