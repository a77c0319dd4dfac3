package computeresources

import (
	corev1 "k8s.io/api/core/v1"

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
	overhead corev1.ResourceList
}

// view is one way to see what the containers of a pod ask for in all: by the list of each
// container, or by a total that the status of the pod gives.
type view struct {
	// first and more are the lists of the containers, app containers first.
	first [8]containerList
	more  []containerList
	count int
	// entries and met are how many entries the lists have, and how many of them of has met.
	entries, met int
	missing      corev1.ResourceList // stands in for what a container does not set

	isTotal bool
	total   corev1.ResourceList

	claimed corev1.ResourceList // is added to the sum of the containers
}

// containerList is what counts of a container: a list of its spec or of its status. It is
// the pod's own, and only read.
type containerList struct {
	kind podwalk.Kind
	list corev1.ResourceList
}

func (v *view) add(kind podwalk.Kind, list corev1.ResourceList) {
	c := containerList{kind, list}
	if v.count < len(v.first) {
		v.first[v.count] = c
	} else {
		v.more = append(v.more, c)
	}
	v.count++
	v.entries += len(list)
}

func (v *view) at(i int) containerList {
	if i < len(v.first) {
		return v.first[i]
	}
	return v.more[i-len(v.first)]
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
		if v.met == v.entries {
			continue // the containers set nothing else
		}
		for i := range v.count {
			a.setAll(dst, v.at(i).list)
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

// of returns the amount of one resource. To keep met right, it is asked once for each.
func (a *amounts) of(name corev1.ResourceName) (amount podwalk.Exact) {
	for i := range a.view[:a.views] {
		amount = amount.Max(a.view[i].of(name, a.list))
	}
	if ofPod := a.ofPod(name); ofPod.IsSet() {
		amount = ofPod
	}
	if overhead := podwalk.ExactIn(a.overhead, name); a.list == podwalk.Requests || amount.Sign() != 0 {
		amount = amount.Plus(overhead)
	}
	return amount
}

func (v *view) of(name corev1.ResourceName, list podwalk.List) podwalk.Exact {
	if v.isTotal {
		return podwalk.ExactIn(v.total, name)
	}
	amount := v.effective(name)
	if claimed := podwalk.ExactIn(v.claimed, name); amount.IsSet() || list == podwalk.Requests || isHugePages(name) {
		amount = amount.Plus(claimed)
	}
	return amount
}

// effective returns what the containers need together.
func (v *view) effective(name corev1.ResourceName) podwalk.Exact {
	standIn := podwalk.ExactIn(v.missing, name)
	if v.met == v.entries && !standIn.IsSet() {
		return podwalk.Exact{}
	}
	var sum podwalk.Sum[podwalk.Exact]
	for i := range v.count {
		c := v.at(i)
		amount := podwalk.ExactIn(c.list, name)
		if amount.IsSet() {
			v.met++
		} else {
			amount = standIn
		}
		sum.Add(c.kind, amount)
	}
	return sum.Total()
}

// ofPod returns what is set at pod level.
func (a *amounts) ofPod(name corev1.ResourceName) (amount podwalk.Exact) {
	if !PodLevel(name) {
		return amount
	}
	for _, list := range a.podLevel {
		amount = amount.Max(podwalk.ExactIn(list, name))
	}
	return amount
}

// complete reports whether every container sets more than zero of a resource, or the pod
// does at pod level.
func (a *amounts) complete(name corev1.ResourceName) bool {
	if a.ofPod(name).Sign() > 0 {
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
	for i := range v.count {
		amount := podwalk.ExactIn(v.at(i).list, name)
		if !amount.IsSet() {
			amount = podwalk.ExactIn(v.missing, name)
		}
		if amount.Sign() <= 0 {
			return false
		}
	}
	return true
}
