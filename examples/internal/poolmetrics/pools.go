package poolmetrics

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
)

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
