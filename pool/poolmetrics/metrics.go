package poolmetrics

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/pool"
)

// Metric is a gauge with its samples, sorted by their labels.
type Metric struct {
	Name, Help string
	Samples    []Sample
}

// Sample is a value of a metric.
type Sample struct {
	Labels []Label // sorted by name
	Value  float64
}

// Label is one of the labels of a sample.
type Label struct{ Name, Value string }

// Collect returns the metrics of pools and claims by their statuses. Amounts are in their units:
// CPUs, bytes, objects. Percentages are those of the amounts, and 100 is all there is.
//
// Either API has, in the order of Capsule's documentation:
//
//   - of each pool and resource: capsule_pool_available, capsule_pool_limit,
//     capsule_pool_resource, which is 1, and capsule_pool_usage, which is what is claimed;
//   - of each pool, namespace and resource: capsule_pool_namespace_usage, which is what its claims
//     hold;
//   - of each claim: capsule_claim_condition.
//
// Of the current API, capsule_claim_condition is 1 for each condition Ready, Exhausted or Bound
// with status True, and 0 for each that has another status; the condition Bound says that the claim
// is in use. It also has:
//
//   - capsule_pool_usage_percentage and capsule_pool_namespace_usage_percentage, which are what is
//     claimed, of what the pool has; of a resource of which it has nothing, 0;
//   - capsule_pool_exhaustion, which is what the claims that are short of a resource ask for, and
//     capsule_pool_exhaustion_percentage, which is by how much that exceeds what is available,
//     of what is available; without a sample if nothing is available, or enough;
//   - capsule_pool_condition, for the conditions Ready and Exhausted;
//   - capsule_claim_pool, which is 1 for the pool that the claim is assigned to or, before that, the
//     one that its spec names, and has an empty label if there is neither;
//   - capsule_claim_resource, which is what the claim's spec asks for.
//
// Of the documented API, capsule_claim_condition has the reason and the status among its labels. It
// is 1 for the type that the condition has, and 0 for the other one, whatever the status is.
//
// A metric without samples is left out, and so are nil objects, conditions that a status does not
// have, and recorded amounts below zero. Of objects with one name, all have samples.
//
// Cost: linear in the claims, recorded or given, and the order of the samples.
func Collect(pools []*pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) []Metric {
	all := slices.Concat(ofPools(pools, o), ofClaims(claims, o))
	all = slices.DeleteFunc(all, func(m Metric) bool { return len(m.Samples) == 0 })
	for i := range all {
		slices.SortFunc(all[i].Samples, compare)
	}
	return all
}

func (m *Metric) add(value float64, labels ...Label) {
	m.Samples = append(m.Samples, Sample{slices.Clone(labels), value})
}

// compare orders samples by the values of their labels, then by their own.
func compare(a, b Sample) int {
	byLabels := slices.CompareFunc(a.Labels, b.Labels, func(x, y Label) int { return strings.Compare(x.Value, y.Value) })
	return cmp.Or(byLabels, cmp.Compare(a.Value, b.Value))
}
