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
// An event takes time by what it changes, and by how many claims might fit, and not by how many claims wait.
// With r resources and n claims that wait:
//
//   - without an ordered queue, O(r log n) for each claim that comes, goes or is bound, and, if some claim may fit as far as
//     a look at the root of a tree tells, a search. It looks at up to 2,048 claims in turn after the last one that fitted,
//     and then at the parts of a tree in which the least amounts that claims want, of each resource, all fit.
//     With few resources, or where most claims want much of what there is little of, these are few parts.
//     Where claims want many different sets of many resources, of each of which a little is left, they
//     are a part of n that grows more slowly than n: with random subsets of twelve resources and a
//     million claims, a search that binds a claim takes several times as long as one with four;
//   - the worst case is O(n): all claims want nearly the same amount, of which less than 0.2% is missing, and that amount
//     is not written in 10 bits and zeros (1000Mi is, 123456789 is not). Of resources from the 17th on,
//     only a look at a claim itself tells whether enough is left, so that claims that are short of none but these are
//     all looked at;
//   - with one, O(log n) for each claim that is bound, and for each time the queue has to
//     be gone through (once, and again after claims were bound) O(g), where g is how
//     many different sets of resources claims have named: a few, in practice, whatever the
//     number of claims, and at most 2 to the power of r.
//
// Memory is less than 400 bytes for a claim with four resources and names of 20 bytes, and less than 450 for
// one with six of twelve.
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
