// Package allocator keeps a pool and its claims allocated while they come, change and go, for
// controllers with very many of them.
//
//	a := allocator.New(p, claims, pool.Options{})
//	bound, err := a.Set(claim)
//
// An [Allocator] answers at any time what pool.Allocate answers for the same pool and claims,
// once that has been asked often enough to bind no more. [Allocator.Set],
// [Allocator.Delete], [Allocator.Release], [Allocator.Resize] and [Allocator.SetPool] are
// events, each of which returns the claims that it let be bound; [Allocator.Decision] says why
// another one waits.
//
// A bound claim whose spec is edited has its turn by the current API: it is resized or evicted, see
// [Allocator.Evict]. By the documented API, the edit is refused.
//
// # Cost
//
// An event takes time by what it changes, and by how many claims might fit by what they are short of
// most, and not by how many claims wait. With r resources and n claims that wait:
//
//   - without an ordered queue, O(r log n) for each claim that is bound, and a look at each leaf of 64
//     claims in which some claim may fit as far as the least amounts in it tell. That is seldom a part
//     of n; when what the pool is short of has just changed, it is up to n/64 leaves, without an
//     allocation for a claim, until the claims have been moved, a few with each event;
//   - with one, O(log n) for each claim that is bound, and for each time the queue has to
//     be gone through (once, and again after claims were bound) O(g), where g is how
//     many different sets of resources claims have named: a few, in practice, whatever the
//     number of claims, and at most 2 to the power of r.
//
// Memory is less than 400 bytes for a claim with four resources and names of 20 bytes.
//
// # Contract
//
// Everything that is given is only read, and nothing of it is kept; results own their
// memory. The state of an Allocator depends only on the events and their order. A call that
// changes an Allocator must be alone; calls that read may run at the same time.
//
// # Sources
//
// Those of package pool.
package allocator
