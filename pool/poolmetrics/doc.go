// Package poolmetrics answers what the metrics of pools and claims are, by Capsule's names, as
// plain values: it depends on no metrics library, and serves none.
//
//	for _, m := range poolmetrics.Collect(pools, claims) { … }
//
// [Collect] reads the statuses of the objects: see pool.Allocation.Status and
// pool.ApplyDecision.
//
// # Contract
//
// Functions are pure and only read their arguments; results own their memory and come out
// sorted. Values are the floats nearest to the amounts, at any magnitude.
//
// # Sources
//
// Capsule's "Resource Pools", section "Metrics".
package poolmetrics
