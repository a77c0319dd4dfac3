// Package migrate turns the ResourceQuotas of namespaces into resource pools and claims with the same capacity.
//
//	m, err := migrate.FromQuotas(sources, migrate.Options{})
//
// [FromQuotas] returns complete objects, ready to be written as YAML: a pool for each quota that is
// repeated in the namespaces, a claim for each namespace and pool, and the names of the quotas that they
// replace. Create the claims first; they wait. Then create the pools, which grant the claims immediately, and
// delete the old quotas last. From then on, each namespace is limited to what it claims, and to zero
// where it claims nothing, so that no limit is lost. [Migration.Check] returns in advance which claims would
// not be granted, and which ResourceQuotas the pools would write. [Sources] groups the ResourceQuotas of any
// namespaces by their resources and scopes, and returns what no pool can express. Quotas that Capsule keeps
// for a Tenant stand for the amount of the Tenant.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Results are sorted.
//
// # Sources
//
// Capsule's "Resource Pools", section "Migration".
package migrate
