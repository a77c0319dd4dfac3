package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// exactInto sets in dst the amounts of all resources that have one and are not in dst yet.
func (r *reading) exactInto(dst corev1.ResourceList) {
	a := amounts{reading: *r}
	a.readContainers()
	set := func(name corev1.ResourceName) {
		if _, done := dst[name]; done {
			return
		}
		if amount := a.of(name); amount.IsSet() {
			dst[name] = amount.Quantity()
		}
	}
	set(corev1.ResourceCPU)
	set(corev1.ResourceMemory)
	set(corev1.ResourceEphemeralStorage)
	a.eachOther(set)
}

// amounts are the requests, or the limits, of a pod: the maximum of the views of its containers,
// replaced by pod-level amounts, plus overhead.
type amounts struct {
	reading
	containers [views]podwalk.Lists
}

func (a *amounts) readContainers() {
	cs := podwalk.Of(a.spec)
	for i := range cs.Len() {
		kind, c := cs.At(cs.AppsFirst(i))
		lists := a.lists(kind, c)
		if a.maxima {
			a.containers[desired].Add(kind, maxOf(&lists))
			continue
		}
		for i, list := range lists {
			if a.views[i].byContainer {
				a.containers[i].Add(kind, list)
			}
		}
	}
}

// eachOther calls visit with every resource that may have an amount, once or more often. It may omit
// resources that of was called with before.
func (a *amounts) eachOther(visit func(corev1.ResourceName)) {
	each := func(list corev1.ResourceList) {
		for name := range list {
			visit(name)
		}
	}
	each(a.overhead)
	each(a.missing)
	for i := range a.views {
		each(a.podLevel[i])
		each(a.views[i].total)
		each(a.views[i].claimed)
		if !a.containers[i].IsAll() { // the containers set something else
			a.containers[i].Each(each)
		}
	}
}

// of returns the amount of one resource. It is called once for each that is set (see
// podwalk.Lists.IsAll).
func (a *amounts) of(name corev1.ResourceName) (amount podwalk.Exact) {
	for i := range a.views {
		amount = amount.Max(a.ofView(i, name))
	}
	if a.setPodLevel && resourcename.IsPodLevel(name) {
		if level := a.ofPodLevel(name); level.IsSet() {
			amount = level
		}
	}
	if len(a.overhead) > 0 && (a.list == podwalk.Requests || amount.Sign() != 0) {
		amount = amount.Plus(podwalk.ExactIn(a.overhead, name))
	}
	return amount
}

func (a *amounts) ofView(i int, name corev1.ResourceName) (amount podwalk.Exact) {
	view := &a.views[i]
	switch {
	case view.total != nil:
		return podwalk.ExactIn(view.total, name)
	case !view.byContainer:
		return amount
	}
	amount = a.containers[i].Effective(name, a.missing)
	if len(view.claimed) > 0 && (amount.IsSet() || a.list == podwalk.Requests || resourcename.IsHugePages(name)) {
		amount = amount.Plus(podwalk.ExactIn(view.claimed, name))
	}
	return amount
}

// ofPodLevel returns the maximum of the amounts that are set at pod level.
func (a *amounts) ofPodLevel(name corev1.ResourceName) (amount podwalk.Exact) {
	for _, list := range a.podLevel {
		amount = amount.Max(podwalk.ExactIn(list, name))
	}
	return amount
}

// complete reports whether every container sets more than zero of a resource, or the pod
// does at pod level.
func (a *amounts) complete(name corev1.ResourceName) bool {
	if a.setPodLevel && resourcename.IsPodLevel(name) && a.ofPodLevel(name).Sign() > 0 {
		return true
	}
	complete := false
	for i := range a.views {
		view := &a.views[i]
		switch {
		case view.total != nil:
			complete = podwalk.ExactIn(view.total, name).Sign() > 0
		case view.byContainer:
			complete = a.containers[i].Complete(name, a.missing)
		default:
			continue
		}
		if !complete {
			return false
		}
	}
	return complete
}
