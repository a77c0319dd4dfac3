// Package pool grants the claims of several namespaces on one pool of resources, and returns why the others wait:
// Capsule's ResourcePools and ResourcePoolClaims, without a cluster.
//
//	a := pool.Allocate(p, claims, pool.Options{})
//	quota := pool.Quota(p, "solar-test", a.Namespaces["solar-test"])
//
// # Functions
//
// [ResourcePool] and [ResourcePoolClaim] have the JSON of the two manifests, and [ValidatePool] and
// [ValidateClaim] check them. [Namespaces] returns which namespaces may claim from a pool, and [Assign] which pool
// a claim belongs to: write it to the claim's spec.pool first, or call [ApplyAssignment]. [Allocate] processes the
// queue, ordered or not, and returns for each waiting claim why it waits. [Quota] is the ResourceQuota that a
// namespace gets. [Allocation.Apply] writes all of this to the statuses of the objects; [Allocation.Status] is
// that of the pool alone, and [ApplyAssignment], [ApplyDecision], [ApplyUse] and [ApplyAssignError] write to one
// claim. [ResourcePoolStatus.Changes] and [ResourcePoolClaimStatus.Changes] return what differs from a stored
// status, so that only that is written.
//
// What a claim holds is what the status of its pool records for it ([Record]), even if its spec has changed since.
// [Options] select the Capsule to follow: the current one, which is the zero value, or the documented one. In the
// current API, a holding claim is in use or unused ([ResourcePoolClaim.InUse]), and may be edited while it is unused.
//
// [ValidatePool], [ValidateClaim] and [ValidateClaimDeletion] are the checks of an admission webhook, and
// [ApplyReleasePolicy] is its mutation. [Release] and [DeletePool] return the objects as they are afterwards. [Needed]
// returns which holding claims of a namespace are needed for its usage.
//
// Package allocator has the same answers for a million claims, poolplan how much a pool has to grow, and migrate turns
// ResourceQuotas into pools and claims.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Amounts have the format that the pool uses. The
// order in which claims, namespaces or pools are passed does not matter.
//
// # Sources
//
// Capsule's "Resource Pools", the messages of its admission webhooks, its main branch at 65a4e19, and, where
// all are silent, its controller. Capsule refuses a request for zero of an exhausted resource, and admits a
// negative one. Here, a request for zero always fits, and a negative request is always refused.
package pool
