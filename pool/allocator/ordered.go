package allocator

import (
	"slices"
	"sort"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// ordered is the queue in which a resource that a claim is short of is closed to all later
// claims.
//
// Claims that want the same resources, in any amounts, form a line: if any of these resources is
// closed, it is closed to the whole line. So only the first claim of each line can have the next
// turn, and the number of claims that close a resource never exceeds the number of resources.
type ordered struct {
	ledger *ledger.Ledger
	lines  map[string]*line
	heads  []head   // of the lines with claims, by the turns of their first
	closed []*claim // by resource: the claim that was short of it when last settled
}

// line are the claims that want the same resources.
type line struct {
	resources []int
	mask      uint64 // of the resources: see maskOf
	tree      tree
	first     *claim
}

// head is a line in the order of the lines, with the mask by which it is skipped.
type head struct {
	mask uint64
	line *line
}

// maskOf returns a bit for each resource; all from the 64th on share the last one.
func maskOf(number int) uint64 { return 1 << min(number, 63) }

func (q *ordered) line(c *claim) *line {
	l := q.lines[c.kind.resources]
	if l == nil {
		l = &line{tree: tree{byTurn: true}}
		for _, w := range c.wants {
			l.resources = append(l.resources, w.Resource)
			l.mask |= maskOf(w.Resource)
		}
		q.lines[c.kind.resources] = l
	}
	return l
}

func (q *ordered) add(c *claim) {
	l := q.line(c)
	l.tree.add(c, nil)
	q.noteHead(l)
}

func (q *ordered) remove(c *claim) {
	l := q.line(c)
	l.tree.remove(c, nil)
	q.noteHead(l)
}

// noteHead keeps the lines ordered by their first claims.
func (q *ordered) noteHead(l *line) {
	first := l.tree.first()
	if first == l.first {
		return
	}
	if l.first != nil {
		at := q.placeOf(l.first)
		q.heads = append(q.heads[:at], q.heads[at+1:]...)
	}
	if l.first = first; first != nil {
		q.heads = slices.Insert(q.heads, q.placeOf(first), head{l.mask, l})
	}
}

// placeOf returns the place of the line whose first claim is, or would be, the given one.
func (q *ordered) placeOf(first *claim) int {
	return sort.Search(len(q.heads), func(i int) bool { return !q.heads[i].line.first.before(first) })
}

// round processes every claim once. The lines before the current place are done: the first
// claim of each waits for another one, or closed a resource to its own line.
//
// Another round may grant more: a claim that was holding can leave so little that an earlier one now
// waits for a third claim, and then no longer closes the resource that it was short of.
func (q *ordered) round(edits []edit, apply applyEdit) (granted []*claim, more bool) {
	q.closed = make([]*claim, len(q.ledger.Resources))
	r := orderedRound{ordered: q, isClosed: q.closes, apply: apply, edits: edits}
	for at := 0; at < len(q.heads); {
		if r.skips(q.heads[at]) {
			at++
			continue
		}
		c := q.heads[at].line.first
		r.editBefore(c)
		switch {
		case slices.ContainsFunc(c.wants, r.isClosed): // by an edit
		case slices.ContainsFunc(c.wants, q.ledger.Short):
			r.closeFor(c)
			at++
		default:
			q.remove(c)
			q.ledger.Take(c.wants)
			granted = append(granted, c)
		}
	}
	r.editBefore(nil)
	for _, c := range r.evicted {
		q.add(c)
	}
	return granted, len(edits) > 0 || len(granted) > 0
}

// closes reports whether a claim is short of a resource, so that it is closed to all later ones.
func (q *ordered) closes(w ledger.Want) bool { return q.closed[w.Resource] != nil }

// orderedRound is a round in progress.
type orderedRound struct {
	*ordered
	isClosed func(ledger.Want) bool
	apply    applyEdit
	edits    []edit   // whose turn has not come
	evicted  []*claim // that join the queue after the round
	mask     uint64   // of the closed resources
}

// skips reports whether a resource of a line is closed. Only resources from the 64th on, which share a
// bit of the masks, have to be looked up.
func (r *orderedRound) skips(h head) bool {
	shared := h.mask & r.mask
	return shared != 0 && (shared != maskOf(63) || slices.ContainsFunc(h.line.first.wants, r.isClosed))
}

// close closes a resource that a claim is short of.
func (r *orderedRound) close(c *claim, short ledger.Want) {
	r.closed[short.Resource] = c
	r.mask |= maskOf(short.Resource)
}

// closeFor closes all resources that a claim is short of.
func (r *orderedRound) closeFor(c *claim) {
	for _, w := range c.wants {
		if r.ledger.Short(w) {
			r.close(c, w)
		}
	}
}

// editBefore gives the edited claims before c their turns, and all of them if c is nil.
func (r *orderedRound) editBefore(c *claim) {
	for len(r.edits) > 0 && (c == nil || r.edits[0].before(c)) {
		e := r.edits[0]
		r.edits = r.edits[1:]
		short, evicted := r.apply(e, r.isClosed)
		if !evicted {
			continue
		}
		for _, w := range short {
			r.close(e.claim, w)
		}
		if e.waits() {
			r.evicted = append(r.evicted, e.claim)
		}
	}
}

func (q *ordered) blockerOf(c *claim, number int) *claim {
	if number < len(q.closed) && q.closed[number] != nil && q.closed[number].before(c) {
		return q.closed[number]
	}
	return nil
}

func (q *ordered) exhausted(yield func(*claim)) {
	for i, c := range q.closed {
		if c != nil && !slices.Contains(q.closed[:i], c) {
			yield(c)
		}
	}
}
