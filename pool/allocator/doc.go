// Package allocator keeps the allocation of a pool up to date while claims are created, changed and
// deleted, for controllers with very many claims.
//
//	a := allocator.New(p, claims, pool.Options{})
//	granted, err := a.Set(claim)
//
// At any time, an [Allocator] gives the answers of pool.Allocate for the same pool and claims, after
// that function has been called and applied until it grants no more claims. [Allocator.Set],
// [Allocator.Delete], [Allocator.Release], [Allocator.Resize] and [Allocator.SetPool] are events.
// Each returns the claims that were granted because of it. [Allocator.Decision] returns why any
// other claim waits.
//
// If the spec of a holding claim is edited, the current API resizes or evicts the claim when its turn
// comes (see [Allocator.Evict]), and the documented API refuses the edit.
//
// # Cost
//
// The time for an event is proportional to the decisions that it changes and to the claims that
// might fit, not to the number of waiting claims. For r resources and n waiting claims:
//
//   - Without an ordered queue, it is O(r log n) for each claim that is added, removed or granted. If
//     more of a resource remains than before, a search follows. Most searches examine about 1% of
//     the claims, and a search in which nearly every claim is short of some other resource examines
//     all of them: O(n).
//   - With an ordered queue, it is O(log n) for each claim that is granted, and O(g) for each pass
//     over the queue: one pass, and another one after claims were granted. Here, g is the number of
//     different sets of resources that claims name: a few in practice, however many claims there
//     are, and at most 2^r.
//
// An Allocator uses less than 400 bytes for each claim with four resources and names of 20 bytes,
// and less than 470 for each claim with six of twelve resources.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Arguments are never retained. The state of
// an Allocator depends only on the events and their order. A method that changes an Allocator must
// not run at the same time as any other method. Methods that only read may run concurrently.
//
// # Sources
//
// Those of package pool.
package allocator
