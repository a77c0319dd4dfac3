// Package poolmetrics computes the values of Capsule's metrics of pools and claims. It returns plain
// values and depends on no metrics library, so that a controller can register them and a command can
// print them.
//
//	for _, m := range poolmetrics.Collect(pools, claims, pool.Options{}) {
//		fmt.Println(m.Name, len(m.Samples))
//	}
//
// [Collect] reads the statuses of the objects: see [pool.Allocation.Apply]. Its options select the
// version of Capsule whose metrics it returns.
//
// Results are sorted. Values are the floats nearest to the amounts and percentages, at any magnitude.
//
// Sources: Capsule's "Resource Pools", section "Metrics", and the recorders of pools and claims in its main branch
// at 65a4e19. Capsule's recorders round up to milli-units, and divide by a limit of zero.
package poolmetrics

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
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

// ofPools returns the metrics of pools, those of both APIs first.
func ofPools(pools []*pool.ResourcePool, opts pool.Options) []Metric {
	available := Metric{Name: "capsule_pool_available", Help: "Current resource availability for a given resource in a resource pool"}
	limit := Metric{Name: "capsule_pool_limit", Help: "Current resource limit for a given resource in a resource pool"}
	kinds := Metric{Name: "capsule_pool_resource", Help: "Type of resource being used in a resource pool"}
	usage := Metric{Name: "capsule_pool_usage", Help: "Current resource usage for a given resource in a resource pool"}
	namespaces := Metric{Name: "capsule_pool_namespace_usage", Help: "Current resources claimed on namespace basis for a given resource in a resource pool for a specific namespace"}
	usageShare := Metric{Name: "capsule_pool_usage_percentage", Help: "Current resource usage for a given resource in a resource pool (percentage)"}
	namespaceShare := Metric{Name: "capsule_pool_namespace_usage_percentage", Help: "Current resources claimed on namespace basis for a given resource in a resource pool for a specific namespace (percentage)"}
	for _, p := range pools {
		of := p.Status.Allocation
		for name, hard := range of.Hard {
			labels := []Label{{"pool", p.Name}, {"resource", string(name)}}
			available.add(value(of.Available, name), labels...)
			limit.add(value(of.Hard, name), labels...)
			kinds.add(1, labels...)
			usage.add(value(of.Claimed, name), labels...)
			usageShare.add(percentage(of.Claimed[name], hard), labels...)
		}
		for namespace, recorded := range p.Status.Claims {
			for name, sum := range sums(recorded) {
				labels := []Label{{"pool", p.Name}, {"resource", string(name)}, {"target_namespace", namespace}}
				namespaces.add(sum.AsApproximateFloat64(), labels...)
				if hard, offered := of.Hard[name]; offered {
					namespaceShare.add(percentage(sum, hard), labels...)
				}
			}
		}
	}
	all := []Metric{available, limit, kinds, usage, namespaces}
	if !opts.Documented {
		all = append(all, usageShare, namespaceShare)
		all = append(all, exhaustions(pools)...)
		all = append(all, poolConditions(pools))
	}
	return all
}

// exhaustions returns the requests of claims for exhausted resources, and by how much they exceed the
// available amount.
func exhaustions(pools []*pool.ResourcePool) []Metric {
	exhaustion := Metric{Name: "capsule_pool_exhaustion", Help: "Resources become exhausted, when there's not enough available for all claims and the claims get queued"}
	excess := Metric{Name: "capsule_pool_exhaustion_percentage", Help: "Resources become exhausted, when there's not enough available for all claims and the claims get queued (Percentage)"}
	for _, p := range pools {
		for name, e := range p.Status.Exhaustions {
			labels := []Label{{"pool", p.Name}, {"resource", string(name)}}
			exhaustion.add(e.Requesting.AsApproximateFloat64(), labels...)
			if e.Available.Sign() > 0 && e.Requesting.Cmp(e.Available) > 0 {
				lack := e.Requesting.DeepCopy()
				lack.Sub(e.Available)
				excess.add(percentage(lack, e.Available), labels...)
			}
		}
	}
	return []Metric{exhaustion, excess}
}

func poolConditions(pools []*pool.ResourcePool) Metric {
	conditions := Metric{Name: "capsule_pool_condition", Help: "Current conditions for a given resource in a resource pool"}
	for _, p := range pools {
		for _, c := range p.Status.Conditions {
			if c.Type == "Ready" || c.Type == "Exhausted" {
				conditions.add(isTrue(c), Label{"condition", c.Type}, Label{"pool", p.Name})
			}
		}
	}
	return conditions
}

// isTrue returns 1 for a condition with status True, and 0 otherwise.
func isTrue(c metav1.Condition) float64 {
	if c.Status == metav1.ConditionTrue {
		return 1
	}
	return 0
}

// value returns an amount of a list, 0 if there is none.
func value(list corev1.ResourceList, name corev1.ResourceName) float64 {
	q := list[name]
	return q.AsApproximateFloat64()
}

// percentage returns the percentage of a part, and 0 if the whole is not above zero.
func percentage(part, all resource.Quantity) float64 {
	if all.Sign() <= 0 {
		return 0
	}
	share := resourcelist.Ratio(part, all)
	percent, _ := share.Mul(share, big.NewRat(100, 1)).Float64()
	return percent
}

// sums adds up what the holding claims of a namespace have, but for amounts below zero.
func sums(claims []pool.RecordedClaim) corev1.ResourceList {
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

func ofClaims(claims []*pool.ResourcePoolClaim, opts pool.Options) []Metric {
	conditions := Metric{Name: "capsule_claim_condition", Help: "The current condition status of a claim."}
	pools := Metric{Name: "capsule_claim_pool", Help: "The current assigned pool of a claim."}
	resources := Metric{Name: "capsule_claim_resource", Help: "The given amount of resources from the claim"}
	for _, c := range claims {
		if opts.Documented {
			conditions.addDocumented(c)
			continue
		}
		name, namespace := Label{"name", c.Name}, Label{"target_namespace", c.Namespace}
		for _, is := range c.Status.Conditions {
			if is.Type == "Ready" || is.Type == "Exhausted" || is.Type == "Bound" {
				conditions.add(isTrue(is), Label{"condition", is.Type}, name, namespace)
			}
		}
		pools.add(1, name, Label{"pool", cmp.Or(c.Status.Pool.Name, c.Spec.Pool)}, namespace)
		for of := range c.Spec.Claim {
			resources.add(value(c.Spec.Claim, of), name, Label{"resource", string(of)}, namespace)
		}
	}
	return []Metric{conditions, pools, resources}
}

// addDocumented adds the condition of a claim by the documented API: 1 for the type that it has,
// and 0 for the other one.
func (m *Metric) addDocumented(c *pool.ResourcePoolClaim) {
	has := c.Status.Condition
	if has.Type == "" {
		return
	}
	for _, condition := range []string{"Assigned", "Bound"} {
		is := 0.0
		if has.Type == condition {
			is = 1
		}
		m.add(is, Label{"condition", condition}, Label{"name", c.Name}, Label{"pool", c.Status.Pool.Name},
			Label{"reason", has.Reason}, Label{"status", string(has.Status)}, Label{"target_namespace", c.Namespace})
	}
}
