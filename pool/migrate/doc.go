// Package migrate turns the ResourceQuotas of namespaces into resource pools and claims with
// the same capacity.
//
//	m, err := migrate.FromQuotas(sources, options)
//
// [FromQuotas] returns complete objects, ready to be written as YAML: a pool for each quota
// that is repeated in the namespaces, a claim for each namespace and pool, and the names of
// the quotas that they replace. Claims come first, and wait; then pools, to which they are
// bound at once; then the old quotas can go. [Migration.Check] says beforehand whether all
// claims will be bound, and which ResourceQuotas there will be. [Sources] groups ResourceQuotas of any
// namespaces by what they share, and says what of them no pool can have.
//
// # Contract
//
// Functions are pure and only read their arguments; results own their memory, and come out
// sorted. Amounts are exact.
//
// # Sources
//
// Capsule's "Resource Pools", section "Migration".
package migrate
