package framework

import (
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"kubemath.example/upstream/beside"
)

// CalculateResource is what a NodeInfo adds and subtracts of a pod.
func (pi *PodInfo) CalculateResource() fwk.PodResource {
	if pi.cachedResource != nil {
		return *pi.cachedResource
	}
	theirs := (&PodInfo{Pod: pi.Pod.DeepCopy()}).upstreamCalculateResource()
	if utilfeature.DefaultFeatureGate.Enabled(features.DRANodeAllocatableResources) {
		beside.Forward("CalculateResource", "claims of the status, which kubemath is given")
		pi.cachedResource = &theirs
		return theirs
	}
	in := beside.Keep("CalculateResource", pi.Pod)
	opts := computeresources.Options{IgnorePodLevel: !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources)}
	if !utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodLevelResourcesVerticalScaling) {
		opts.PodLevelStatus = computeresources.GateOff
	}
	request := noderesources.RequestOf(pi.Pod, opts)
	if !utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodVerticalScaling) {
		request = noderesources.RequestOfSpec(&pi.Pod.Spec, opts)
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
	for name, amount := range theirs.Resource.GetScalarResources() {
		if amount == 0 { // which kubemath leaves out
			ours.Resource.(*Resource).AddScalar(name, 0)
		}
	}
	in.Unchanged()
	beside.Compare("CalculateResource", ours, theirs)
	pi.cachedResource = &ours
	return ours
}
