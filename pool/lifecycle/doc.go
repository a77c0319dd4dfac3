// Package lifecycle answers what may become of pools and claims, and what follows from it:
// a release, the deletion of a pool, a pool that shrinks, a bound claim that is to have
// other amounts.
//
//	errs := lifecycle.ValidatePoolUpdate(from, to)
//
// [ValidatePoolUpdate], [ValidateClaimUpdate] and [ValidateClaimDeletion] are what an
// admission webhook asks, and [ApplyReleasePolicy] what it changes. [Release] and [DeletePool] return
// the objects as they are afterwards. [Resize] gives a bound claim other amounts, all or nothing, and
// never past the queue; [Evict] is what becomes of it if the pool cannot give them. [Needed] returns
// which bound claims of a namespace its usage needs, and [UseOf] whether one is among them.
//
// # Contract
//
// Functions are pure and only read their arguments; results own their memory. Nothing is
// rounded. Lists come out in a stated order.
//
// # Sources
//
// Capsule's "Resource Pools", sections "Quota", "DeleteBoundResources", "Release" and
// "Immutable", and the messages of its admission webhooks.
package lifecycle
