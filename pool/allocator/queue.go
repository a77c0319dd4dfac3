package allocator

import (
	"slices"
	"sort"
)

const (
	// mostInBlock is the maximum number of claims of a block.
	mostInBlock = 128
	// mostColumns is the maximum number of resources whose amounts are in the rows of a queue.
	mostColumns = 16
)

// queue holds the waiting claims in their order. It is a sorted list in blocks, so that an insertion moves few
// claims.
//
// Most walks rule out nearly every claim. Therefore each claim has a row of what it wants of the first resources,
// in units and rounded up, and a walk only looks at claims whose row is within its limits. For most of them, it
// reads a single amount of the row: the one that exceeded its limit the last time.
type queue struct {
	columns int // of a row, at least one
	blocks  []*block
}

// block is a part of a queue. It is never empty.
type block struct {
	entries []entry
	rows    []int64 // of each entry, one after the other
}

// entry is a claim, with an amount of its row.
type entry struct {
	claim  *claim
	column int
	amount int64
}

// add inserts a claim.
func (q *queue) add(c *claim, row []int64) {
	at := q.blockOf(c)
	if len(q.blocks) == 0 {
		q.blocks = append(q.blocks, &block{})
	}
	b := q.blocks[at]
	place := b.placeOf(c)
	if len(b.entries) == mostInBlock {
		// A block that grows at its end stays full, because claims often arrive in order.
		half := mostInBlock / 2
		if place == mostInBlock {
			half = place
		}
		right := &block{entries: slices.Clone(b.entries[half:]), rows: slices.Clone(b.rows[half*q.columns:])}
		q.truncate(b, half)
		q.blocks = slices.Insert(q.blocks, at+1, right)
		if place > half || half == mostInBlock {
			b, place = right, place-half
		}
	}
	b.entries = slices.Insert(b.entries, place, entry{c, 0, row[0]})
	b.rows = slices.Insert(b.rows, place*q.columns, row...)
}

// remove removes a claim, which must be in the queue.
func (q *queue) remove(c *claim) {
	at := q.blockOf(c)
	b := q.blocks[at]
	place := b.placeOf(c)
	b.entries = slices.Delete(b.entries, place, place+1)
	b.rows = slices.Delete(b.rows, place*q.columns, (place+1)*q.columns)
	if len(b.entries) == 0 {
		q.blocks = slices.Delete(q.blocks, at, at+1)
	}
}

// walk calls leaves with each claim between two others, in order, unless its row exceeds the limits, and removes
// those for which leaves returns true. A nil claim is no bound. The function may change the limits, but not the
// queue.
//
// Cost: linear in the number of claims, with one comparison for most of them.
func (q *queue) walk(after, before *claim, limits []int64, leaves func(*claim) bool) {
	first, last := q.blockOf(after), len(q.blocks)-1
	if before != nil {
		last = min(last, q.blockOf(before))
	}
	emptied := false
	for at := first; at <= last; at++ {
		b := q.blocks[at]
		from, to := 0, len(b.entries)
		if at == first && after != nil {
			from = b.placeOf(after)
		}
		if at == last && before != nil {
			to = b.placeOf(before)
		}
		kept := from
		for i := from; i < len(b.entries); i++ {
			e := &b.entries[i]
			if i < to && e.amount <= limits[e.column] && q.isWithin(limits, b, i) && leaves(e.claim) {
				continue
			}
			if kept < i {
				b.entries[kept] = *e
				copy(q.row(b, kept), q.row(b, i))
			}
			kept++
		}
		if kept < len(b.entries) {
			q.truncate(b, kept)
			emptied = emptied || kept == 0
		}
	}
	if emptied {
		q.blocks = slices.DeleteFunc(q.blocks, func(b *block) bool { return len(b.entries) == 0 })
	}
}

// isWithin reports whether no amount of a row exceeds its limit, and otherwise notes the first one that does.
func (q *queue) isWithin(limits []int64, b *block, place int) bool {
	for column, amount := range q.row(b, place) {
		if amount > limits[column] {
			e := &b.entries[place]
			e.column, e.amount = column, amount
			return false
		}
	}
	return true
}

func (q *queue) row(b *block, place int) []int64 {
	return b.rows[place*q.columns : (place+1)*q.columns]
}

// truncate removes the entries from a place on.
func (q *queue) truncate(b *block, place int) {
	b.entries = slices.Delete(b.entries, place, len(b.entries))
	b.rows = b.rows[:place*q.columns]
}

// each calls yield with every claim, in order.
func (q *queue) each(yield func(*claim)) {
	for _, b := range q.blocks {
		for _, e := range b.entries {
			yield(e.claim)
		}
	}
}

// blockOf returns the index of the block that a claim is in or belongs in, and 0 for nil.
func (q *queue) blockOf(c *claim) int {
	if c == nil {
		return 0
	}
	return max(0, sort.Search(len(q.blocks), func(i int) bool { return c.before(q.blocks[i].entries[0].claim) })-1)
}

// placeOf returns the index at which a claim is or belongs in a block.
func (b *block) placeOf(c *claim) int {
	return sort.Search(len(b.entries), func(i int) bool { return !b.entries[i].claim.before(c) })
}
