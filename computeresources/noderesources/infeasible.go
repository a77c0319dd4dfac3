package noderesources

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/criticalpod"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
)

// refusal returns the message with which the node refuses a resize for good, and whether it does.
//
// Source: podResizesAdmitHandler of k8s.io/kubernetes/pkg/kubelet/allocation. Its order is kept.
func (o *KubeletOptions) refusal(p *pendingResize) (message string, refuses bool) {
	switch {
	case p.wasRefused():
		return p.condition.Message, true
	case o.LimitedSwap && p.changes(corev1.ResourceMemory, o.swaps):
		return "In-place resize of containers with swap is not supported.", true
	case o.StaticCPUs && p.isGuaranteed && p.changes(corev1.ResourceCPU, nil):
		if release.Rules(o.Kubernetes).NamesAllocationMode() {
			return "Resize is infeasible for Guaranteed Pods when CPU allocation mode is exclusive", true
		}
		return `Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"`, true
	case o.StaticMemory && p.isGuaranteed && p.changes(corev1.ResourceMemory, nil):
		if release.Rules(o.Kubernetes).NamesAllocationMode() {
			return "Resize is infeasible for Guaranteed Pods when memory allocation mode is exclusive", true
		}
		return `Resize is infeasible for Guaranteed Pods alongside Memory Manager policy "Static"`, true
	}
	return "", false
}

// wasRefused reports whether the node has found the resize infeasible before. It tries the pod again when
// its desired resources change, and with them its generation.
func (p *pendingResize) wasRefused() bool {
	c := p.condition
	return c != nil && c.Reason == corev1.PodReasonInfeasible &&
		(c.ObservedGeneration == 0 || c.ObservedGeneration == p.pod.Generation)
}

// changes reports whether the request of a container changes, of those for which also holds, or of all if that
// is nil.
func (p *pendingResize) changes(name corev1.ResourceName,
	also func(p *pendingResize, before, now *corev1.Container) bool) bool {
	old, desired := podwalk.Of(&p.before.Spec), podwalk.Of(&p.pod.Spec)
	for i := range old.Len() {
		_, before := old.At(i)
		_, now := desired.At(i)
		a, b := before.Resources.Requests[name], now.Resources.Requests[name]
		if a.Cmp(b) != 0 && (also == nil || also(p, before, now)) {
			return true
		}
	}
	return false
}

// swaps reports whether a container may use swap, before or after a resize of its memory that does not
// restart it.
func (o *KubeletOptions) swaps(p *pendingResize, before, now *corev1.Container) bool {
	restart := corev1.ContainerResizePolicy{ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.RestartContainer}
	isOfMemory := func(policy corev1.ContainerResizePolicy) bool { return policy.ResourceName == restart.ResourceName }
	if i := slices.IndexFunc(now.ResizePolicy, isOfMemory); i >= 0 && now.ResizePolicy[i] == restart {
		return false
	}
	return o.maySwap(p.before, before) || o.maySwap(p.pod, now)
}

// maySwap reports whether a container may use swap with LimitedSwap.
//
// Source: GetContainerSwapBehavior of k8s.io/kubernetes/pkg/kubelet/kuberuntime.
func (o *KubeletOptions) maySwap(pod *corev1.Pod, c *corev1.Container) bool {
	request, limit := c.Resources.Requests[corev1.ResourceMemory], c.Resources.Limits[corev1.ResourceMemory]
	return request.Cmp(limit) != 0 && eviction.Class(pod, release.Rules(o.Kubernetes)) == corev1.PodQOSBurstable &&
		!criticalpod.Is(pod)
}
