// Package lifecycle answers which changes of pools and claims are valid, and what follows from them: a
// release, the deletion of a pool, a pool that shrinks, a bound claim that is resized.
//
//	errs := lifecycle.ValidatePoolUpdate(from, to)
//
// [ValidatePoolUpdate], [ValidateClaimUpdate] and [ValidateClaimDeletion] are the checks of an admission
// webhook, and [ApplyReleasePolicy] is its mutation. [Release] and [DeletePool] return the objects as
// they are afterwards. [Resize] changes the amounts of a bound claim, all of them or none, and never
// ahead of the queue. [Evict] returns the claim if the pool cannot provide the new amounts. [Needed]
// returns which bound claims of a namespace are needed for its usage, and [UseOf] whether one of them is.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Nothing is rounded.
//
// # Sources
//
// Capsule's "Resource Pools", sections "Quota", "DeleteBoundResources", "Release" and "Immutable", and
// the messages of its admission webhooks.
package lifecycle
