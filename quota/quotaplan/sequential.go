package quotaplan

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/sequential"
	"github.com/kubemath/kubemath/quota"
)

// SequentialUsage is what a pod uses whose steps run one after the other.
type SequentialUsage struct {
	// Counted is the usage that quotas count, as if all containers ran at once.
	Counted corev1.ResourceList
	// Peak is the usage if quotas knew better: what a quota would have to allow for the
	// most that the pod ever uses, and the sum of its limits at any one time.
	Peak corev1.ResourceList
}

// Sequential returns the usage of a pod some of whose app containers, the steps, run one
// after the other although the API knows nothing of it, as those of a Tekton TaskRun do
// (steps.TektonStep). The peak has, of each resource, the greatest request and the greatest
// limit of any step, beside everything else of the pod: the other app containers, sidecars,
// init containers, overhead. Of a resource with a pod-level amount, quotas count that, and
// the peak is the same. Only app containers can be steps: IsStep is not asked about others,
// and a nil one finds none. The status of the pod does not count. A nil pod uses nothing.
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
