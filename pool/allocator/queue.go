package allocator

import "github.com/kubemath/kubemath/pool/internal/ledger"

// queue is the order in which waiting claims are decided.
type queue interface {
	// add adds a waiting claim that wants something.
	add(*claim)
	// remove removes a claim, which must be in the queue.
	remove(*claim)
	// round gives each claim its turn, as one call of pool.Allocate does. It returns the claims that were
	// granted, in their order, and whether more may be granted in another round. Holding claims are edited in
	// their turn; edits are sorted by turn. The amounts of holding claims are subtracted from the ledger.
	round(edits []edit, apply applyEdit) (granted []*claim, more bool)
	// blockerOf returns the earlier claim that closes a resource to c, or nil if there is none.
	blockerOf(c *claim, number int) *claim
	// exhausted calls yield with the claims in state PoolExhausted, in no order.
	exhausted(yield func(*claim))
}

// edit is a holding claim and its new request.
type edit struct {
	*claim
	to demand
}

// applyEdit resizes or evicts a holding claim, and reports which. closed reports whether an earlier
// claim closes a resource to it. For an evicted claim, short are the wants that the pool was
// short of.
type applyEdit func(e edit, closed func(ledger.Want) bool) (short []ledger.Want, evicted bool)
