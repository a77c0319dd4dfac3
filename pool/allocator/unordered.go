package allocator

import (
	"slices"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// unordered is the queue without order: a claim is granted as soon as it fits.
//
// Once the queue is settled, no claim in it fits. Until the remaining amount of a resource increases,
// only claims that have arrived since can fit. Otherwise, the queue has to find the next claim in its
// order that fits. If many claims fit, one of them is among the next ones; if few fit, a search by
// amounts finds them fast. So all claims are in both trees, and granting examines some claims in order
// before it searches the other tree.
type unordered struct {
	ledger    *ledger.Ledger
	tracked   int // resources that have a column: the first ones
	byWants   tree
	byTurns   tree
	row       row               // that was made last
	limits    row               // the remaining amount of each tracked resource
	settled   []quantity.Amount // the remaining amount of each resource when no claim fitted
	fresh     []*claim          // that have come since
	scanLimit int               // see scanLimit; less in tests
}

// mostTracked bounds the columns of a tree. Amounts of other resources are only checked when the
// claim itself is examined.
const mostTracked = 16

// scanLimit is the number of claims that granting rules out by their rows, in order, before it searches the
// tree by amounts. They take about as long as such a search if few claims fit.
const scanLimit = 2048

// lookCost is the cost of a claim that its row does not rule out but that does not fit, as a number
// of claims that a row rules out. The time is about the same.
const lookCost = 32

func newUnordered(l *ledger.Ledger) *unordered {
	q := &unordered{ledger: l, tracked: min(len(l.Resources), mostTracked), scanLimit: scanLimit}
	q.row, q.limits = newRow(max(1, q.tracked)), newRow(max(1, q.tracked))
	q.byWants = tree{words: len(q.row)}
	q.byTurns = tree{words: len(q.row), byTurn: true}
	return q
}

func (q *unordered) add(c *claim) {
	r := q.rowOf(c)
	q.byWants.add(c, r)
	q.byTurns.add(c, r)
	if q.settled != nil {
		q.fresh = append(q.fresh, c)
	}
}

func (q *unordered) remove(c *claim) {
	r := q.rowOf(c)
	q.byWants.remove(c, r)
	q.byTurns.remove(c, r)
}

// rowOf returns the amounts of a claim in each tracked resource, valid until the next call. Both
// these amounts and the remaining ones are rounded up, so a claim that fits is always within the
// limits.
func (q *unordered) rowOf(c *claim) row {
	clear(q.row)
	for _, w := range c.wants {
		if w.Resource < q.tracked {
			q.row.set(w.Resource, w.Amount.Integer(q.ledger.Resources[w.Resource].Scale))
		}
	}
	return q.row
}

// round gives every claim its turn. Edits may return amounts after earlier claims had their turn, so that only a
// round without edits settles the queue.
func (q *unordered) round(edits []edit, apply applyEdit) (granted []*claim, more bool) {
	var after *claim
	for i := range edits {
		granted = q.grantBetween(granted, after, edits[i].claim)
		after = edits[i].claim
		if _, evicted := apply(edits[i], func(ledger.Want) bool { return false }); evicted && after.waits() {
			q.add(after)
		}
	}
	granted = q.grantBetween(granted, after, nil)
	if len(edits) > 0 {
		return granted, true
	}
	q.settled, q.fresh = append(q.settled[:0], q.ledger.Left...), nil
	return granted, false
}

// grantBetween grants the claims that fit between two claims, in their order. Granting only reduces the remaining
// amounts, so no earlier claim can fit afterwards. New claims are not compared with the two: a round with edits
// begins without any, and those that it evicts do not fit in it.
func (q *unordered) grantBetween(granted []*claim, after, until *claim) []*claim {
	from := len(granted)
	grantIfFits := func(c *claim) bool {
		fits := !slices.ContainsFunc(c.wants, q.ledger.Short)
		if fits {
			q.ledger.Take(c.wants)
			q.setLimits()
			granted = append(granted, c)
		}
		return fits
	}
	isOver := func(c *claim) bool { return until != nil && !c.before(until) }
	switch q.setLimits(); {
	case !q.grown():
		slices.SortFunc(q.fresh, (*claim).compare)
		for _, c := range q.fresh {
			grantIfFits(c)
		}
	case q.byWants.any(q.limits):
		last, over := q.walk(after, isOver, grantIfFits)
		if over {
			break
		}
		q.byWants.search(q.limits, func(c *claim) bool {
			if last.before(c) && !isOver(c) {
				grantIfFits(c)
			}
			return !isOver(c)
		})
	}
	for _, c := range granted[from:] { // the trees must not change meanwhile
		q.remove(c)
	}
	q.fresh = slices.DeleteFunc(q.fresh, func(c *claim) bool {
		_, is := slices.BinarySearchFunc(granted[from:], c, (*claim).compare)
		return is
	})
	return granted
}

// walk grants claims that fit, in their order, starting after a claim, until none of the near ones fits. It
// returns the last claim that it has examined, and whether that is the last of the queue.
func (q *unordered) walk(after *claim, isOver, grantIfFits func(*claim) bool) (last *claim, over bool) {
	left, last := q.scanLimit, after
	q.byTurns.walk(after, func(leaf *node, at int) bool {
		for ; at < leaf.size() && left > 0; at++ {
			c := leaf.claims[at].claim
			switch {
			case !q.byTurns.rowOf(leaf.rows, at).within(q.limits):
				left--
			case isOver(c):
				return false
			case grantIfFits(c):
				left = q.scanLimit
			default:
				left -= lookCost
			}
			last = c
		}
		return left > 0
	})
	return last, left > 0
}

// grown reports whether more of a resource remains than when the queue was settled.
func (q *unordered) grown() bool {
	for resource, left := range q.settled {
		if q.ledger.Left[resource].Exceeds(left, q.ledger.Resources[resource].Scale) {
			return true
		}
	}
	return q.settled == nil
}

// setLimits sets the limits of a search to the remaining amount of each tracked resource.
func (q *unordered) setLimits() {
	clear(q.limits)
	for resource := range q.tracked {
		q.limits.set(resource, max(0, q.ledger.Left[resource].Integer(q.ledger.Resources[resource].Scale)))
	}
}

func (q *unordered) blockerOf(*claim, int) *claim { return nil }

func (q *unordered) exhausted(yield func(*claim)) { q.byTurns.each(yield) }
