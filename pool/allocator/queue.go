package allocator

import "github.com/kubemath/kubemath/pool/internal/ledger"

// queue is the discipline by which claims wait.
type queue interface {
	// add puts in a claim that waits for its turn, and wants something.
	add(*claim)
	// remove takes out a claim, which must be in.
	remove(*claim)
	// settle gives claims their turns until nothing changes, and returns those that were
	// bound, in turn, and how many of them were bound in the first round. In that round, bound
	// claims are edited, each in its turn; edits are in the order of turns. What a claim wants that
	// is bound is taken from the ledger.
	settle(edits []edit, apply applyEdit) (bound []*claim, first int)
	// ahead returns the earlier claim that closes a resource to c, nil if there is none.
	ahead(c *claim, number int) *claim
	// exhausted calls yield with the claims that may be in state PoolExhausted, in no order.
	exhausted(yield func(*claim))
}

// edit is a bound claim, and what it is to ask for instead.
type edit struct {
	*claim
	to asks
}

// applyEdit resizes a bound claim or evicts it, and reports which. closed reports whether a resource
// is closed to it by an earlier claim. Of an evicted claim, short are the wants that the pool was
// short of.
type applyEdit func(e edit, closed func(ledger.Want) bool) (short []ledger.Want, evicted bool)
