package recipes_test

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// grant writes to the statuses of a pool and its claims what the pool decides.
func grant(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) {
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, time.Now(), pool.Options{})
}

// resize returns what the pool decides about a claim that is edited to have other amounts.
func resize(name types.NamespacedName, to corev1.ResourceList, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) pool.Decision {
	edited := slices.Clone(claims)
	i := slices.IndexFunc(edited, func(c *pool.ResourcePoolClaim) bool { return c.Key() == name })
	edited[i] = edited[i].DeepCopy()
	edited[i].Spec.Claim = to
	decisions := pool.Allocate(p, edited, pool.Options{}).Decisions
	return decisions[slices.IndexFunc(decisions, func(d pool.Decision) bool { return d.Claim == name })]
}

// growthForResize returns by how much a pool has to grow for a holding claim to have other amounts:
// as if it were released, and waited for them with its old place in the queue.
func growthForResize(name types.NamespacedName, to corev1.ResourceList, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	var waiting []*pool.ResourcePoolClaim
	for _, claim := range claims {
		if claim.Key() == name {
			claim = pool.Release(claim, pool.Options{})
			claim.Spec.Pool, claim.Spec.Claim = p.Name, to
		}
		waiting = append(waiting, claim)
	}
	growth, _ := poolplan.Growth(name, p, waiting)
	return growth
}

// Example_tenantPlanner gives 20 tenants their part of 200 CPUs, and asks what is possible then.
func Example_tenantPlanner() {
	p := &pool.ResourcePool{}
	p.Name = "cpus"
	p.Spec.Quota.Hard = cpuClaim(200_000)
	var claims []*pool.ResourcePoolClaim
	for i := range int64(20) {
		claims = append(claims, claimOf(fmt.Sprintf("team-%02d", i), cpuClaim(4000+300*i)))
	}
	grant(p, claims)
	allocation := pool.Allocate(p, claims, pool.Options{})
	fmt.Println("claimed", resourcelist.String(allocation.Claimed), "available", resourcelist.String(allocation.Available))

	team := types.NamespacedName{Namespace: "team-07", Name: "base"}
	for _, times := range []*big.Rat{big.NewRat(3, 2), big.NewRat(30, 1)} {
		to := resourcelist.Scale(claims[7].Spec.Claim, times)
		if d := resize(team, to, p, claims); d.State != pool.Holding {
			fmt.Println("team-07 would lose what it has:", d.Message())
			fmt.Println("the pool has to grow by", resourcelist.String(growthForResize(team, to, p, claims)))
			continue
		}
		fmt.Println("team-07 can have", resourcelist.String(to))
	}

	newcomer := claimOf("team-20", cpuClaim(183_000))
	growth, _ := poolplan.Growth(types.NamespacedName{Namespace: "team-20", Name: "base"}, p, append(claims, newcomer))
	fmt.Println("for another tenant of 183 CPUs, by", resourcelist.String(growth))
	// Output:
	// claimed requests.cpu=137 available requests.cpu=63
	// team-07 can have requests.cpu=9150m
	// team-07 would lose what it has: requested: requests.cpu=183, available: requests.cpu=69100m
	// the pool has to grow by requests.cpu=113900m
	// for another tenant of 183 CPUs, by requests.cpu=120
}

func cpuClaim(milli int64) corev1.ResourceList {
	return resourcelist.OfIntegers(map[corev1.ResourceName]int64{corev1.ResourceRequestsCPU: milli})
}

func claimOf(namespace string, amounts corev1.ResourceList) *pool.ResourcePoolClaim {
	claim := &pool.ResourcePoolClaim{Spec: pool.ResourcePoolClaimSpec{Pool: "cpus", Claim: amounts}}
	claim.Namespace, claim.Name = namespace, "base"
	return claim
}
