package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func ComputePodQOS(pod *corev1.Pod) corev1.PodQOSClass {
	in := beside.Keep("v1 ComputePodQOS", pod)
	theirs := upstreamComputePodQOS(pod.DeepCopy())
	ours := qos.Class(&pod.Spec, cluster.Kubernetes())
	in.Unchanged()
	beside.Compare("v1 ComputePodQOS", ours, theirs)
	return ours
}

func GetPodQOS(pod *corev1.Pod) corev1.PodQOSClass {
	in := beside.Keep("v1 GetPodQOS", pod)
	theirs := upstreamGetPodQOS(pod.DeepCopy())
	ours := qos.PodClass(pod, cluster.Kubernetes())
	in.Unchanged()
	beside.Compare("v1 GetPodQOS", ours, theirs)
	return ours
}
