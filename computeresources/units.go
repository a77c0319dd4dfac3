package computeresources

import "github.com/kubemath/kubemath/internal/podwalk"

// units are the amounts of a pod in integers: the fast path of amounts, for the three
// resources that nearly every pod sets (podwalk.Compute).
type units struct {
	amounts  [podwalk.ComputeResources]int64 // above zero if set
	complete [podwalk.ComputeResources]bool  // see amounts.complete
	all      bool                            // the pod sets nothing else, and none of the three to zero
	formats  podwalk.Formats
}

// read reports whether all that counts of a pod is exact in integers, and none of it is
// negative. If not, u is of no use. Before, u is the zero value.
func (u *units) read(r *reading) bool {
	u.all = true
	if r.containersOnly {
		var sum podwalk.Compute
		exact := sum.Read(r.spec, r.list, &u.formats)
		u.addView(&sum, true)
		return exact
	}
	return len(r.missing) == 0 && u.readViews(r) && u.readPod(r)
}

// readViews reads what the containers set, in all views that count.
func (u *units) readViews(r *reading) bool {
	var sums [views]podwalk.Compute
	if !u.addContainers(&sums, r) {
		return false
	}
	first := true
	for i := range r.views {
		view, sum := &r.views[i], &sums[i]
		switch {
		case view.total != nil: // a total counts like an only container
			if !sum.Add(podwalk.App, view.total, &u.formats) {
				return false
			}
		case !view.byContainer:
			continue
		case len(view.claimed) > 0:
			return false
		}
		u.addView(sum, first)
		first = false
	}
	return true
}

// addView sets u to the maximum of the views before and of another one.
func (u *units) addView(sum *podwalk.Compute, first bool) {
	for i := range sum.Resources {
		u.amounts[i] = max(u.amounts[i], sum.Resources[i].Total())
		u.complete[i] = sum.Complete(i) && (first || u.complete[i])
	}
	u.all = u.all && sum.IsAll()
}

// addContainers adds the lists of the containers to the views that are sums over them, at one pass.
func (u *units) addContainers(sums *[views]podwalk.Compute, r *reading) bool {
	if !r.maxima && !r.views[actuated].byContainer {
		return !r.views[desired].byContainer || sums[desired].Read(r.spec, r.list, &u.formats)
	}
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
	return true
}

// readPod replaces the sums of the containers by pod-level amounts, and adds overhead. It leaves zero and other
// resources at pod level to the general path (amounts).
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
