// Package poolmetrics answers what the metrics of pools and claims are, by Capsule's names, as
// plain values: it depends on no metrics library, and serves none.
//
//	for _, m := range poolmetrics.Collect(pools, claims, pool.Options{}) { … }
//
// [Collect] reads the statuses of the objects: see pool.Allocation.Apply. Its options
// say which Capsule's metrics they are.
//
// # Contract
//
// Functions are pure and only read their arguments; results own their memory and come out
// sorted. Values are the floats nearest to the amounts and percentages, at any magnitude.
//
// # Sources
//
// Capsule's "Resource Pools", section "Metrics", and the recorders of pools and claims in its main
// branch of August 2026. Those round up to thousandths, and divide by a limit of zero.
package poolmetrics
