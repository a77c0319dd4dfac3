package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
)

// counted returns spec without what does not count.
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
//   - Guaranteed: every container, init containers included, has a limit for both,
//     and for each the requests of all containers add up to the limits.
//   - Burstable: anything else.
//
// If spec.resources is set, even if it is empty, only pod-level resources count. Requests that
// follow from limits have to be set before: call computeresources.ApplyRequestDefaults on a
// manifest. A nil spec is BestEffort.
//
// Cost: at most four lookups per container, fewer if the class shows early; no allocation. Only
// where some containers request less than their limit, and others more, which no cluster admits,
// are sums needed, in arbitrary precision.
//
// Of the gates, PodLevelResources counts.
//
// Source: ComputePodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func Class(spec *corev1.PodSpec, kubernetes computeresources.Kubernetes) corev1.PodQOSClass {
	return podwalk.Class(counted(spec, kubernetes))
}

// PodClass returns the class of a pod: the one in its status, which the API server sets at creation
// and which never changes, or the Class of its spec if the status has none. A nil pod is
// BestEffort. Of the gates, PodLevelResources counts.
//
// Source: GetPodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func PodClass(pod *corev1.Pod, kubernetes computeresources.Kubernetes) corev1.PodQOSClass {
	if pod == nil {
		return corev1.PodQOSBestEffort
	}
	return eviction.Class(pod, release.Rules(kubernetes))
}
