// Package sequential is about containers of a pod that run one at a time although the API does not
// express that, such as the steps of a Tekton task.
package sequential

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// OneAtATime returns containers with all steps replaced by one container: at the end, without a name,
// and with the largest request and the largest limit of each resource that a step sets; of equal
// amounts, that of the first step. Amounts that a step does not set are ignored; callers that treat a
// missing limit as unlimited remove the limit from the last container. IsStep is called once for each
// container, in their order.
//
// The containers are only read. The result shares memory with them, except the lists of the new
// container, and is the same slice if there are no steps.
//
// Source: Tekton's "Compute Resources in Tekton", ResourceQuota Support.
func OneAtATime(containers []corev1.Container, isStep func(index int, c *corev1.Container) bool) []corev1.Container {
	var result []corev1.Container
	var together corev1.ResourceRequirements
	for i := range containers {
		c := &containers[i]
		if !isStep(i, c) {
			result = append(result, *c)
			continue
		}
		together.Requests = resourcelist.MaxInto(together.Requests, together.Requests, c.Resources.Requests)
		together.Limits = resourcelist.MaxInto(together.Limits, together.Limits, c.Resources.Limits)
	}
	if len(result) == len(containers) {
		return containers
	}
	return append(result, corev1.Container{Resources: together})
}
