package recipes_test

import (
	"fmt"
	"math/big"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// grant writes to the statuses of claims what the pool decides.
func grant(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, now time.Time) {
	decisions := map[types.NamespacedName]pool.Decision{}
	for _, d := range pool.Allocate(p, claims, pool.Options{Documented: true}).Decisions {
		decisions[d.Claim] = d
	}
	for _, claim := range claims {
		if d, ok := decisions[types.NamespacedName{Namespace: claim.Namespace, Name: claim.Name}]; ok {
			pool.ApplyDecision(claim, p, d, now, pool.Options{Documented: true})
		}
	}
}

// growthForResize returns by how much a pool has to grow for a holding claim to have other amounts:
// as if it were released, and waited for them with its old place in the queue.
func growthForResize(name types.NamespacedName, to corev1.ResourceList, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	var waiting []*pool.ResourcePoolClaim
	for _, claim := range claims {
		if claim.Namespace == name.Namespace && claim.Name == name.Name {
			claim = pool.Release(claim, pool.Options{Documented: true})
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
	grant(p, claims, time.Now())
	allocation := pool.Allocate(p, claims, pool.Options{Documented: true})
	fmt.Println("claimed", resourcelist.String(allocation.Claimed), "available", resourcelist.String(allocation.Available))

	team := types.NamespacedName{Namespace: "team-07", Name: "base"}
	for _, times := range []*big.Rat{big.NewRat(3, 2), big.NewRat(30, 1)} {
		to := resourcelist.Scale(claims[7].Spec.Claim, times)
		_, resized, err := pool.Resize(team, to, p, claims)
		if err != nil {
			fmt.Println(err)
			fmt.Println("the pool has to grow by", resourcelist.String(growthForResize(team, to, p, claims)))
			continue
		}
		fmt.Println(resized.Namespace, "has", resourcelist.String(resized.Spec.Claim))
	}

	newcomer := claimOf("team-20", cpuClaim(183_000))
	growth, _ := poolplan.Growth(types.NamespacedName{Namespace: "team-20", Name: "base"}, p, append(claims, newcomer))
	fmt.Println("for another tenant of 183 CPUs, by", resourcelist.String(growth))
	// Output:
	// claimed requests.cpu=137 available requests.cpu=63
	// team-07 has requests.cpu=9150m
	// cannot resize claim team-07/base: requested: requests.cpu=183, available: requests.cpu=69100m
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
