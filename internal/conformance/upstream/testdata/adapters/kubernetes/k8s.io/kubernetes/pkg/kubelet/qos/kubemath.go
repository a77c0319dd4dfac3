package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func GetContainerOOMScoreAdjust(pod *corev1.Pod, container *corev1.Container, memoryCapacity int64) int {
	in := beside.Keep("GetContainerOOMScoreAdjust", pod, container)
	theirs := upstreamGetContainerOOMScoreAdjust(pod.DeepCopy(), container.DeepCopy(), memoryCapacity)
	if cluster.Claims(pod) {
		beside.Forward("GetContainerOOMScoreAdjust", "claims for resources of the node")
		return theirs
	}
	ours := qos.OOMScoreAdj(pod, container, memoryCapacity, cluster.Kubernetes())
	in.Unchanged()
	beside.Compare("GetContainerOOMScoreAdjust", ours, theirs)
	return ours
}
