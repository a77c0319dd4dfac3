package allocator

import (
	"container/heap"
	"math"
	"slices"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// unordered is the queue without order: a claim is bound as soon as it fits.
//
// Claims that want the same resources, in whatever amounts, are a group. In its group each claim
// is in the tree of one resource that it was short of, its place; which one does not matter. A tree
// is out of the question as a whole while less is left of its resource than the least that a claim
// in it wants. Otherwise it is looked through, and every part of it is passed over in which all
// claims want more of one resource than is left, whichever that is.
//
// A claim that is no longer short of the resource of its tree, but of another, is in the wrong place:
// the search finds it again and again. It is moved if the weather lasts, but not more claims
// at a time than the search took time for, so that no event pays for all. So whether a claim is in the
// right place is not an invariant, but only a matter of speed.
type unordered struct {
	ledger *ledger.Ledger
	groups map[string]*group
	trees  [][]*groupTree // by resource
	least  [][]int64      // and what each of the trees wants of it at least

	misplaced []*claim // that the search has come across
	leaves    int      // that it has looked at
}

// group are the claims that want the same resources.
type group struct {
	resources []int
	trees     []*groupTree // by place
}

type groupTree struct {
	tree
	group *group
	place int
	slot  int // in trees and least of the resource
}

func (q *unordered) group(c *claim) *group {
	g := q.groups[c.kind.resources]
	if g == nil {
		g = &group{trees: make([]*groupTree, len(c.wants))}
		for _, w := range c.wants {
			g.resources = append(g.resources, w.Resource)
		}
		q.groups[c.kind.resources] = g
	}
	return g
}

func (q *unordered) add(c *claim) {
	// If it is short of nothing, settle will find it wherever it is.
	q.addTo(c, max(0, slices.IndexFunc(c.wants, q.ledger.Short)))
}

func (q *unordered) addTo(c *claim, place int) {
	g := q.group(c)
	t := g.trees[place]
	if t == nil {
		number := g.resources[place]
		for len(q.trees) <= number {
			q.trees, q.least = append(q.trees, nil), append(q.least, nil)
		}
		t = &groupTree{tree: tree{width: len(g.resources)}, group: g, place: place, slot: len(q.trees[number])}
		g.trees[place] = t
		q.trees[number], q.least[number] = append(q.trees[number], t), append(q.least[number], math.MaxInt64)
	}
	c.place = int16(place)
	var room [16]int64
	row := room[:0]
	for _, w := range c.wants {
		row = append(row, atLeast(w.Amount, q.ledger.Resources[w.Resource].Scale))
	}
	t.tree.add(c, row)
	c.queued = true
	q.note(t)
}

func (q *unordered) remove(c *claim) {
	t := q.group(c).trees[c.place]
	t.tree.remove(c)
	c.queued = false
	q.note(t)
}

// note keeps what a tree wants at least.
func (q *unordered) note(t *groupTree) {
	least := int64(math.MaxInt64)
	if !t.empty() {
		least = t.tree.least[t.place]
	}
	q.least[t.group.resources[t.place]][t.slot] = least
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
	for number := range q.trees {
		left := q.left(number)
		for slot, least := range q.least[number] {
			if least <= left && !q.trees[number][slot].empty() {
				next.consider(q, q.trees[number][slot], after)
			}
		}
	}
	heap.Init(&next)
	for len(next) > 0 && (until == nil || next[0].claim.before(until)) {
		c, t := next[0].claim, next[0].tree
		if !slices.ContainsFunc(c.wants, q.ledger.Short) {
			q.remove(c)
			q.ledger.Take(c.wants)
			bound = append(bound, c)
		}
		if next[0].claim = q.search(t, c); next[0].claim == nil {
			heap.Pop(&next)
		} else {
			heap.Fix(&next, 0)
		}
	}
	return bound
}

// search returns the first claim of a tree after another one that fits.
func (q *unordered) search(t *groupTree, after *claim) *claim {
	var room [16]int64
	limits := room[:0]
	for _, number := range t.group.resources {
		limits = append(limits, q.left(number))
	}
	// In another place, a part that holds something misplaced is out of the question sooner.
	fits := func(c *claim, _ []int64) bool { return !slices.ContainsFunc(c.wants, q.ledger.Short) }
	return t.tree.search(after, limits, fits, func(n *node) {
		q.leaves++
		if len(q.misplaced) < mostMoves {
			q.collect(t, n, limits)
		}
	})
}

// mostMoves bounds how many claims an event moves to another tree.
const mostMoves = 1 << 10

// collect notes the first claim of a leaf that is not short of the resource of its tree, but of another.
func (q *unordered) collect(t *groupTree, n *node, limits []int64) {
	for i, c := range n.claims {
		if row := t.row(n, i); row[t.place] <= limits[t.place] && exceeds(row, limits) {
			q.misplaced = append(q.misplaced, c)
		}
	}
}

// move moves claims that are still in the wrong place, at most so many, and forgets the others.
func (q *unordered) move(n int) {
	for _, c := range q.misplaced {
		if n == 0 {
			break
		}
		if c.queued && q.misplacedNow(c) {
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
		if q.misplacedNow(c) {
			all = append(all, c)
		}
	})
	for _, c := range all {
		q.remove(c)
		q.add(c)
	}
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

// candidates are a claim that fits of each tree that has one, a heap with the first at the top.
type candidates []candidate

type candidate struct {
	claim *claim
	tree  *groupTree
}

func (h *candidates) consider(q *unordered, t *groupTree, after *claim) {
	if c := q.search(t, after); c != nil {
		*h = append(*h, candidate{c, t})
	}
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
