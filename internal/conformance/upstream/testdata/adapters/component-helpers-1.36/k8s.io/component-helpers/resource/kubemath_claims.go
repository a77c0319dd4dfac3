package resource

import (
	corev1 "k8s.io/api/core/v1"
)

const claimsCountAsLimits = false

func claimed(pod *corev1.Pod) corev1.ResourceList {
	total := corev1.ResourceList{}
	for _, claim := range pod.Status.NodeAllocatableResourceClaimStatuses {
		for name, amount := range claim.Resources {
			sum := total[name]
			sum.Add(amount)
			total[name] = sum
		}
	}
	return total
}
