package qos

import (
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/apis/core"
	v1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
)

func ComputePodQOS(pod *core.Pod) core.PodQOSClass {
	in := beside.Keep("core ComputePodQOS", pod)
	theirs := upstreamComputePodQOS(pod.DeepCopy())
	ours := core.PodQOSClass(qos.Class(&external(pod).Spec, computeresources.Kubernetes{}))
	in.Unchanged()
	beside.Compare("core ComputePodQOS", ours, theirs)
	return ours
}

func GetPodQOS(pod *core.Pod) core.PodQOSClass {
	in := beside.Keep("core GetPodQOS", pod)
	theirs := upstreamGetPodQOS(pod.DeepCopy())
	ours := core.PodQOSClass(qos.PodClass(external(pod), computeresources.Kubernetes{}))
	in.Unchanged()
	beside.Compare("core GetPodQOS", ours, theirs)
	return ours
}

// external returns the pod in the version of the API, as a cluster sees it whose gate may be off.
func external(pod *core.Pod) *corev1.Pod {
	out := &corev1.Pod{}
	if err := v1.Convert_core_Pod_To_v1_Pod(pod.DeepCopy(), out, nil); err != nil {
		panic(err)
	}
	if !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) {
		out.Spec.Resources = nil
	}
	return out
}
