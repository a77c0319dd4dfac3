package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// exactInto sets in dst the amounts of all resources that have one and are not in dst yet.
func (r *reading) exactInto(dst corev1.ResourceList) {
	r.eachResource(func(name corev1.ResourceName) {
		if _, done := dst[name]; done {
			return
		}
		if amount, _ := r.amountOf(name); amount.Set {
			dst[name] = amount.Quantity()
		}
	})
}

// eachResource calls visit with every resource that may have an amount, once or more often.
func (r *reading) eachResource(visit func(corev1.ResourceName)) {
	each := func(list corev1.ResourceList) {
		for name := range list {
			visit(name)
		}
	}
	each(r.overhead)
	each(r.missing)
	for i := range r.views {
		each(r.podLevel[i])
		each(r.views[i].total)
		each(r.views[i].claimed)
	}
	cs := podwalk.Of(r.spec)
	for i := range cs.Len() {
		for _, list := range r.lists(cs.At(i)) {
			each(list)
		}
	}
}

// amountOf returns the amount of one resource: the maximum of the views of the containers, replaced by the largest
// pod-level amount, plus overhead. It is complete if every container sets more than zero of it, or the pod does at pod
// level.
func (r *reading) amountOf(name corev1.ResourceName) (amount podwalk.Exact, complete bool) {
	amount, complete = r.ofContainers(name)
	if r.lacksLimit(name) {
		amount, complete = podwalk.Exact{}, false
	}
	if r.setPodLevel && resourcename.IsPodLevel(name) {
		var ofPod podwalk.Exact
		for _, list := range r.podLevel {
			ofPod = ofPod.Max(podwalk.ExactIn(list, name))
		}
		if ofPod.Set {
			amount = ofPod
		}
		complete = complete || ofPod.Amount.Sign() > 0
	}
	if len(r.overhead) > 0 && (r.list == podwalk.Requests || amount.Amount.Sign() != 0) {
		amount = amount.Plus(podwalk.ExactIn(r.overhead, name))
	}
	return amount, complete
}

// lacksLimit reports whether the limits of the containers have no sum, as one of them has no limit of cpu or memory, or
// zero. The status does not count.
func (r *reading) lacksLimit(name corev1.ResourceName) bool {
	if !r.omitsPartial || name != corev1.ResourceCPU && name != corev1.ResourceMemory {
		return false
	}
	cs := podwalk.Of(r.spec)
	for i := range cs.Len() {
		_, c := cs.At(i)
		if limit := c.Resources.Limits[name]; limit.IsZero() {
			return true
		}
	}
	return false
}

// ofContainers is amountOf without pod-level amounts and overhead. Nothing is complete if no view counts.
func (r *reading) ofContainers(name corev1.ResourceName) (most podwalk.Exact, complete bool) {
	var sums [views]podwalk.Sum[podwalk.Exact]
	var lacking [views]bool // a container has nothing above zero
	counted := false        // some view counts
	missing := podwalk.ExactIn(r.missing, name)
	cs := podwalk.Of(r.spec)
	for i := range cs.Len() {
		kind, c := cs.At(cs.AppsFirst(i))
		lists := r.lists(kind, c)
		for j := range sums {
			if !r.views[j].byContainer {
				continue
			}
			amount := podwalk.ExactIn(lists[j], name)
			if r.maxima {
				amount = amount.Max(podwalk.ExactIn(lists[actuated], name)).Max(podwalk.ExactIn(lists[allocated], name))
			}
			if !amount.Set {
				amount = missing
			}
			sums[j].Add(kind, amount)
			lacking[j] = lacking[j] || amount.Amount.Sign() <= 0
		}
	}
	for i := range r.views {
		view := &r.views[i]
		amount := sums[i].Total()
		switch {
		case view.total != nil:
			amount = podwalk.ExactIn(view.total, name)
			lacking[i] = amount.Amount.Sign() <= 0
		case !view.byContainer:
			continue
		case amount.Set || r.list == podwalk.Requests || r.claimsEachOne || resourcename.IsHugePages(name):
			amount = amount.Plus(podwalk.ExactIn(view.claimed, name))
		}
		most = most.Max(amount)
		complete = !lacking[i] && (complete || !counted)
		counted = true
	}
	return most, complete
}
