package controllers

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// Pod is a pod as its controller looks at it.
type Pod struct {
	Object     *corev1.Pod // its metadata and phase; the node may be missing in its spec
	Node       string      // empty while it waits
	IsReady    bool        // which makes it available, too
	IsOutdated bool        // it is of a former template
}

// burst is how many pods a controller creates or deletes in one sync, or in one batch.
const burst = 500

func (p *Pod) hasEnded() bool { return podwalk.HasEnded(p.Object) }

// isPending reports whether a pod waits for its node or its images. A pod that was not read has no phase.
func (p *Pod) isPending() bool {
	return !p.IsReady && (p.Object.Status.Phase == corev1.PodPending || p.Object.Status.Phase == "")
}

func (p *Pod) isTerminating() bool { return p.Object.DeletionTimestamp != nil }

// isUnavailable reports whether a pod is missing, not ready, or being deleted.
func isUnavailable(p *Pod) bool { return p == nil || !p.IsReady || p.isTerminating() }

// including returns a sorted list with a value or without it.
func including[T cmp.Ordered](list []T, value T, isIncluded bool) []T {
	i, found := slices.BinarySearch(list, value)
	switch {
	case isIncluded && !found:
		return slices.Insert(list, i, value)
	case !isIncluded && found:
		return slices.Delete(list, i, i+1)
	}
	return list
}
