// Package kubelet adds up the requests of a node's pods by class as the kubelet does, which exports no
// function for it: the loop is that of its QoS container manager, and calls the same functions.
package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-helpers/resource"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/qos"
)

// TierTotals is qos.TierTotals, computed by upstream's functions.
func TierTotals(pods []*corev1.Pod) (t qos.Tiers) {
	reused := make(corev1.ResourceList, 4)
	skip := !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources)
	for _, pod := range pods {
		tier := &t.Burstable
		switch upstream.GetPodQOS(pod) {
		case corev1.PodQOSGuaranteed:
			tier = &t.Guaranteed
		case corev1.PodQOSBestEffort:
			tier = &t.BestEffort
		}
		requests := resource.PodRequests(pod, resource.PodResourcesOptions{Reuse: reused, SkipPodLevelResources: skip})
		tier.MilliCPU += requests.Cpu().MilliValue()
		if skip { // but not for sums of memory
			requests = resource.PodRequests(pod, resource.PodResourcesOptions{Reuse: reused})
		}
		tier.Memory += requests.Memory().Value()
		tier.EphemeralStorage += requests.StorageEphemeral().Value()
	}
	return t
}
