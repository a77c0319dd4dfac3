package controller

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

func podMatchesQuotaScope(pod *corev1.Pod, q *corev1.ResourceQuota) (bool, error) {
	scopes := quota.Scopes(q)
	within, err := quota.Pod(pod, time.Time{}, quota.PodOptions{}).MatchingScopes(scopes)
	return err == nil && len(within) == len(scopes), err
}

func (r *resourceQuotaAllocator) updateUsages(quotas []*corev1.ResourceQuota, usages map[types.UID]corev1.ResourceList, podReqs corev1.ResourceList, replicas int32) {
	for _, q := range quotas {
		more := resourcelist.Mask(podReqs, resourcelist.ResourceNames(q.Status.Hard))
		usages[q.UID] = resourcelist.Add(usages[q.UID], resourcelist.Multiply(more, int64(replicas)))
	}
}

func getMaxReplicasForQuota(q *corev1.ResourceQuota, podReqs, reserved corev1.ResourceList) int32 {
	free := resourcelist.Subtract(q.Status.Hard, resourcelist.Add(q.Status.Used, reserved))
	n, _ := resourcelist.Times(resourcelist.Mask(podReqs, resourcelist.ResourceNames(q.Status.Hard)), free)
	return int32(min(n, math.MaxInt32))
}
