// Package allocator keeps the allocation of a pool up to date while claims are created, changed and
// deleted, for controllers with very many claims.
//
//	a := allocator.New(p, claims, pool.Options{})
//	bound, err := a.Set(claim)
//
// At any time, an [Allocator] gives the answers of pool.Allocate for the same pool and claims, after
// that function has been called and applied until it binds no more claims. [Allocator.Set],
// [Allocator.Delete], [Allocator.Release], [Allocator.Resize] and [Allocator.SetPool] are events.
// Each returns the claims that became bound because of it. [Allocator.Decision] returns why any
// other claim waits.
//
// If the spec of a bound claim is edited, the current API resizes or evicts the claim when its turn
// comes (see [Allocator.Evict]), and the documented API refuses the edit.
//
// # Cost
//
// The time for an event is proportional to the decisions that it changes and to the claims that
// might fit, not to the number of waiting claims. For r resources and n waiting claims:
//
//   - Without an ordered queue, it is O(r log n) for each claim that is added, removed or bound. If
//     more of a resource remains than before, a search follows. It examines up to 2,048 claims
//     in queue order after each claim that it binds. After that, it examines only those parts
//     of a tree in which the smallest amount of every resource fits.
//   - The tree of a million claims has about fourteen levels, and each level halves the claims by
//     one resource. With four resources, that is three or four levels for each, and a search
//     examines few claims that do not fit. With random subsets of twelve resources, it is one level
//     for each, and a search examines most of the claims that request little of every scarce
//     resource: one claim in 2^s for s scarce resources. In most searches, that is 1% of the
//     claims. If much of every resource remains, but for every claim too little of some resource,
//     it is all of them: O(n).
//   - A search is also O(n) if all claims request nearly the same amount, less than 0.2% of it is
//     missing, and the amount has more than 10 significant bits (123456789 has, 1000Mi does not).
//     The tree does not include resources from the 17th on, and those that the pool did not offer
//     when it was passed to New: they are compared claim by claim.
//   - With an ordered queue, it is O(log n) for each claim that is bound, and O(g) for each pass
//     over the queue: one pass, and another one after claims were bound. Here, g is the number of
//     different sets of resources that claims name: a few in practice, however many claims there
//     are, and at most 2^r.
//
// An Allocator uses less than 400 bytes for each claim with four resources and names of 20 bytes,
// and less than 470 for each claim with six of twelve resources.
//
// # Contract
//
// The contract of [github.com/kubemath/kubemath] applies. Arguments are never retained. The state of
// an Allocator depends only on the events and their order. A method that changes an Allocator must
// not run at the same time as any other method. Methods that only read may run concurrently.
//
// # Sources
//
// Those of package pool.
package allocator
