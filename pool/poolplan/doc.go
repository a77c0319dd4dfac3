// Package poolplan answers what would have to change about a pool: how much it must grow, which
// releases let the head of its queue bind, which claims can shrink instead, who was overtaken by whom;
// and it makes pools from nodes and claims from pods.
//
//	more, ok := poolplan.Growth(name, p, claims)
//
// [Growth], [GrowthForResize] and [GrowthForAll] return how much a pool lacks. [Releases] finds the smallest sets
// of bound claims whose release lets the first waiting claim bind, and [Balance] the amounts that
// bound claims hold and do not use, as far as a waiting claim needs them. [Overtaken] lists who
// waits longest, and who passed them in a queue without order. [FromNodes] makes the pool
// that a set of nodes can hold, and [Claim] the claim that the pods of a workload need.
//
// # Contract
//
// Functions are pure and only read their arguments; results own their memory. Amounts are
// exact. Every answer can be tried out with pool.Allocate, on copies.
//
// # Sources
//
// Capsule's "Resource Pools", "Autobalancing" in its introduction, and its sections "Queue", "Release" and
// "Future Ideas".
package poolplan
