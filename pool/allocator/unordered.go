package allocator

import (
	"container/heap"
	"math/bits"
	"slices"
	"sort"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// unordered is the queue without order: a claim is bound as soon as it fits.
//
// Each claim is filed under one of the resources that it requests: the one of which it requests
// most in relation to what remained when it was filed. Claims that are filed under one resource and
// request similar amounts of it share a tree. While less than that remains, the tree is skipped.
// Otherwise the tree is searched, and every subtree is skipped in which all claims request more of
// some resource than remains.
//
// A claim that is short of another resource than the one under which it is filed is found by every
// search. It is filed anew, at most as many claims in one event as the search has visited, so that no
// event pays for all claims. Where a claim is filed affects speed only, never the answer.
type unordered struct {
	ledger  *ledger.Ledger
	bound   *int       // how many claims hold what is claimed
	tracked int        // resources that have a column in the trees: the first ones
	trees   [][]*shelf // by resource, then by class

	misplaced []*claim // that the search has come across
	leaves    int      // that it has looked at
	row       []int64
	limits    []int64 // of the search
}

// shelf holds the claims of a place that want about as much of its resource. The first column is what
// they want of it, the others are those of the tracked resources.
type shelf struct {
	tree
	class int
}

// mostTracked bounds the columns of a tree. What claims want of other resources counts when they are
// looked at themselves.
const mostTracked = 16

// classOf returns which amounts are about as much as one: it grows with the amount, by 2 for twice as much.
func classOf(amount int64) int {
	if amount < 2 {
		return int(max(0, amount))
	}
	octave := bits.Len64(uint64(amount))
	return octave<<1 | int(amount>>(octave-2)&1)
}

func newUnordered(l *ledger.Ledger, bound *int) *unordered {
	return &unordered{ledger: l, bound: bound, tracked: min(len(l.Resources), mostTracked)}
}

func (q *unordered) add(c *claim) {
	c.place = int16(q.placeOf(c))
	c.queued = true
	q.shelfOf(c).add(c, q.rowOf(c))
}

func (q *unordered) remove(c *claim) {
	c.queued = false
	q.shelfOf(c).remove(c)
}

// placeOf returns which of its wants a claim is most short of, or would be first.
func (q *unordered) placeOf(c *claim) int {
	place, most := 0, -1.0
	for i, w := range c.wants {
		if part := float64(q.wants(w)) / q.soon(w.Resource); part > most {
			place, most = i, part
		}
	}
	return place
}

// soon returns how much of a resource may be left soon: what is left now and what one claim of those that
// are bound holds on average, as it may be given back. It is at least a bit.
func (q *unordered) soon(number int) float64 {
	held := float64(q.ledger.Claimed[number].Integer(q.ledger.Resources[number].Scale)) / float64(max(1, *q.bound))
	return max(float64(q.left(number)), 0) + max(held, 1e-3)
}

// rowOf returns the row of a claim, until the next one is asked for.
func (q *unordered) rowOf(c *claim) []int64 {
	q.row = append(q.row[:0], make([]int64, 1+q.tracked)...)
	q.row[0] = q.wants(c.wants[c.place])
	for _, w := range c.wants {
		if w.Resource < q.tracked {
			q.row[1+w.Resource] = q.wants(w)
		}
	}
	return q.row
}

// shelfOf returns the shelf of a claim, which it makes if there is none.
func (q *unordered) shelfOf(c *claim) *shelf {
	w := c.wants[c.place]
	for len(q.trees) <= w.Resource {
		q.trees = append(q.trees, nil)
	}
	shelves, class := q.trees[w.Resource], classOf(q.wants(w))
	at := sort.Search(len(shelves), func(i int) bool { return shelves[i].class >= class })
	if at == len(shelves) || shelves[at].class != class {
		shelves = slices.Insert(shelves, at, &shelf{tree: tree{width: 1 + q.tracked}, class: class})
		q.trees[w.Resource] = shelves
	}
	return shelves[at]
}

func (q *unordered) settle(edits []edit, apply applyEdit) (bound []*claim, first int) {
	var after *claim
	for i := range edits {
		bound = q.sweep(bound, after, edits[i].claim)
		after = edits[i].claim
		if _, evicted := apply(edits[i], func(ledger.Want) bool { return false }); evicted && after.waits() {
			q.add(after)
		}
	}
	bound = q.sweep(bound, after, nil)
	first = len(bound)
	if len(edits) > 0 {
		bound = q.sweep(bound, nil, nil)
	}
	q.move(q.leaves/8 + 4)
	return bound, first
}

// sweep binds claims in turn, from the one after a claim on and up to another one: those that fit.
// What is bound leaves less for the others, so that no claim before it can come to fit.
func (q *unordered) sweep(bound []*claim, after, until *claim) []*claim {
	var next candidates
	for number, shelves := range q.trees {
		highest := classOf(q.left(number))
		for _, t := range shelves {
			if t.class > highest {
				break
			}
			if c := q.search(number, t, after); c != nil {
				next = append(next, candidate{c, t, number})
			}
		}
	}
	heap.Init(&next)
	for len(next) > 0 && (until == nil || next[0].claim.before(until)) {
		c, t := next[0].claim, next[0].shelf
		if !slices.ContainsFunc(c.wants, q.ledger.Short) {
			q.remove(c)
			q.ledger.Take(c.wants)
			bound = append(bound, c)
		}
		if next[0].claim = q.search(next[0].number, t, c); next[0].claim == nil {
			heap.Pop(&next)
		} else {
			heap.Fix(&next, 0)
		}
	}
	return bound
}

// search returns the first claim of a shelf after another one that fits.
func (q *unordered) search(number int, t *shelf, after *claim) *claim {
	if t.empty() {
		return nil
	}
	q.limits = append(q.limits[:0], q.left(number))
	for tracked := range q.tracked {
		q.limits = append(q.limits, max(0, q.left(tracked)))
	}
	return t.search(after, q.limits, q)
}

// found reports whether a claim fits of which no column is above its limit.
func (q *unordered) found(c *claim) bool { return !slices.ContainsFunc(c.wants, q.ledger.Short) }

// passed notes a claim of which a column is above its limit: it is misplaced if that is not its own one.
func (q *unordered) passed(c *claim, row []int64) {
	if row[0] <= q.limits[0] && len(q.misplaced) < mostMoves {
		q.misplaced = append(q.misplaced, c)
	}
}

// looked notes that a leaf is looked at.
func (q *unordered) looked() { q.leaves++ }

// mostMoves bounds how many claims an event moves to another tree.
const mostMoves = 1 << 10

// move moves claims that are still in the wrong place, at most so many, and forgets the others.
func (q *unordered) move(n int) {
	for _, c := range q.misplaced {
		if n == 0 {
			break
		}
		if c.queued && q.misplacedNow(c) && q.placeOf(c) != int(c.place) {
			n--
			q.remove(c)
			q.add(c)
		}
	}
	clear(q.misplaced)
	q.misplaced, q.leaves = q.misplaced[:0], 0
}

func (q *unordered) misplacedNow(c *claim) bool {
	return !q.ledger.Short(c.wants[c.place]) && slices.ContainsFunc(c.wants, q.ledger.Short)
}

func (q *unordered) tidy() {
	var all []*claim
	q.each(func(c *claim) {
		if q.misplacedNow(c) && q.placeOf(c) != int(c.place) {
			all = append(all, c)
		}
	})
	for _, c := range all {
		q.remove(c)
		q.add(c)
	}
}

// wants returns what is wanted, as an integer that is no greater.
func (q *unordered) wants(w ledger.Want) int64 {
	return atLeast(w.Amount, q.ledger.Resources[w.Resource].Scale)
}

// left returns what is left of a resource.
func (q *unordered) left(number int) int64 {
	return atMost(q.ledger.Left[number], q.ledger.Resources[number].Scale)
}

func (q *unordered) ahead(*claim, int) *claim { return nil }

func (q *unordered) exhausted(yield func(*claim)) { q.each(yield) }

func (q *unordered) each(yield func(*claim)) {
	for _, trees := range q.trees {
		for _, t := range trees {
			t.each(yield)
		}
	}
}

// candidates are a claim that fits of each shelf that has one, a heap with the first at the top.
type candidates []candidate

type candidate struct {
	claim  *claim
	shelf  *shelf
	number int
}

func (h candidates) Len() int           { return len(h) }
func (h candidates) Less(i, j int) bool { return h[i].claim.before(h[j].claim) }
func (h candidates) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *candidates) Push(x any)        { *h = append(*h, x.(candidate)) }
func (h *candidates) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
