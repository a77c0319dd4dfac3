package translator

import (
	"errors"
	"math"

	corev1 "k8s.io/api/core/v1"
	apiv1 "k8s.io/autoscaler/cluster-autoscaler/apis/capacitybuffer/autoscaling.x-k8s.io/v1beta1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func calculateMaxPodsFromLimits(requests corev1.ResourceList, limits apiv1.ResourceList) (int32, error) {
	free := corev1.ResourceList{}
	for name, limit := range limits {
		free[corev1.ResourceName(name)] = limit
	}
	n, stops := resourcelist.Times(resourcelist.Mask(requests, resourcelist.ResourceNames(free)), free)
	if len(stops) == 0 {
		return 0, errors.New("resources in configured limits not found in the pod template")
	}
	return int32(min(n, math.MaxInt32)), nil
}
