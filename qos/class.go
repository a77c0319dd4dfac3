package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
)

// counted returns spec without spec.resources if that does not count.
func counted(spec *corev1.PodSpec, kubernetes computeresources.Kubernetes) *corev1.PodSpec {
	if release.Rules(kubernetes).CountsPodLevel() {
		return spec
	}
	return podwalk.SpecWithoutPodLevel(spec)
}

// Class returns the QoS class that the API server sets for a pod with this spec. Only amounts of
// cpu and memory above zero count:
//
//   - BestEffort: no request or limit is set.
//   - Guaranteed: every container, init containers included, has a limit for both, and requests it.
//   - Burstable: anything else.
//
// If spec.resources sets a resource that can be set at pod level, even to zero, only pod-level resources count. Up to
// 1.36, they do even if spec.resources is empty. Amounts that the server sets by default have to be set before: call
// computeresources.ApplyRequestDefaults and ApplyPodLevelDefaults on a manifest. A nil spec is BestEffort.
//
// Up to 1.36, a pod is also Guaranteed if the requests of all containers add up to the limits, while single containers
// request more than their limit. Since 1.37, amounts below zero count. No cluster admits such pods.
//
// Cost: at most four lookups per container, fewer if the class shows early; no allocation. Only up to 1.36, where
// some containers request less than their limit, and others more, are sums needed, in arbitrary precision.
//
// Of the gates, PodLevelResources and PodLevelResourcesFixKubeletQOSClass count.
//
// Source: ComputePodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func Class(spec *corev1.PodSpec, kubernetes computeresources.Kubernetes) corev1.PodQOSClass {
	return podwalk.Class(spec, release.Rules(kubernetes))
}

// PodClass returns the class of a pod: the one in its status, which the API server sets at creation
// and which never changes, or the Class of its spec if the status has none. A nil pod is
// BestEffort. Of the gates, those of Class count.
//
// Source: GetPodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func PodClass(pod *corev1.Pod, kubernetes computeresources.Kubernetes) corev1.PodQOSClass {
	if pod == nil {
		return corev1.PodQOSBestEffort
	}
	return eviction.Class(pod, release.Rules(kubernetes))
}
