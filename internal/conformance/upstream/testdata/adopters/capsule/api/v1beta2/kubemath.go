package v1beta2

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func (r *ResourcePool) CalculateClaimedResources() {
	claimed := resourcelist.Multiply(r.Status.Allocation.Hard, 0)
	for _, list := range r.GetClaimedByNamespaceClaims() {
		claimed = resourcelist.AddInto(claimed, claimed, list)
	}
	r.Status.Allocation.Claimed = claimed
	r.CalculateAvailableResources()
}

func (r *ResourcePool) CalculateAvailableResources() {
	r.Status.Allocation.Available = r.GetAvailableClaimableResources()
}

func (r *ResourcePool) GetAvailableClaimableResources() corev1.ResourceList {
	hard := r.Status.Allocation.Hard
	return resourcelist.Mask(resourcelist.Subtract(hard, r.Status.Allocation.Claimed), resourcelist.ResourceNames(hard))
}

func (r *ResourcePool) GetClaimedByNamespaceClaims() map[string]corev1.ResourceList {
	claims := map[string]corev1.ResourceList{}
	for namespace, list := range r.Status.Claims {
		claimed := corev1.ResourceList{}
		for _, claim := range list {
			claimed = resourcelist.AddInto(claimed, claimed, claim.Claims)
		}
		claims[namespace] = claimed
	}
	return claims
}
