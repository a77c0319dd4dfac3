package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// amounts are the requests, or the limits, of a pod: the greatest of what the views of its
// containers give, replaced by what is set at pod level, plus overhead.
type amounts struct {
	list  podwalk.List
	view  [3]view
	views int // how many of view count
	// podLevel are the pod-level lists, of which the greatest amount counts.
	podLevel [3]corev1.ResourceList
	byPod    bool // podLevel counts
	overhead corev1.ResourceList
}

// view is one way to see what the containers of a pod ask for in all: by the list of each
// container, or by a total that the status of the pod gives.
type view struct {
	lists   podwalk.Lists
	missing corev1.ResourceList // stands in for what a container does not set
	claimed corev1.ResourceList // is added to the sum of the containers

	isTotal bool
	total   corev1.ResourceList
}

// into fills dst with the amounts of all resources that have one.
func (a *amounts) into(dst corev1.ResourceList) {
	a.set(dst, corev1.ResourceCPU)
	a.set(dst, corev1.ResourceMemory)
	a.set(dst, corev1.ResourceEphemeralStorage)
	a.setAll(dst, a.overhead)
	for _, list := range a.podLevel {
		a.setAll(dst, list)
	}
	for i := range a.view[:a.views] {
		v := &a.view[i]
		a.setAll(dst, v.total)
		a.setAll(dst, v.claimed)
		a.setAll(dst, v.missing)
		if v.lists.IsAll() {
			continue // the containers set nothing else
		}
		for i := range v.lists.Len() {
			a.setAll(dst, v.lists.At(i))
		}
	}
}

func (a *amounts) setAll(dst, names corev1.ResourceList) {
	for name := range names {
		if _, done := dst[name]; !done {
			a.set(dst, name)
		}
	}
}

func (a *amounts) set(dst corev1.ResourceList, name corev1.ResourceName) {
	if amount := a.of(name); amount.IsSet() {
		dst[name] = amount.Quantity()
	}
}

// of returns the amount of one resource. It is asked once for each (see podwalk.Lists.IsAll).
func (a *amounts) of(name corev1.ResourceName) (amount podwalk.Exact) {
	for i := range a.view[:a.views] {
		amount = amount.Max(a.view[i].of(name, a.list))
	}
	if a.byPod && PodLevel(name) {
		if ofPod := a.ofPod(name); ofPod.IsSet() {
			amount = ofPod
		}
	}
	if len(a.overhead) > 0 && (a.list == podwalk.Requests || amount.Sign() != 0) {
		amount = amount.Plus(podwalk.ExactIn(a.overhead, name))
	}
	return amount
}

func (v *view) of(name corev1.ResourceName, list podwalk.List) podwalk.Exact {
	if v.isTotal {
		return podwalk.ExactIn(v.total, name)
	}
	amount := v.lists.Effective(name, v.missing)
	if len(v.claimed) > 0 && (amount.IsSet() || list == podwalk.Requests || resourcelist.IsHugePages(name)) {
		amount = amount.Plus(podwalk.ExactIn(v.claimed, name))
	}
	return amount
}

// ofPod returns the greatest of the amounts that are set at pod level.
func (a *amounts) ofPod(name corev1.ResourceName) (amount podwalk.Exact) {
	for _, list := range a.podLevel {
		amount = amount.Max(podwalk.ExactIn(list, name))
	}
	return amount
}

// complete reports whether every container sets more than zero of a resource, or the pod
// does at pod level.
func (a *amounts) complete(name corev1.ResourceName) bool {
	if a.byPod && PodLevel(name) && a.ofPod(name).Sign() > 0 {
		return true
	}
	for i := range a.view[:a.views] {
		if !a.view[i].complete(name) {
			return false
		}
	}
	return a.views > 0
}

func (v *view) complete(name corev1.ResourceName) bool {
	if v.isTotal {
		return podwalk.ExactIn(v.total, name).Sign() > 0
	}
	return v.lists.Complete(name, v.missing)
}
