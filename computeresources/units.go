package computeresources

import "github.com/kubemath/kubemath/internal/podwalk"

// units are the amounts of a pod in integers: the fast path of amounts, for the three
// resources that nearly every pod sets.
type units struct {
	cpu, memory, storage unit // milli-units of cpu, and bytes
	// all: the pod sets nothing else, and none of the three to zero.
	all     bool
	formats podwalk.Formats
}

// unit is the amount of one resource.
type unit struct {
	amount   int64 // above zero if it is set
	complete bool  // see amounts.complete
}

// read reports whether all that counts of a pod is exact in integers, and none of it is
// negative. If not, u is of no use. Before, u is the zero value.
func (u *units) read(r *reading) bool {
	if len(r.missing) > 0 {
		return false
	}
	u.all = true
	return u.readViews(r) && (!r.setPodLevel || u.readPodLevel(r)) && (len(r.overhead) == 0 || u.readOverhead(r))
}

// readViews reads what the containers set, in all views that count, at one pass.
func (u *units) readViews(r *reading) bool {
	var sums [views]podwalk.Compute
	if !u.addContainers(&sums, r) {
		return false
	}
	any := false
	for view := range sums {
		sum := &sums[view]
		switch {
		case len(r.claimed[view]) > 0 && r.byContainer[view]:
			return false
		case r.byPod[view]: // a total counts like an only container
			if !sum.Add(podwalk.App, r.total[view], &u.formats) {
				return false
			}
		case !r.byContainer[view]:
			continue
		}
		u.cpu.atLeast(sum, &sum.CPU, any)
		u.memory.atLeast(sum, &sum.Memory, any)
		u.storage.atLeast(sum, &sum.EphemeralStorage, any)
		u.all = u.all && sum.IsAll()
		any = true
	}
	return true
}

// addContainers adds the lists of the containers to the views that are sums over them.
func (u *units) addContainers(sums *[views]podwalk.Compute, r *reading) bool {
	if r.maxima {
		return u.addMaxima(&sums[desired], r)
	}
	if !r.byContainer[actuated] {
		return !r.byContainer[desired] || sums[desired].Read(r.spec, r.list, &u.formats)
	}
	cs := podwalk.Of(r.spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		lists := r.lists(c)
		for view := range sums {
			if r.byContainer[view] && !sums[view].Add(kind, lists[view], &u.formats) {
				return false
			}
		}
	}
	return true
}

// addMaxima adds the maximum of the lists of each container.
func (u *units) addMaxima(sum *podwalk.Compute, r *reading) bool {
	cs := podwalk.Of(r.spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		lists := r.maximaOf(kind, c)
		if !sum.AddMax(kind, lists[:], &u.formats) {
			return false
		}
	}
	return true
}

// atLeast sets u to the maximum of the views that it has seen before, if any, and of another.
func (u *unit) atLeast(sum *podwalk.Compute, r *podwalk.Resource, any bool) {
	u.amount = max(u.amount, r.Total())
	u.complete = sum.Complete(r) && (u.complete || !any)
}

// readPodLevel replaces the sums of the containers by pod-level amounts. It leaves zero, and other
// resources, to the general path (amounts).
func (u *units) readPodLevel(r *reading) bool {
	var cpu, memory int64
	for _, list := range r.podLevel {
		var c podwalk.Compute
		if len(list) > 0 && (!c.Add(podwalk.App, list, &u.formats) || !c.IsAll()) {
			return false
		}
		cpu, memory = max(cpu, c.CPU.Total()), max(memory, c.Memory.Total())
	}
	if cpu > 0 {
		u.cpu = unit{cpu, true}
	}
	if memory > 0 {
		u.memory = unit{memory, true}
	}
	return true
}

func (u *units) readOverhead(r *reading) bool {
	var c podwalk.Compute
	if !c.Add(podwalk.App, r.overhead, &u.formats) {
		return false
	}
	u.all = u.all && c.IsAll()
	always := r.list == podwalk.Requests
	u.cpu.add(&c.CPU, always)
	u.memory.add(&c.Memory, always)
	u.storage.add(&c.EphemeralStorage, always)
	return true
}

// add adds overhead: always, or only to amounts above zero.
func (u *unit) add(overhead *podwalk.Resource, always bool) {
	if always || u.amount > 0 {
		u.amount += overhead.Total()
	}
}
