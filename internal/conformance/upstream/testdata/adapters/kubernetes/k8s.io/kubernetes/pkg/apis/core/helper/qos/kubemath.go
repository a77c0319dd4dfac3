package qos

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	v1 "k8s.io/kubernetes/pkg/apis/core/v1"

	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func ComputePodQOS(pod *core.Pod) core.PodQOSClass {
	in := beside.Keep("core ComputePodQOS", pod)
	theirs := upstreamComputePodQOS(pod.DeepCopy())
	ours := core.PodQOSClass(qos.Class(&external(pod).Spec, cluster.Kubernetes()))
	in.Unchanged()
	beside.Compare("core ComputePodQOS", ours, theirs)
	return ours
}

func GetPodQOS(pod *core.Pod) core.PodQOSClass {
	in := beside.Keep("core GetPodQOS", pod)
	theirs := upstreamGetPodQOS(pod.DeepCopy())
	ours := core.PodQOSClass(qos.PodClass(external(pod), cluster.Kubernetes()))
	in.Unchanged()
	beside.Compare("core GetPodQOS", ours, theirs)
	return ours
}

// external returns the pod in the version of the API.
func external(pod *core.Pod) *corev1.Pod {
	out := &corev1.Pod{}
	if err := v1.Convert_core_Pod_To_v1_Pod(pod.DeepCopy(), out, nil); err != nil {
		panic(err)
	}
	return out
}
