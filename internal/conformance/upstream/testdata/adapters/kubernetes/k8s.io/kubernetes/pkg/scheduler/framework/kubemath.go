package framework

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// CalculateResource is what a NodeInfo adds and subtracts of a pod.
func (pi *PodInfo) CalculateResource() fwk.PodResource {
	if pi.cachedResource != nil {
		return *pi.cachedResource
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.DRANodeAllocatableResources) {
		beside.Forward("CalculateResource", "claims of the status, which kubemath is given")
		return pi.upstreamCalculateResource()
	}
	theirs := (&PodInfo{Pod: pi.Pod.DeepCopy()}).upstreamCalculateResource()
	in := beside.Keep("CalculateResource", pi.Pod)
	opts := computeresources.Options{Kubernetes: cluster.Kubernetes()}
	request := noderesources.PodRequest(pi.Pod, opts)
	if !utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodVerticalScaling) {
		request = noderesources.SpecRequest(&pi.Pod.Spec, opts)
	}
	ours := fwk.PodResource{Resource: &Resource{}, Non0CPU: request.NonZero(corev1.ResourceCPU), Non0Mem: request.NonZero(corev1.ResourceMemory)}
	for name, q := range request.Amounts(computeresources.Requests) {
		switch amount := resourcelist.Integer(name, q); name {
		case corev1.ResourceCPU:
			ours.Resource.(*Resource).MilliCPU = amount
		case corev1.ResourceMemory:
			ours.Resource.(*Resource).Memory = amount
		case corev1.ResourceEphemeralStorage:
			ours.Resource.(*Resource).EphemeralStorage = amount
		case corev1.ResourcePods:
		default:
			ours.Resource.(*Resource).AddScalar(name, amount)
		}
	}
	in.Unchanged()
	beside.Compare("CalculateResource", ours, withoutZeros(theirs))
	pi.cachedResource = &ours
	return ours
}

// withoutZeros removes the amounts of zero, which kubemath leaves out.
func withoutZeros(r fwk.PodResource) fwk.PodResource {
	maps.DeleteFunc(r.Resource.GetScalarResources(), func(_ corev1.ResourceName, amount int64) bool { return amount == 0 })
	return r
}
