package cpumanager

import (
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	resourcehelper "k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// podLevel reports whether the answer depends on pod-level resources: kubemath's is that without the
// gate PodLevelResourceManagers, for which the kubelet asks in another place.
func podLevel(function string, pod *corev1.Pod) bool {
	if !resourcehelper.IsPodLevelResourcesSet(pod) {
		return false
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResourceManagers) {
		beside.Forward(function, "pod-level resources, with the gate PodLevelResourceManagers")
	} else {
		beside.Forward(function, "pod-level resources, which the kubelet leaves out later")
	}
	return true
}

func (p *staticPolicy) guaranteedCPUs(logger logr.Logger, pod *corev1.Pod, container *corev1.Container) int {
	theirs := p.upstreamGuaranteedCPUs(logger, pod.DeepCopy(), container.DeepCopy())
	if podLevel("guaranteedCPUs", pod) {
		return theirs
	}
	in := beside.Keep("guaranteedCPUs", pod, container)
	ours := int(qos.ExclusiveCPUs(pod, container, cluster.Kubernetes()))
	in.Unchanged()
	beside.Compare("guaranteedCPUs", ours, theirs)
	return ours
}
