package allocator

import (
	"fmt"
	"slices"
)

// Internals that the tests of package allocator_test use.
var (
	Check  = check
	Blocks = func(l *Allocator) int { return len(l.queue.blocks) }
	Others = func(l *Allocator) int { return len(l.ledger.Others) } // resources that the pool did not offer at first
	Counts = func(l *Allocator) (holding, waiting int) { return l.holding, len(l.claims) - l.holding }
)

// check returns what is wrong with the queue, or nil.
func check(l *Allocator) error {
	var last *claim
	queued := 0
	for _, b := range l.queue.blocks {
		if len(b.entries) == 0 || len(b.entries) > mostInBlock || len(b.rows) != len(b.entries)*l.queue.columns {
			return fmt.Errorf("a block of %d claims and %d amounts", len(b.entries), len(b.rows))
		}
		for i, e := range b.entries {
			queued++
			c, row := e.claim, l.queue.row(b, i)
			if !slices.Equal(row, l.rowOf(c)) || e.amount != row[e.column] {
				return fmt.Errorf("the row of %v is %v, want %v", c.name, row, l.rowOf(c))
			}
			if last != nil && !last.before(c) {
				return fmt.Errorf("%v is after %v", c.name, last.name)
			}
			if c.holds || !c.queued || l.claims[c.name] != c {
				return fmt.Errorf("%v is in the queue: holding %v, queued %v", c.name, c.holds, c.queued)
			}
			last = c
		}
	}
	for _, c := range l.claims {
		if !c.holds && c.valid() {
			queued--
		}
	}
	if queued != 0 {
		return fmt.Errorf("the queue has %d claims more than wait", queued)
	}
	return nil
}
