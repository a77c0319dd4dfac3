package noderesources

import (
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"kubemath.example/upstream/beside"
)

func fitsRequest(podRequest *preFilterState, nodeInfo fwk.NodeInfo, ignoredExtendedResources, ignoredResourceGroups sets.Set[string], draManager fwk.SharedDRAManager, opts ResourceRequestsOptions) []InsufficientResource {
	original := func() []InsufficientResource {
		return upstreamFitsRequest(podRequest, nodeInfo, ignoredExtendedResources, ignoredResourceGroups, draManager, opts)
	}
	if draManager != nil && opts.EnableDRAExtendedResource {
		beside.Forward("fitsRequest", "devices of dynamic resource allocation")
		return original()
	}
	return fits(podRequest, nodeInfo, ignoredExtendedResources, ignoredResourceGroups, original)
}
