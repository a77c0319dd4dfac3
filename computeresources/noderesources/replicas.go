package noderesources

import (
	"slices"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Replicas returns how many more pods with this request fit on the node, and the shortages that
// stop the next one: what Shortages returns after that many pods were added. Next is never empty, because
// the number of pods is limited.
//
// Cost: a division for each resource that is requested. Only next is allocated.
func (l *Ledger) Replicas(r Request, opts FitOptions) (n int64, next Shortages) {
	l = l.orEmpty()
	n = l.replicas(&r, &opts)
	if l.freePods <= n {
		next = append(next, l.podShortage(n))
	}
	l.eachTimes(&r, &opts, func(i int, s scalar, times int64) {
		switch {
		case times > n:
		case s.name == "":
			next = append(next, l.native[i].shortage(nameOf(i), r.native[i].request, n))
		default:
			c := l.columnOf(s.name)
			next = append(next, c.shortage(s.name, s.request, n))
		}
	})
	return n, next
}

// replicas returns how many more pods fit.
func (l *Ledger) replicas(r *Request, opts *FitOptions) (n int64) {
	n = max(l.freePods, 0)
	l.eachTimes(r, opts, func(_ int, _ scalar, times int64) { n = min(n, times) })
	return n
}

// Replicas returns how many more pods with this request fit on all nodes together that the filter does not refuse, and
// why none of the nodes has room for the next one. If the sum does not fit, it is math.MaxInt64. The filter is asked
// about nodes as they are now, and not how they are with these pods. A nil filter refuses none. The cluster does not
// change.
//
// Cost: that of Ledger.Replicas for each node.
func (c *Cluster) Replicas(r Request, opts FitOptions, filter NodeFilter) (n int64, next *FitError) {
	x := c.orEmpty().withOwnRoom()
	e := newExplanation(x, filter)
	for row, m := range x.members {
		if e.state[row] == refused || e.isRefusedAfter(row) {
			continue
		}
		times := m.replicas(&r, &opts)
		n = quantity.AddSaturated(n, times)
		x.fill(row, &r, times)
	}
	return n, e.fitError(&r, &opts)
}

// withOwnRoom returns rows of which what is free may be written to, and nothing else.
func (x *rows) withOwnRoom() *rows {
	c := *x
	c.pods, c.scalars = x.pods.copy(), slices.Clone(x.scalars)
	for a := range c.each {
		a.room = a.room.copy()
	}
	return &c
}

// fill takes from what is free on a node what some pods request. Nothing else is changed.
func (x *rows) fill(row int, r *Request, times int64) {
	l := x.members[row]
	free := func(c column, requested int64) int64 {
		c.requested.AddProduct(max(requested, 0), times) // an amount below zero is never short
		return max(c.remaining(), 0)
	}
	x.pods.set(row, max(l.freePods-times, 0))
	for i := range l.native {
		x.native[i].room.set(row, free(l.native[i], r.native[i].request))
	}
	for _, s := range r.scalars {
		if at, found := x.indexOf(s.name); found {
			x.scalars[at].room.set(row, free(l.columnOf(s.name), s.request))
		}
	}
}

// eachTimes calls f for each resource that is requested and counts, with how many times the request
// fits into the free amount: with the index of a native resource, or else a scalar, which has a name.
func (l *Ledger) eachTimes(r *Request, opts *FitOptions, f func(native int, s scalar, times int64)) {
	for i := range r.native {
		if n := r.native[i].request; n > 0 {
			f(i, scalar{}, l.native[i].wideFree().Quotient(n))
		}
	}
	for _, s := range r.scalars {
		if c := l.columnOf(s.name); s.request > 0 && opts.counts(&s, c.allocatable) {
			f(0, s, c.wideFree().Quotient(s.request))
		}
	}
}
