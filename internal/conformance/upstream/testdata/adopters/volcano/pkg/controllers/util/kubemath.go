package util

import (
	v1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func CalTaskRequests(pod *v1.Pod, replicas int32) v1.ResourceList {
	return resourcelist.RemoveZeros(resourcelist.Multiply(GetPodQuotaUsage(pod), int64(replicas)))
}
