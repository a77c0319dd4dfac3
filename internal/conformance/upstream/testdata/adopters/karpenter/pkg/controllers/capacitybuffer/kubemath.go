package capacitybuffer

import (
	"math"

	v1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func calculateLimitReplicas(limits v1.ResourceList, spec *v1.PodSpec) (int32, bool) {
	requests := computeresources.SpecRequests(spec, computeresources.Options{})
	n, stops := resourcelist.Times(resourcelist.Mask(requests, resourcelist.ResourceNames(limits)), limits)
	if len(stops) == 0 {
		return 0, false
	}
	return int32(min(n, math.MaxInt32)), true
}
