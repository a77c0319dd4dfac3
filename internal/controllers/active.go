package controllers

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// compareActive compares pods by the order in which the controller of a Job deletes them: those without a node, those
// that do not run, those that are not ready, those that became ready last, those that were restarted most, and the
// newest first. Of equal ones, the last by name is the first.
//
// Source: ActivePods of k8s.io/kubernetes/pkg/controller, which leaves the order of equal ones open.
func compareActive(a, b Pod) int {
	phases := map[corev1.PodPhase]int{corev1.PodUnknown: 1, corev1.PodRunning: 2}
	aSince, bSince := readySince(a), readySince(b)
	aRestarts, aOfSidecars := restartsOf(a.Object)
	bRestarts, bOfSidecars := restartsOf(b.Object)
	return cmp.Or(ordering.TrueFirst(a.Node == "", b.Node == ""),
		cmp.Compare(phases[a.Object.Status.Phase], phases[b.Object.Status.Phase]),
		ordering.TrueFirst(!a.IsReady, !b.IsReady), compareNewest(&aSince, &bSince),
		cmp.Compare(bRestarts, aRestarts), cmp.Compare(bOfSidecars, aOfSidecars),
		compareNewest(&a.Object.CreationTimestamp, &b.Object.CreationTimestamp),
		strings.Compare(b.Object.Name, a.Object.Name))
}

// compareNewest compares times, the last first, and before it those that are not known.
func compareNewest(a, b *metav1.Time) int {
	return cmp.Or(ordering.TrueFirst(a.IsZero(), b.IsZero()), b.Compare(a.Time))
}

// readySince returns since when a pod is ready, zero if it is not or that is not known.
func readySince(p Pod) metav1.Time {
	for _, c := range p.Object.Status.Conditions {
		if p.IsReady && c.Type == corev1.PodReady {
			return c.LastTransitionTime
		}
	}
	return metav1.Time{}
}

// restartsOf returns how often a container of a pod was restarted at most, and how often one of its sidecars.
func restartsOf(p *corev1.Pod) (apps, sidecars int32) {
	for _, c := range p.Status.ContainerStatuses {
		apps = max(apps, c.RestartCount)
	}
	all := podwalk.Of(&p.Spec)
	for _, status := range p.Status.InitContainerStatuses {
		for i := range p.Spec.InitContainers {
			if c := &p.Spec.InitContainers[i]; c.Name == status.Name && all.IsSidecar(c) {
				sidecars = max(sidecars, status.RestartCount)
			}
		}
	}
	return apps, sidecars
}
