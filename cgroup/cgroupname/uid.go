package cgroupname

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// UIDOf returns the UID that the kubelet names the cgroups of a pod by: the UID of the pod, except
// for a mirror pod. A static pod is in the API server as its mirror pod, which has another UID. Its
// annotation kubernetes.io/config.hash is the UID of the static pod. The annotation counts only
// next to kubernetes.io/config.mirror, which only kubelets may set. The result is empty if the pod
// is nil or has no UID.
//
// Source: applyDefaults of k8s.io/kubernetes/pkg/kubelet/config, CreateMirrorPod of pkg/kubelet/pod,
// and GetPodContainerName of pkg/kubelet/cm.
func UIDOf(pod *corev1.Pod) types.UID {
	const configHash = "kubernetes.io/config.hash"
	if pod == nil {
		return ""
	}
	if _, isMirror := pod.Annotations[corev1.MirrorPodAnnotationKey]; isMirror {
		if hash := pod.Annotations[configHash]; hash != "" {
			return types.UID(hash)
		}
	}
	return pod.UID
}
