package solver

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// objects are what a pod has to satisfy in addition to its own spec, in the form that the solver
// uses. Their order does not matter.
type objects struct {
	// Items are those of all LimitRanges of the namespace.
	Items []rangeItem
	// Budgets are what remains of the ResourceQuotas that match the pod.
	Budgets []budget
	// Floors are the minimum requests of single containers.
	Floors []Floor
	// Wants are the recommendations; the spec does not set what they replace.
	Wants []want
	// Kubernetes selects whether the pod level counts, which of its amounts the server sets by default, and how the
	// LimitRanger compares ratios.
	Kubernetes computeresources.Kubernetes
}

// rangeItem is one item of a LimitRange. Items of type Container and Pod count, others do not
// concern pods.
type rangeItem struct {
	Source computeresources.Source
	Item   corev1.LimitRangeItem
}

// budget is what remains of one ResourceQuota, under the names that the quota has for it: cpu or
// requests.cpu, limits.cpu, requests.nvidia.com/gpu, pods. Names under which a pod uses nothing,
// such as services, are ignored. The remaining amount is negative where usage is above a quota that was
// lowered: as on a server, a usage of zero still fits.
type budget struct {
	Source    computeresources.Source
	Remaining corev1.ResourceList
	// Replicas is among how many pods it is divided; 0 is one.
	Replicas int64
}
