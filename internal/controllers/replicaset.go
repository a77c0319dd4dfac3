package controllers

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// ReplicaSet returns how many pods a ReplicaSet or ReplicationController of so many replicas creates, or which it
// deletes, in this order. Related are those of all ReplicaSets with its controller; there are none if it has no
// controller. Source: manageReplicas and getPodsToDelete.
func ReplicaSet(replicas int, pods, related []Pod, now time.Time) (create int, deleted []Pod) {
	active := slices.DeleteFunc(slices.Clone(pods), func(p Pod) bool { return !IsActive(p.Object) })
	extra := len(active) - replicas
	if extra <= 0 {
		return min(-extra, burst), nil
	}
	sortForDeletion(active, related, now)
	return 0, active[:min(extra, burst)]
}

// IsActive reports whether a pod has not ended, and is not being deleted. Source: IsPodActive.
func IsActive(p *corev1.Pod) bool { return !podwalk.HasEnded(p) && p.DeletionTimestamp == nil }

// Claims reports whether a controller with a selector has a pod from now on. It adopts an active pod without a
// controller that it selects, and releases one of its own that it does not select. Source: ClaimObject.
func Claims(selector labels.Selector, p *corev1.Pod, isOwn bool) bool {
	mayAdopt := metav1.GetControllerOfNoCopy(p) == nil && IsActive(p)
	return (isOwn || mayAdopt) && selector.Matches(labels.Set(p.Labels))
}
