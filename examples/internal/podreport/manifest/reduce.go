package manifest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// Only the fields that count are kept, because objects of a cluster have many others.

func (w *Workload) reduce() {
	w.Typed.SetManagedFields(nil)
	w.Typed.SetLabels(nil)
	w.Typed.SetAnnotations(nil)
	w.Typed.SetFinalizers(nil)
	w.Typed.SetOwnerReferences(nil)
	reducePod(&w.Pod.ObjectMeta, &w.Pod.Spec)
	if w.template != nil {
		reducePod(&w.template.ObjectMeta, &w.template.Spec)
	}
	// Of the status of a pod, its phase and the resources of its containers.
	s := &w.Pod.Status
	conditions := slices.DeleteFunc(s.Conditions, func(c corev1.PodCondition) bool {
		return c.Type != corev1.PodResizePending && c.Type != corev1.PodResizeInProgress
	})
	if len(conditions) == 0 {
		conditions = nil
	}
	*s = corev1.PodStatus{
		Phase: s.Phase, QOSClass: s.QOSClass, Resize: s.Resize, Conditions: conditions,
		Resources: s.Resources, AllocatedResources: s.AllocatedResources,
		ContainerStatuses:     reduceStatuses(s.ContainerStatuses),
		InitContainerStatuses: reduceStatuses(s.InitContainerStatuses),
		ResourceClaimStatuses: s.ResourceClaimStatuses, ExtendedResourceClaimStatus: s.ExtendedResourceClaimStatus,
	}
}

func reducePod(meta *metav1.ObjectMeta, spec *corev1.PodSpec) {
	meta.ManagedFields, meta.Labels, meta.Annotations, meta.Finalizers, meta.OwnerReferences = nil, nil, nil, nil, nil
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i, c := range containers {
			containers[i] = corev1.Container{
				Name: c.Name, Resources: c.Resources, ResizePolicy: c.ResizePolicy, RestartPolicy: c.RestartPolicy,
			}
		}
	}
	// The node affinity is another one for each pod of a DaemonSet, and only that to pods decides a scope of quotas.
	if a := spec.Affinity; a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil) {
		spec.Affinity = &corev1.Affinity{PodAffinity: a.PodAffinity, PodAntiAffinity: a.PodAntiAffinity}
	} else {
		spec.Affinity = nil
	}
	*spec = corev1.PodSpec{
		InitContainers: spec.InitContainers, Containers: spec.Containers, Resources: spec.Resources, Overhead: spec.Overhead,
		RestartPolicy: spec.RestartPolicy, ActiveDeadlineSeconds: spec.ActiveDeadlineSeconds,
		NodeName: spec.NodeName, NodeSelector: spec.NodeSelector, Affinity: spec.Affinity,
		PriorityClassName: spec.PriorityClassName, Priority: spec.Priority, RuntimeClassName: spec.RuntimeClassName,
		ResourceClaims: spec.ResourceClaims, HostNetwork: spec.HostNetwork, OS: spec.OS,
		SchedulingGates: spec.SchedulingGates,
	}
}

// reduceStatuses returns the resources in the statuses of containers, or nil if there are none.
func reduceStatuses(statuses []corev1.ContainerStatus) []corev1.ContainerStatus {
	some := false
	for i, s := range statuses {
		statuses[i] = corev1.ContainerStatus{Name: s.Name, AllocatedResources: s.AllocatedResources, Resources: s.Resources}
		some = some || s.AllocatedResources != nil || s.Resources != nil
	}
	if !some {
		return nil
	}
	return statuses
}

// Lists keeps one copy of equal lists of amounts: thousands of workloads have few different ones, and a list takes more
// memory than most other data of a workload. The zero value has none. Callers must not modify the lists
// that it returns.
type Lists struct {
	known map[string]corev1.ResourceList
}

// Of returns a list that is equal to the given one, with amounts in the same format.
func (l *Lists) Of(list corev1.ResourceList) corev1.ResourceList {
	if len(list) == 0 {
		return list
	}
	key := ""
	for _, name := range resourcelist.ResourceNames(list) {
		key += fmt.Sprintln(name, quantity.Canonical(list[name]), list[name].Format)
	}
	if same, known := l.known[key]; known {
		return same
	}
	if l.known == nil {
		l.known = map[string]corev1.ResourceList{}
	}
	l.known[key] = list
	return list
}

// Pod has the containers of a pod share their lists with those of others.
func (l *Lists) Pod(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			r.Requests, r.Limits = l.Of(r.Requests), l.Of(r.Limits)
		}
	}
}
