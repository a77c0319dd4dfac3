package peak

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/placeholder"
	"github.com/kubemath/kubemath/internal/quantity"
)

// A placeholder that is sized to its run reserves the resources of the tasks' pods. If it kept
// them while the pods run, they would be reserved twice. So it releases what the pods request
// when they start, by an in-place resize (KEP-1287), and takes it back when they have ended.

// resizable are the resources that can be resized in place.
func resizable() []corev1.ResourceName {
	return []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}
}

// Shrink returns the changes of an in-place resize that reduce a placeholder as the pods of its
// tasks arrive: the cpu and memory requests of its container become size minus the requests of the
// pods, but at least least. Size are the requests in its StatefulSet, and least the requests that
// it would have without ApplySizes. Pods are the requests of each pod that is on the node or has to
// run there. If pods have left, the placeholder grows again, which the kubelet may defer if other
// pods use the room. For example, a placeholder with a size of 4 CPUs requests 1500m while pods of
// 2 CPUs and 500m run.
//
// The API server rejects a resize that changes the QoS class, such as one to zero, and a container
// has to be able to run with what remains. So a resource that least does not have keeps the default
// request of a placeholder, 50m of cpu and 100Mi of memory, or size if that is smaller.
//
// A limit that equals the request, or has none, is changed with it, so that the QoS class does not
// change.
// Resources that are not in size, and those that cannot be resized in place, are not changed. Write
// the changes through the resize subresource before the pod of the task is scheduled. The result is
// empty for a nil spec, for a spec without the container of a placeholder, after the changes are
// applied, and if the API server would reject them for any reason (computeresources.ValidateResize),
// for example because the size is not that of this placeholder, and above its limit.
//
// As long as the pods request at most size at the same time, placeholder and pods together request
// at most Demand.With.
func Shrink(
	placeholder *corev1.PodSpec, size, least corev1.ResourceList, pods []corev1.ResourceList,
) (changes []computeresources.Change) {
	if placeholder == nil {
		return nil
	}
	at := slices.IndexFunc(placeholder.Containers, func(c corev1.Container) bool { return c.Name == componentName })
	if at < 0 {
		return nil
	}
	ref := computeresources.Ref{Kind: computeresources.App, Index: at, Name: componentName}
	set := placeholder.Containers[at].Resources
	for _, name := range resizable() {
		if whole := size[name]; whole.Sign() <= 0 {
			continue
		}
		to := shrunk(name, size, least, pods)
		request, requested := set.Requests[name]
		limit, limited := set.Limits[name]
		if requested && request.Cmp(to) == 0 {
			continue
		}
		changes = append(changes, change(ref, computeresources.Requests, name, request, requested, to))
		if limited && (!requested || limit.Cmp(request) == 0) && limit.Cmp(to) != 0 {
			changes = append(changes, change(ref, computeresources.Limits, name, limit, limited, to))
		}
	}
	if len(changes) == 0 || !isAccepted(placeholder, changes) {
		return nil
	}
	return changes
}

// isAccepted reports whether the API server accepts a resize of a pod.
func isAccepted(spec *corev1.PodSpec, changes []computeresources.Change) bool {
	old := &corev1.Pod{Spec: *spec.DeepCopy()}
	updated := old.DeepCopy()
	if err := computeresources.ApplyChanges(&updated.Spec, changes); err != nil {
		return false
	}
	for _, pod := range []*corev1.Pod{old, updated} {
		computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Kubernetes{})
		computeresources.ApplyPodLevelDefaults(&pod.Spec, computeresources.Kubernetes{})
	}
	return len(computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{})) == 0
}

// shrunk returns the request of a placeholder for a resource while the pods run.
func shrunk(name corev1.ResourceName, size, least corev1.ResourceList, pods []corev1.ResourceList) resource.Quantity {
	to := size[name].DeepCopy()
	for _, requests := range pods {
		if q := requests[name]; q.Sign() > 0 {
			to = quantity.Minus(to, q)
		}
	}
	return greater(to, kept(name, size, least))
}

// kept returns what a placeholder always requests of a resource that is in its size. It is above zero.
func kept(name corev1.ResourceName, size, least corev1.ResourceList) resource.Quantity {
	q, whole := least[name], size[name]
	if q.Sign() <= 0 {
		q = placeholder.DefaultRequests()[name]
	}
	if whole.Cmp(q) < 0 {
		q = whole
	}
	return q
}

func change(
	ref computeresources.Ref, list computeresources.List, name corev1.ResourceName, from resource.Quantity,
	set bool, to resource.Quantity,
) computeresources.Change {
	c := computeresources.Change{Ref: ref, List: list, Resource: name}
	if set {
		q := from.DeepCopy()
		c.From = &q
	}
	q := to.DeepCopy()
	c.To = &q
	return c
}

// With returns the demand of a run together with a pod that runs from its beginning to its end, such as the
// placeholder, of this size. Of what Shrink can reduce, it keeps least; pass the size twice for a pod that
// keeps all. So for each resource, the result is the demand with what the pod keeps, or the size if that is
// larger. Requests of zero or less do not count. The result shares no memory with d.
func (d Demand) With(size, least corev1.ResourceList) Demand {
	beside := resourcelist.Add(size, nil)
	for _, name := range resizable() {
		if whole := size[name]; whole.Sign() > 0 {
			beside[name] = kept(name, size, least)
		}
	}
	peaks := map[corev1.ResourceName]Peak{}
	for _, p := range d.Peaks {
		peaks[p.Resource] = p.owned()
	}
	for name, q := range onePod(beside) {
		p := peaks[name]
		p.Resource = name
		quantity.Add(&p.Amount, q)
		quantity.Add(&p.Largest, q)
		peaks[name] = p
	}
	for _, name := range resizable() {
		if q := size[name]; q.Sign() > 0 {
			p := peaks[name]
			p.Amount, p.Largest = greater(p.Amount, q), greater(p.Largest, q)
			peaks[name] = p
		}
	}
	byResource := func(a, b Peak) int { return cmp.Compare(a.Resource, b.Resource) }
	return Demand{Peaks: slices.SortedFunc(maps.Values(peaks), byResource)}
}

// greater returns the greater of two amounts, as the caller's.
func greater(a, b resource.Quantity) resource.Quantity {
	if a.Cmp(b) < 0 {
		a = b
	}
	return a.DeepCopy()
}

// onePod returns a copy of the requests of a pod that are above zero, and counts the pod itself
// as one.
func onePod(requests corev1.ResourceList) corev1.ResourceList {
	list := corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(1, resource.DecimalSI)}
	for name, q := range requests {
		if q.Sign() > 0 && name != corev1.ResourcePods {
			list[name] = q.DeepCopy()
		}
	}
	return list
}
