package qos

import (
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
)

func ComputePodQOS(pod *corev1.Pod) corev1.PodQOSClass {
	in := beside.Keep("v1 ComputePodQOS", pod)
	theirs := upstreamComputePodQOS(pod.DeepCopy())
	ours := qos.Class(&gated(pod).Spec, computeresources.Kubernetes{})
	in.Unchanged()
	beside.Compare("v1 ComputePodQOS", ours, theirs)
	return ours
}

func GetPodQOS(pod *corev1.Pod) corev1.PodQOSClass {
	in := beside.Keep("v1 GetPodQOS", pod)
	theirs := upstreamGetPodQOS(pod.DeepCopy())
	ours := qos.PodClass(gated(pod), computeresources.Kubernetes{})
	in.Unchanged()
	beside.Compare("v1 GetPodQOS", ours, theirs)
	return ours
}

// gated returns the pod as a cluster sees it whose gate may be off.
func gated(pod *corev1.Pod) *corev1.Pod {
	if pod.Spec.Resources == nil || utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) {
		return pod
	}
	pod = pod.DeepCopy()
	pod.Spec.Resources = nil
	return pod
}
