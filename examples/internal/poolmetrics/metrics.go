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

// Collect returns the metrics of pools and claims, computed from their statuses. The values are in
// CPUs, bytes or numbers of objects. A percentage of 100 is the whole amount.
//
// Both APIs have these metrics, in the order of Capsule's documentation:
//
//   - for each pool and resource: capsule_pool_available, capsule_pool_limit,
//     capsule_pool_resource (always 1), and capsule_pool_usage (the claimed amount);
//   - for each pool, namespace and resource: capsule_pool_namespace_usage (the amount that the
//     claims of the namespace hold);
//   - for each claim: capsule_claim_condition.
//
// In the current API, capsule_claim_condition has a sample for each of the conditions Ready, Exhausted and Bound (in use):
// 1 if it is True. It also has percentages of the capacity, 0 of none; capsule_pool_exhaustion, what the claims that are short
// request, and by what percentage that exceeds what is available, without a sample if that is nothing or enough; the conditions
// of pools; the pool of a claim, or that of its spec; and what it requests. In the documented API, the sample is 1 for the type
// of the condition, and 0 for the other one, with its reason and status.
//
// Metrics without samples, nil objects, conditions that a status does not have, and negative
// recorded amounts are omitted. If several objects have the same name, each has samples.
//
// Cost: linear in the number of claims, recorded or passed, plus the time to sort the samples.
func Collect(pools []*pool.ResourcePool, claims []*pool.ResourcePoolClaim, opts pool.Options) []Metric {
	pools = slices.DeleteFunc(slices.Clone(pools), func(p *pool.ResourcePool) bool { return p == nil })
	claims = slices.DeleteFunc(slices.Clone(claims), func(c *pool.ResourcePoolClaim) bool { return c == nil })
	all := slices.Concat(ofPools(pools, opts), ofClaims(claims, opts))
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
