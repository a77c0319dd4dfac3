package admit

import (
	"slices"

	"github.com/kubemath/kubemath/quota"
)

// Range returns the least and the largest number of objects or complete groups that the API server
// admits, one after the other, if it uses LimitRanges in any order (see Decision.Possible). It draws the
// order anew for each pod, so that equal pods may get different defaults. Replicas is within the range.
//
// For the least, the first refusal ends the sequence, even if another order would have admitted the
// object. For the most, the controller tries again until the object gets defaults that are admitted. If no
// more objects are admitted in any order, Replicas, least and most are equal.
//
// The bounds are exact for up to 64 sets of defaults. Beyond that, and for a workload that wants several pods which may
// get different defaults, least may be too high and most too low. With three or more sets, of which none uses the least
// of every resource, most may be too high. Exact reports whether none of that holds.
//
// Cost: that of Possible and of the usage of each set of defaults.
func (f ReplicaCount) Range() (least, most int64, exact bool) {
	objects, exact := f.alternatives()
	if !slices.ContainsFunc(objects, func(of []alternative) bool { return len(of) > 1 }) {
		return f.Replicas, f.Replicas, exact
	}
	ns := f.decision.namespace.orEmpty()
	p := newPacking(&ns, objects)
	most, all := p.most()
	return p.least(), most, exact && all
}

// alternative is an object with one set of defaults.
type alternative struct {
	refused bool // and for good, since what is used of a quota only grows
	counted quota.Object
	n       int64 // how many of them are in a group
}

// alternatives returns those of each object, and whether they are all.
func (f *ReplicaCount) alternatives() (objects [][]alternative, complete bool) {
	if f.members == nil {
		ns := f.decision.namespace.orEmpty()
		of, complete := f.decision.alternatives(ns.quotaObject(f.decision.Object, &f.req))
		return [][]alternative{of}, complete
	}
	complete = true
	for i := range f.members {
		m := &f.members[i]
		d, counted := f.decision.namespace.decide(m.object, &f.req, m.place)
		of, all := d.alternatives(counted)
		for j := range of {
			of[j].n = m.n
		}
		objects, complete = append(objects, of), complete && all && (len(of) == 1 || m.n == 1)
	}
	return objects, complete
}

// alternatives returns the object with each set of defaults, and whether they are all. The counted object is that of
// the decision.
func (d *Decision) alternatives(counted quota.Object) (all []alternative, complete bool) {
	orders, complete := d.ordersOfDefaults()
	if len(orders) == 1 {
		return []alternative{{!d.Admitted(), counted, 1}}, complete
	}
	for _, names := range orders {
		each, counted := d.decideAgain(names)
		all = append(all, alternative{!each.Admitted(), counted, 1})
	}
	return all, complete
}
