// Package allocator keeps a pool and its claims allocated while they come, change and go, for
// controllers with very many of them.
//
//	a := allocator.New(p, claims)
//	bound, err := a.Set(claim)
//
// An [Allocator] answers at any time what pool.Allocate answers for the same pool and claims,
// once that has been asked often enough to bind no more. [Allocator.Set],
// [Allocator.Delete], [Allocator.Release], [Allocator.Resize] and [Allocator.SetPool] are
// events, each of which returns the claims that it let be bound; [Allocator.Decision] says why
// another one waits.
//
// # Cost
//
// An event takes time by what it changes, and not by how many claims wait. With r resources
// and n claims that wait:
//
//   - without an ordered queue, O(r log n) for each claim that is bound, or that was short
//     of a resource and no longer is;
//   - with one, O(log n) for each claim that is bound, and for each time the queue has to
//     be gone through (once, and again after claims were bound) O(r·g), where g is how
//     many different sets of resources claims have named: a few, in practice, whatever the
//     number of claims, and at most 2 to the power of r.
//
// Memory is some hundreds of bytes for each claim.
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
