// Package pool answers who gets what of a set of resources that the claims of several
// namespaces share: Capsule's ResourcePools and ResourcePoolClaims, without a cluster.
//
//	a := pool.Allocate(p, claims, pool.Options{})
//	quota := pool.Quota(p, "solar-test", a.Namespaces["solar-test"])
//
// [ResourcePool] and [ResourcePoolClaim] have the JSON of the two manifests; [Decode] reads
// them, [ValidatePool] and [ValidateClaim] check them. [Namespaces] says who may claim from
// a pool, [Assign] which pool a claim is for, and [Compare] which claim has its turn before
// which. [Allocate] gives every claim its turn, under either queue discipline, and says why
// each one waits that does; [Quota] is what a namespace may then use. [Allocation.Apply] writes all
// that to the statuses of the objects; [Allocation.ApplyStatus], [ApplyAssignment], [ApplyDecision],
// [ApplyUse] and [ApplyAssignError] write to one of them.
//
// What a claim holds is what the status of its pool records for it ([Record]), and not what its spec
// says since then. [Options] say which Capsule is followed: the current one, which is the zero
// value, or the documented one. By the current API, a claim that is bound is in use or unused
// (ResourcePoolClaim.InUse), and may be edited while it is unused.
//
// The packages below answer what goes beyond one allocation:
//
//   - lifecycle: releases, deletions, what may change, resizing a bound claim
//   - allocator: the same answers for a million claims that come, change and go
//   - poolplan: by how much to grow, which claims to release, who was overtaken
//   - poolmetrics: Capsule's metrics, as values
//   - migrate: ResourceQuotas turned into pools and claims
//
// Parameters have one order in all of them: what is asked about first (a pool, a claim, its
// name, a namespace and its usage), then the pool and the claims that it is held against,
// then options. An old object comes before the new one. A function that asks about a pool as
// such takes it first, like Allocate.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and the
// decimal behind a resource.Quantity, so that concurrent calls on shared objects are safe;
// ApplyX writes to its first argument, as it says. Results own their memory. Amounts are
// exact at every scale, and formatted as the pool formats them. Nothing depends on the order in
// which claims, namespaces or pools are given.
//
// # Sources
//
// Capsule's "Resource Pools" and its main branch of August 2026; where both are silent, its controller. Capsule refuses a
// zero request on an exhausted resource and admits a negative one. Here, a request for zero
// always fits, and a negative request is always refused.
package pool
