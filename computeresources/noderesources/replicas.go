package noderesources

// Replicas returns how many more pods with this request fit on the node, and the shortages that
// stop the next one: what Shortages returns after that many pods were added. Next is never empty, because
// the number of pods is limited.
//
// Cost: a division for each resource that is requested. Only next is allocated.
func (l *Ledger) Replicas(r Request, opts FitOptions) (n int64, next Shortages) {
	n = max(l.freePods, 0)
	l.eachTimes(&r, &opts, func(_ int, _ scalar, times int64) { n = min(n, times) })
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
