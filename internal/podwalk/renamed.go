package podwalk

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Names are the names under which a pod sets its cpu and memory. An empty name is the resource's
// own.
type Names struct {
	CPU    corev1.ResourceName // one of it is a milli-CPU
	Memory corev1.ResourceName // one of it is a byte
}

// Pod returns the pod with what it sets under the names as cpu and memory, in its spec and in its
// status. What it sets as cpu or memory itself is omitted if there is a name for it, except in
// overhead that lacks the name. Lists that differ are copies. The result shares everything else
// with the pod, so it must not be modified. A nil pod stays nil.
func (n Names) Pod(pod *corev1.Pod) *corev1.Pod {
	if pod == nil {
		return nil
	}
	own := *pod
	own.Spec, own.Status = *n.Spec(&pod.Spec), *n.Status(&pod.Status)
	return &own
}

// Spec is Pod for a pod spec. Pod-level resources that are then empty are omitted.
func (n Names) Spec(spec *corev1.PodSpec) *corev1.PodSpec {
	if spec == nil {
		return nil
	}
	own := *spec
	for _, containers := range []*[]corev1.Container{&own.Containers, &own.InitContainers} {
		*containers = slices.Clone(*containers)
		for i := range *containers {
			r := &(*containers)[i].Resources
			*r = *n.Requirements(r)
		}
	}
	own.Overhead = n.overhead(spec.Overhead)
	own.Resources = n.Requirements(spec.Resources)
	if r := own.Resources; r != nil && len(r.Requests) == 0 && len(r.Limits) == 0 {
		own.Resources = nil
	}
	return &own
}

// Status is Pod for the status of a pod.
func (n Names) Status(status *corev1.PodStatus) *corev1.PodStatus {
	if status == nil {
		return nil
	}
	own := *status
	for _, statuses := range []*[]corev1.ContainerStatus{&own.ContainerStatuses, &own.InitContainerStatuses} {
		*statuses = slices.Clone(*statuses)
		for i := range *statuses {
			s := &(*statuses)[i]
			s.AllocatedResources, s.Resources = n.list(s.AllocatedResources), n.Requirements(s.Resources)
		}
	}
	own.AllocatedResources, own.Resources = n.list(own.AllocatedResources), n.Requirements(own.Resources)
	return &own
}

// Requirements is Pod for requests and limits.
func (n Names) Requirements(r *corev1.ResourceRequirements) *corev1.ResourceRequirements {
	if r == nil {
		return nil
	}
	own := *r
	own.Requests, own.Limits = n.list(r.Requests), n.list(r.Limits)
	return &own
}

// overhead returns a list like list does, but keeps cpu and memory where their names are missing:
// overhead is that of a RuntimeClass, which knows nothing of the names.
func (n Names) overhead(overhead corev1.ResourceList) corev1.ResourceList {
	own := n.list(overhead)
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if _, set := own[name]; set {
			continue
		}
		if q, set := overhead[name]; set {
			own[name] = q
		}
	}
	return own
}

// list returns a list with the amounts of the names under cpu and memory. A nil list stays nil,
// because an absent list in a status differs from a list without an amount.
func (n Names) list(list corev1.ResourceList) corev1.ResourceList {
	if list == nil {
		return nil
	}
	if n.CPU == corev1.ResourceCPU {
		n.CPU = ""
	}
	if n.Memory == corev1.ResourceMemory {
		n.Memory = ""
	}
	own := make(corev1.ResourceList, len(list))
	for name, q := range list {
		if name == n.CPU || name == n.Memory ||
			name == corev1.ResourceCPU && n.CPU != "" || name == corev1.ResourceMemory && n.Memory != "" {
			continue
		}
		own[name] = q
	}
	if q, set := list[n.CPU]; set && n.CPU != "" {
		own[corev1.ResourceCPU] = milliCPUs(q)
	}
	if q, set := list[n.Memory]; set && n.Memory != "" {
		own[corev1.ResourceMemory] = q
	}
	return own
}

// milliCPUs returns as many milli-CPUs as q has units, rounded up to whole ones.
func milliCPUs(q resource.Quantity) resource.Quantity {
	if n, exact := quantity.SmallWhole(&q); exact {
		return *resource.NewMilliQuantity(n, resource.DecimalSI)
	}
	whole := q.DeepCopy()
	if !whole.RoundUp(0) && q.Sign() < 0 { // RoundUp rounds away from zero
		quantity.Add(&whole, *resource.NewQuantity(1, resource.DecimalSI))
	}
	d := whole.AsDec()
	d.SetScale(d.Scale() + 3)
	return *resource.NewDecimalQuantity(*d, resource.DecimalSI)
}
