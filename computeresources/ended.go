package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// HasEnded reports whether a pod has succeeded or failed, according to the phase in its status: all its
// containers have terminated, and none will be restarted. Such a pod no longer uses its node.
// A pod without a phase, and a nil pod, have not ended.
//
// Functions that look at all pods of a node, such as qos.TierTotals, skip pods that have ended. Functions
// that sum up one pod, such as PodRequests and noderesources.PodRequest, do not look at the phase: a
// caller who adds up pods has to skip those that have ended. Quotas charge them for one object only, and in
// addition know pods whose deletion is overdue: see quota.Object.Usage.
//
// Source: IsPodPhaseTerminal of k8s.io/kubernetes/pkg/api/v1/pod.
func HasEnded(pod *corev1.Pod) bool { return pod != nil && podwalk.HasEnded(pod) }
