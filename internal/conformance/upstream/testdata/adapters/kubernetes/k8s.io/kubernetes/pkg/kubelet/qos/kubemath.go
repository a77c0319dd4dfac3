package qos

import (
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
)

func GetContainerOOMScoreAdjust(pod *corev1.Pod, container *corev1.Container, memoryCapacity int64) int {
	in := beside.Keep("GetContainerOOMScoreAdjust", pod, container)
	theirs := upstreamGetContainerOOMScoreAdjust(pod.DeepCopy(), container.DeepCopy(), memoryCapacity)
	seen := pod
	if !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) {
		seen = pod.DeepCopy()
		seen.Spec.Resources = nil
	}
	ours := qos.OOMScoreAdj(seen, container, memoryCapacity, computeresources.Kubernetes{})
	in.Unchanged()
	beside.Compare("GetContainerOOMScoreAdjust", ours, theirs)
	return ours
}
