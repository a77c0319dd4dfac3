package computeresources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// amounts are the requests, or the limits, of a pod: the greatest of what the views
// of its containers give, replaced by what is stated for the pod as a whole, plus
// overhead.
type amounts struct {
	limits bool
	view   [3]view
	views  int // how many of view count
	// podLevel are the lists for the pod as a whole, of which the greatest counts.
	podLevel [3]corev1.ResourceList
	byPod    bool // podLevel counts
	overhead corev1.ResourceList
}

// view is one way to see what the containers of a pod ask for in all: by the lists
// of the containers, or by a total that the status of the pod gives.
type view struct {
	containers
	isTotal bool
	total   corev1.ResourceList
	claimed corev1.ResourceList // comes on top
}

// into fills dst with the amounts of all resources that have one.
func (a *amounts) into(dst corev1.ResourceList) {
	a.set(dst, corev1.ResourceCPU)
	a.set(dst, corev1.ResourceMemory)
	a.set(dst, corev1.ResourceEphemeralStorage)
	a.setAll(dst, a.overhead)
	if a.byPod {
		for _, list := range a.podLevel {
			a.setAll(dst, list)
		}
	}
	for i := range a.view[:a.views] {
		v := &a.view[i]
		a.setAll(dst, v.total)
		a.setAll(dst, v.claimed)
		a.setAll(dst, v.missing)
		if v.unread > 0 {
			for _, c := range Containers(v.spec) {
				a.setAll(dst, v.source.list(c))
			}
		}
	}
}

func (a *amounts) setAll(dst, names corev1.ResourceList) {
	if len(names) == 0 {
		return
	}
	for name := range names {
		if _, done := dst[name]; !done {
			a.set(dst, name)
		}
	}
}

func (a *amounts) set(dst corev1.ResourceList, name corev1.ResourceName) {
	var total resource.Quantity
	if a.of(name, &total) {
		dst[name] = total
	}
}

// of sets total, which is zero before, to the amount of one resource, and reports
// whether there is one.
func (a *amounts) of(name corev1.ResourceName, total *resource.Quantity) (found bool) {
	if a.views > 0 {
		found = a.view[0].of(name, total)
	}
	for i := 1; i < a.views; i++ {
		var other resource.Quantity
		if a.view[i].of(name, &other) && (!found || other.Cmp(*total) > 0) {
			*total, found = other, true
		}
	}
	if a.byPod && a.forPod(name, total) {
		found = true
	}
	if q, ok := a.overhead[name]; ok && (!a.limits || found && !total.IsZero()) {
		total.Add(q)
		found = true
	}
	return found
}

func (v *view) of(name corev1.ResourceName, total *resource.Quantity) (found bool) {
	if v.isTotal {
		q, ok := v.total[name]
		*total = q.DeepCopy()
		return ok
	}
	found = v.effective(name, total)
	if q, ok := v.claimed[name]; ok && (found || !v.source.limits || resourcename.IsHugePages(name)) {
		total.Add(q)
		found = true
	}
	return found
}

// forPod sets total to what is stated for the pod as a whole, if anything is.
func (a *amounts) forPod(name corev1.ResourceName, total *resource.Quantity) (found bool) {
	if !PodLevel(name) {
		return false
	}
	for _, list := range a.podLevel {
		if q, ok := list[name]; ok && (!found || q.Cmp(*total) > 0) {
			*total, found = q.DeepCopy(), true
		}
	}
	return found
}

// complete reports whether no container is without a resource: each states more
// than zero, or the pod does as a whole.
func (a *amounts) complete(name corev1.ResourceName) bool {
	var own resource.Quantity
	if a.forPod(name, &own) && own.Sign() > 0 {
		return true
	}
	for i := range a.view[:a.views] {
		v := &a.view[i]
		q := v.total[name]
		if v.isTotal && q.Sign() <= 0 || !v.isTotal && !v.containers.complete(name) {
			return false
		}
	}
	return a.views > 0
}
