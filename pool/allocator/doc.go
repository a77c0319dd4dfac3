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
// An event takes time in proportion to the decisions that it changes, and to the claims that might
// fit, not to the claims that wait. With r resources and n claims that wait:
//
//   - without an ordered queue, O(r log n) for each claim that comes, goes or is bound. That is all
//     unless more is left of a resource than before. Then a search follows. It examines up to 2,048 claims
//     in turn after each one that it binds, and after that the parts of a tree in which the least amounts of
//     every resource fit;
//   - such a search examines few claims that do not fit if there are few resources: a tree of a million
//     claims has some fourteen levels of halves, which is three or four for each of four resources. With
//     random subsets of twelve, it is one for each. So a search examines most claims that want much
//     only of resources of which much is left: one in 2 to the power of how many resources have little left.
//     That is 1% of the claims in most searches, but with much left of all resources, yet too little of
//     some for every claim, it is all of them: O(n);
//   - it is O(n), too, if all claims want nearly the same amount, less than 0.2% of it is missing, and the
//     amount has more than 10 significant bits (123456789; 1000Mi has fewer). Resources from the 17th
//     on, and those that the pool did not offer when it was given, are only compared claim by claim;
//   - with an ordered queue, O(log n) for each claim that is bound, and for each time the queue has to
//     be gone through (once, and again after claims were bound) O(g), where g is how
//     many different sets of resources claims have named: a few, in practice, whatever the
//     number of claims, and at most 2 to the power of r.
//
// Memory is less than 400 bytes for a claim with four resources and names of 20 bytes, and less than
// 470 for one with six resources of twelve.
//
// # Contract
//
// The contract of the module holds: see [github.com/kubemath/kubemath]. Besides, nothing that is given
// is kept, and the state of an Allocator depends only on the events and their order. A call that
// changes an Allocator must be alone; calls that read may run at the same time.
//
// # Sources
//
// Those of package pool.
package allocator
