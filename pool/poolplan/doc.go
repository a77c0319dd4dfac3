// Package poolplan sizes a pool: how much it has to grow so that a claim is granted what it requests. It also finds
// claims that were overtaken in the queue.
//
//	more, waits := poolplan.Growth(name, p, claims)
//
// [Growth] returns how much a pool lacks for one claim or for all of them. [Overtaken] returns the claims
// that have waited longest, and the claims that passed them in an unordered queue.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Every answer can be tried with [pool.Allocate],
// on copies.
//
// # Sources
//
// Capsule's "Resource Pools", its section "Queue".
package poolplan
