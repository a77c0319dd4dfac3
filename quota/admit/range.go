package admit

import (
	"slices"

	"github.com/kubemath/kubemath/quota"
)

// alternative is an object with one set of defaults.
type alternative struct {
	refused bool // and for good, since what is used of a quota only grows
	counted quota.Object
	n       int64 // how many of them are in a group
}

// setRange sets the least and the largest number of groups: see ReplicaCount.
func (f *ReplicaCount) setRange(ns *Namespace, members []member, req *Attributes) {
	f.Least, f.Most = f.Replicas, f.Replicas
	var objects [][]alternative
	for i := range members {
		m := &members[i]
		of, complete := m.alternatives(ns, req)
		objects = append(objects, of)
		f.Inexact = f.Inexact || !complete || len(of) > 1 && m.n > 1
	}
	if slices.ContainsFunc(objects, func(of []alternative) bool { return len(of) > 1 }) {
		p, all := newPacking(ns, objects), false
		f.Least = p.least()
		f.Most, all = p.most()
		f.Inexact = f.Inexact || !all
	}
}

// alternatives returns the object with each set of defaults, and whether they are all.
func (m *member) alternatives(ns *Namespace, req *Attributes) (all []alternative, complete bool) {
	orders, complete := ns.policy.Orders(m.decision.Changes, mostDecisions)
	if len(orders) == 1 {
		return []alternative{{!m.decision.Admitted(), m.counted, m.n}}, complete
	}
	for _, names := range orders {
		each, counted := ns.inOrder(names).decide(m.object, req, m.place)
		all = append(all, alternative{!each.Admitted(), counted, m.n})
	}
	return all, complete
}
