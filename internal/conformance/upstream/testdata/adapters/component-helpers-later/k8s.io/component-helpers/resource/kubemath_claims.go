package resource

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

const claimsCountAsLimits = true

func claimed(pod *corev1.Pod) corev1.ResourceList {
	total := corev1.ResourceList{}
	add := func(name corev1.ResourceName, amount *resource.Quantity, times int) {
		if amount == nil {
			return
		}
		sum := total[name]
		for range times {
			sum.Add(*amount)
		}
		total[name] = sum
	}
	for _, claim := range pod.Status.NodeAllocatableResourceClaimStatuses {
		for _, mapping := range claim.Mapping {
			add(mapping.Name, mapping.Quantity, 1)
		}
		for _, overhead := range claim.Overhead {
			add(overhead.Name, overhead.PerPod, 1)
			add(overhead.Name, overhead.PerContainer, len(claim.Containers))
		}
	}
	return total
}
