package pod

import (
	apiv1 "k8s.io/api/core/v1"
	api "k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func DefaultPodLevelResources(pod *api.Pod) {
	theirs := upstreamDefaultedPodLevel(pod)
	spec := &apiv1.PodSpec{}
	if err := corev1.Convert_core_PodSpec_To_v1_PodSpec(pod.Spec.DeepCopy(), spec, nil); err != nil {
		panic(err)
	}
	computeresources.ApplyPodLevelDefaults(spec, cluster.Kubernetes())
	if spec.Resources != nil {
		whole := &api.ResourceRequirements{}
		if err := corev1.Convert_v1_ResourceRequirements_To_core_ResourceRequirements(spec.Resources, whole, nil); err != nil {
			panic(err)
		}
		pod.Spec.Resources = whole
	}
	beside.Compare("DefaultPodLevelResources", pod.Spec, theirs.Spec)
}

func upstreamDefaultedPodLevel(pod *api.Pod) *api.Pod {
	theirs := pod.DeepCopy()
	upstreamDefaultPodLevelResources(theirs)
	return theirs
}
