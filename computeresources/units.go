package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// units are the amounts of a pod in integers: the fast path of reading.amountOf, for the three
// resources that nearly every pod sets (podwalk.Compute).
type units struct {
	amounts  [podwalk.ComputeResources]int64 // above zero if set
	complete [podwalk.ComputeResources]bool  // see reading.amountOf
	any      bool                            // a view counts
	all      bool                            // the pod sets nothing else, and none of the three to zero
	formats  podwalk.Formats
}

// read reports whether all that counts of a pod is exact in integers, and none of it is
// negative. If not, u is of no use. Before, u is the zero value.
func (u *units) read(r *reading) bool {
	u.all = true
	switch {
	case len(r.missing) > 0:
		return false
	case r.maxima || r.views[actuated].byContainer:
		if !u.readContainers(r) {
			return false
		}
	case r.views[desired].byContainer:
		var sum podwalk.Compute
		if !sum.Read(r.spec, r.list, &u.formats) {
			return false
		}
		u.addView(&sum)
	}
	for i := range r.views {
		view := &r.views[i]
		if view.byContainer && len(view.claimed) > 0 {
			return false
		}
		if view.total != nil { // counts like an only container
			var sum podwalk.Compute
			if !sum.Add(podwalk.App, view.total, &u.formats) {
				return false
			}
			u.addView(&sum)
		}
	}
	if r.lacksLimit(corev1.ResourceCPU) {
		u.amounts[podwalk.CPU], u.complete[podwalk.CPU] = 0, false
	}
	if r.lacksLimit(corev1.ResourceMemory) {
		u.amounts[podwalk.Memory], u.complete[podwalk.Memory] = 0, false
	}
	return u.readPod(r)
}

// readContainers reads the lists of the containers and their statuses, for all views at one pass.
func (u *units) readContainers(r *reading) bool {
	var sums [views]podwalk.Compute
	cs := podwalk.Of(r.spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		lists := r.lists(kind, c)
		if r.maxima {
			if !sums[desired].AddMax(kind, lists[:], &u.formats) {
				return false
			}
			continue
		}
		for i, list := range lists {
			if r.views[i].byContainer && !sums[i].Add(kind, list, &u.formats) {
				return false
			}
		}
	}
	for i := range sums {
		if r.views[i].byContainer {
			u.addView(&sums[i])
		}
	}
	return true
}

// addView sets u to the maximum of the views before and of another one.
func (u *units) addView(sum *podwalk.Compute) {
	for i := range sum.Resources {
		u.amounts[i] = max(u.amounts[i], sum.Resources[i].Total())
		u.complete[i] = sum.Complete(i) && (u.complete[i] || !u.any)
	}
	u.all = u.all && sum.IsAll()
	u.any = true
}

// readPod replaces the sums of the containers by pod-level amounts, and adds overhead. It leaves zero and other
// resources at pod level to the general path (reading.amountOf).
func (u *units) readPod(r *reading) bool {
	if r.setPodLevel {
		var ofPod podwalk.Compute
		if !ofPod.AddMax(podwalk.App, r.podLevel[:], &u.formats) || !ofPod.IsAll() {
			return false
		}
		for _, i := range [...]int{podwalk.CPU, podwalk.Memory} {
			if amount := ofPod.Resources[i].Total(); amount > 0 {
				u.amounts[i], u.complete[i] = amount, true
			}
		}
	}
	if len(r.overhead) == 0 {
		return true
	}
	var overhead podwalk.Compute
	if !overhead.Add(podwalk.App, r.overhead, &u.formats) {
		return false
	}
	u.all = u.all && overhead.IsAll()
	for i := range u.amounts {
		if r.list == podwalk.Requests || u.amounts[i] > 0 {
			u.amounts[i] += overhead.Resources[i].Total()
		}
	}
	return true
}
