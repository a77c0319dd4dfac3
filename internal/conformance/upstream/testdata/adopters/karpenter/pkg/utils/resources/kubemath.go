package resources

import (
	v1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Karpenter sums like the scheduler of Kubernetes 1.36.
var sums = computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}

func Merge(lists ...v1.ResourceList) v1.ResourceList { return resourcelist.Sum(lists...) }

func MergeInto(dest, src v1.ResourceList) v1.ResourceList {
	return resourcelist.AddInto(dest, dest, src)
}

func Subtract(lhs, rhs v1.ResourceList) v1.ResourceList {
	return resourcelist.SubtractKeepNames(lhs, rhs)
}

func SubtractFrom(dest, src v1.ResourceList) { resourcelist.SubtractInto(dest, dest, src) }

func Ceiling(pod *v1.Pod) v1.ResourceRequirements {
	return v1.ResourceRequirements{
		Requests: computeresources.PodRequests(pod, sums),
		Limits:   computeresources.SpecLimits(&pod.Spec, computeresources.Options{}),
	}
}

func RequestsForSpec(spec *v1.PodSpec) v1.ResourceList {
	return computeresources.SpecRequests(spec, computeresources.Options{})
}

func MaxResources(lists ...v1.ResourceList) v1.ResourceList { return resourcelist.Max(lists...) }

func MinResources(lists ...v1.ResourceList) v1.ResourceList { return resourcelist.Min(lists...) }

func Fits(candidate, total v1.ResourceList) bool {
	return len(resourcelist.IsNegative(total)) == 0 && resourcelist.Fits(candidate, total)
}
