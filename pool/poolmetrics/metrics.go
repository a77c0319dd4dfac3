package poolmetrics

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

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

// Collect returns the metrics of pools and claims by their statuses, in the order of Capsule's
// documentation: of each pool what of each resource there is (limit), is claimed (usage),
// and is left (available), and what each namespace has claimed; of each claim its
// condition, with 1 for the type that it has and 0 for the other. Whether the condition
// holds is in the label "status". Amounts are in their units: CPUs, bytes, objects.
//
// A metric without samples is left out, and so are nil objects, claims without a
// condition, and bound amounts below zero. Of objects with one name, all have samples.
func Collect(pools []*pool.ResourcePool, claims []*pool.ResourcePoolClaim) []Metric {
	available := Metric{Name: "capsule_pool_available", Help: "Current resource availability for a given resource in a resource pool"}
	limit := Metric{Name: "capsule_pool_limit", Help: "Current resource limit for a given resource in a resource pool"}
	kinds := Metric{Name: "capsule_pool_resource", Help: "Type of resource being used in a resource pool"}
	usage := Metric{Name: "capsule_pool_usage", Help: "Current resource usage for a given resource in a resource pool"}
	namespaces := Metric{Name: "capsule_pool_namespace_usage", Help: "Current resources claimed on namespace basis for a given resource in a resource pool for a specific namespace"}
	conditions := Metric{Name: "capsule_claim_condition", Help: "The current condition status of a claim."}
	for _, p := range pools {
		if p == nil {
			continue
		}
		of := p.Status.Allocation
		for name := range of.Hard {
			labels := []Label{{"pool", p.Name}, {"resource", string(name)}}
			available.add(value(of.Available, name), labels...)
			limit.add(value(of.Hard, name), labels...)
			kinds.add(1, labels...)
			usage.add(value(of.Claimed, name), labels...)
		}
		for namespace, bound := range p.Status.Claims {
			for name, sum := range sums(bound) {
				namespaces.add(sum.AsApproximateFloat64(), Label{"pool", p.Name}, Label{"resource", string(name)}, Label{"target_namespace", namespace})
			}
		}
	}
	for _, c := range claims {
		if c == nil || c.Status.Condition.Type == "" {
			continue
		}
		for _, condition := range []string{"Assigned", "Bound"} {
			is := 0.0
			if c.Status.Condition.Type == condition {
				is = 1
			}
			conditions.add(is, Label{"condition", condition}, Label{"name", c.Name}, Label{"pool", c.Status.Pool.Name},
				Label{"reason", c.Status.Condition.Reason}, Label{"status", string(c.Status.Condition.Status)}, Label{"target_namespace", c.Namespace})
		}
	}
	all := []Metric{available, limit, kinds, usage, namespaces, conditions}
	all = slices.DeleteFunc(all, func(m Metric) bool { return len(m.Samples) == 0 })
	for i := range all {
		slices.SortFunc(all[i].Samples, compare)
	}
	return all
}

func (m *Metric) add(value float64, labels ...Label) {
	m.Samples = append(m.Samples, Sample{slices.Clone(labels), value})
}

// value returns an amount of a list, 0 if there is none.
func value(list corev1.ResourceList, name corev1.ResourceName) float64 {
	q := list[name]
	return q.AsApproximateFloat64()
}

// sums adds up what the bound claims of a namespace have, but for amounts below zero.
func sums(claims []pool.BoundClaim) corev1.ResourceList {
	sums := corev1.ResourceList{}
	for _, c := range claims {
		for name, q := range c.Claims {
			if q.Sign() < 0 {
				continue
			}
			sum := sums[name]
			sum.Add(q)
			sums[name] = sum
		}
	}
	return sums
}

// compare orders samples by the values of their labels, then by their own.
func compare(a, b Sample) int {
	byLabels := slices.CompareFunc(a.Labels, b.Labels, func(x, y Label) int { return strings.Compare(x.Value, y.Value) })
	return cmp.Or(byLabels, cmp.Compare(a.Value, b.Value))
}
