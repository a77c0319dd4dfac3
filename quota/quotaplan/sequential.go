package quotaplan

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/sequential"
	"github.com/kubemath/kubemath/quota"
)

// SequentialUsage is the usage of a pod whose steps run one after the other.
type SequentialUsage struct {
	// Counted is the usage that quotas count, as if all containers ran at the same time.
	Counted corev1.ResourceList
	// Peak is the largest usage at any time: what a quota would have to allow if it counted only
	// what runs at the same time.
	Peak corev1.ResourceList
}

// Sequential returns the usage of a pod in which some app containers, the steps, run one after the
// other although the API does not know it, like those of a Tekton TaskRun (steps.TektonStep). For
// each resource, the peak has the largest request and the largest limit of any step, in addition to
// the rest of the pod: other app containers, sidecars, init containers, overhead. For a resource
// with a pod-level amount, quotas count that amount, and the peak is the same. Only app containers
// can be steps: isStep is not called for others. Without isStep, no container is a step. The status
// of the pod does not count. The usage of a nil pod is zero.
//
// Source: Tekton's "Compute Resources", ResourceQuota Support.
func Sequential(pod *corev1.Pod, isStep steps.Predicate, opts quota.PodOptions) SequentialUsage {
	if pod == nil {
		return SequentialUsage{Counted: corev1.ResourceList{}, Peak: corev1.ResourceList{}}
	}
	fresh := corev1.Pod{Spec: pod.Spec}
	peak := fresh
	peak.Spec.Containers = sequential.OneAtATime(pod.Spec.Containers, func(i int, c *corev1.Container) bool {
		return isStep != nil && isStep(computeresources.Ref{Kind: computeresources.App, Index: i, Name: c.Name}, c)
	})
	return SequentialUsage{
		Counted: quota.Pod(&fresh, time.Time{}, opts).Usage(),
		Peak:    quota.Pod(&peak, time.Time{}, opts).Usage(),
	}
}
