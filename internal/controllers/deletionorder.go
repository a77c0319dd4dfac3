package controllers

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// sortForDeletion sorts pods in the order in which the controller of a ReplicaSet deletes them: that of
// compareForDeletion, with their costs, and with related pods on their node. Source: ActivePodsWithRanks.
func sortForDeletion(pods, related []Pod, now time.Time) {
	onNode := map[string]int{}
	for _, p := range related {
		if IsActive(p.Object) {
			onNode[p.Node]++
		}
	}
	slices.SortFunc(pods, func(a, b Pod) int {
		return compareForDeletion(a, b, now, func() int {
			return cmp.Or(cmp.Compare(deletionCost(a.Object), deletionCost(b.Object)),
				cmp.Compare(onNode[b.Node], onNode[a.Node]))
		})
	})
}

// compareActive compares pods by the order in which the controller of a Job deletes them. Source: ActivePods.
func compareActive(a, b Pod) int {
	return compareForDeletion(a, b, time.Time{}, func() int { return 0 })
}

// compareForDeletion compares pods: first those without a node, of an earlier phase or that are not ready, then what
// ranks compares, then the last that became ready, those with more restarts, and the newest. Times of the same
// magnitude before now count as equal, and the UID decides then; if now is not known, times are compared. Of pods that
// Kubernetes leaves in any order, the last by name is the first.
func compareForDeletion(a, b Pod, now time.Time, ranks func() int) int {
	aReady, bReady := becameReady(a), becameReady(b)
	if first := cmp.Or(
		ordering.TrueFirst(!a.hasPlace(), !b.hasPlace()),
		cmp.Compare(phaseOf(a), phaseOf(b)),
		ordering.TrueFirst(aReady == nil, bReady == nil),
		ranks(),
	); first != 0 {
		return first
	}
	aRestarts, aSidecars := mostRestarts(a.Object)
	bRestarts, bSidecars := mostRestarts(b.Object)
	return cmp.Or(
		compareTimes(aReady, bReady, a, b, now),
		cmp.Compare(bRestarts, aRestarts), cmp.Compare(bSidecars, aSidecars),
		compareTimes(&a.Object.CreationTimestamp, &b.Object.CreationTimestamp, a, b, now),
		strings.Compare(b.Object.Name, a.Object.Name),
	)
}

// hasPlace reports whether a pod has a node, or would have one if any were known.
func (p Pod) hasPlace() bool { return p.Node != "" || p.IsReady }

// phaseOf returns the place of the phase of a pod in the order of deletion. Without a status, a pod with a node runs.
func phaseOf(p Pod) int {
	switch p.Object.Status.Phase {
	case corev1.PodUnknown:
		return 1
	case corev1.PodRunning:
		return 2
	case "":
		if p.hasPlace() {
			return 2
		}
	}
	return 0
}

// becameReady returns since when a pod is ready, nil if it is not. The time is zero if its status does not say it.
func becameReady(p Pod) *metav1.Time {
	for i := range p.Object.Status.Conditions {
		if c := &p.Object.Status.Conditions[i]; c.Type == corev1.PodReady {
			if c.Status != corev1.ConditionTrue {
				return nil
			}
			return &c.LastTransitionTime
		}
	}
	if p.IsReady {
		return &metav1.Time{}
	}
	return nil
}

// deletionCost returns the cost of a pod, which is 0 if it is not valid.
//
// Source: GetDeletionCostFromPodAnnotations of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func deletionCost(p *corev1.Pod) int64 {
	text := p.Annotations[corev1.PodDeletionCost]
	cost, err := strconv.ParseInt(text, 10, 32)
	if err != nil || text[0] == '+' || text[0] == '0' && text != "0" {
		return 0
	}
	return cost
}

// mostRestarts returns how often the container has restarted that did so most often, and of the sidecars.
func mostRestarts(p *corev1.Pod) (containers, sidecars int32) {
	for _, c := range p.Status.ContainerStatuses {
		containers = max(containers, c.RestartCount)
	}
	all := podwalk.Of(&p.Spec)
	for _, status := range p.Status.InitContainerStatuses {
		for i := range p.Spec.InitContainers {
			if c := &p.Spec.InitContainers[i]; c.Name == status.Name && all.IsSidecar(c) {
				sidecars = max(sidecars, status.RestartCount)
			}
		}
	}
	return containers, sidecars
}

// compareTimes orders times, of two pods, the last first; one that is not known is the last.
func compareTimes(s, t *metav1.Time, a, b Pod, now time.Time) int {
	switch {
	case s.Equal(t): // both are nil if one is
		return 0
	case s.IsZero() || t.IsZero():
		return ordering.TrueFirst(s.IsZero(), t.IsZero())
	case now.IsZero():
		return t.Compare(s.Time)
	}
	return cmp.Or(
		cmp.Compare(magnitude(now.Sub(s.Time)), magnitude(now.Sub(t.Time))),
		cmp.Compare(a.Object.UID, b.Object.UID),
	)
}

// magnitude returns the logarithm of an age, rounded down, and -1 if there is none. Source: logarithmicRankDiff.
func magnitude(age time.Duration) int {
	if age <= 0 {
		return -1
	}
	return int(math.Log2(float64(age)))
}
