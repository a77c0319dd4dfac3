package quotaplan

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/sequential"
	"github.com/kubemath/kubemath/quota"
)

// SequentialUsage is what a pod costs whose steps run one after the other.
type SequentialUsage struct {
	// Charged is what quotas charge, as if all containers ran at once.
	Charged corev1.ResourceList
	// Peak is what the pod would cost if quotas knew better: what a quota would have to
	// allow for the most that it ever uses, and the sum of its limits at any one time.
	Peak corev1.ResourceList
}

// Sequential returns what a pod costs some of whose app containers, the steps, run one
// after the other although the API knows nothing of it, as those of a Tekton TaskRun do.
// The peak has, of each resource, the greatest request and the greatest limit of any step,
// beside everything else of the pod: the other app containers, sidecars, init containers,
// overhead. A pod that states resources as a whole is charged for those, and its peak is
// the same. Names that no app container has are no steps. The status of the pod does not
// count. A nil pod costs nothing.
//
// Source: Tekton's "Compute Resources", ResourceQuota Support.
func Sequential(pod *corev1.Pod, steps []string, opts quota.PodOptions) SequentialUsage {
	if pod == nil {
		return SequentialUsage{Charged: corev1.ResourceList{}, Peak: corev1.ResourceList{}}
	}
	fresh := corev1.Pod{Spec: pod.Spec}
	peak := fresh
	isStep := func(_ int, c *corev1.Container) bool { return slices.Contains(steps, c.Name) }
	peak.Spec.Containers = sequential.OneAtATime(pod.Spec.Containers, isStep)
	return SequentialUsage{
		Charged: quota.Pod(&fresh, time.Time{}, opts).Usage(),
		Peak:    quota.Pod(&peak, time.Time{}, opts).Usage(),
	}
}
