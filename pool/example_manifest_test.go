package pool_test

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/pool"
)

// poolFrom and decodeClaim read the objects of the examples from their manifests.
func poolFrom(spec string) *pool.ResourcePool {
	var object pool.ResourcePool
	if err := yaml.UnmarshalStrict([]byte("{apiVersion: capsule.clastix.io/v1beta2, kind: ResourcePool, metadata: {name: sampler}, spec: {"+spec+"}}"), &object); err != nil {
		panic(err)
	}
	return &object
}

func claimFrom(name, created, amounts string) *pool.ResourcePoolClaim {
	var object pool.ResourcePoolClaim
	if err := yaml.UnmarshalStrict([]byte("{apiVersion: capsule.clastix.io/v1beta2, kind: ResourcePoolClaim, metadata: {namespace: solar-test, name: "+name+
		", creationTimestamp: \"2026-01-01T"+created+"Z\"}, spec: {pool: sampler, claim: {"+amounts+"}}}"), &object); err != nil {
		panic(err)
	}
	return &object
}

// allocated returns a pool of ten pods after an allocation, and its claims: one that is
// holding, and one that waits.
func allocated() (*pool.ResourcePool, []*pool.ResourcePoolClaim) {
	p := poolFrom("quota: {hard: {pods: 10}}")
	p.UID = "42"
	claims := []*pool.ResourcePoolClaim{claimFrom("three", "09:00:00", "pods: 3"), claimFrom("eight", "10:00:00", "pods: 8")}
	a := pool.Allocate(p, claims, pool.Options{API: pool.Documented})
	for i, d := range a.Decisions {
		pool.ApplyDecision(claims[i], p, d, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), pool.Options{API: pool.Documented})
	}
	p.Status = a.Status(p, claims, []string{"solar-test"}, time.Time{}, pool.Options{API: pool.Documented})
	return p, claims
}

func ExampleResourcePoolSpec() {
	spec := poolFrom("selectors: [{matchLabels: {tenant: solar}}, {matchLabels: {tenant: wind}}], quota: {hard: {pods: 10}, scopes: [BestEffort]}").Spec
	fmt.Println(len(spec.Selectors), "selectors,", spec.Quota.Hard.Pods(), "pods,", spec.Quota.Scopes)
	// Output: 2 selectors, 10 pods, [BestEffort]
}

func ExampleResourcePoolConfig() {
	config := poolFrom("config: {defaultsZero: true}, quota: {hard: {pods: 10}}").Spec.Config
	fmt.Println(config.DefaultsZero, config.OrderedQueue, config.DeleteBoundResources)
	// Output: true false false
}

func ExampleResourcePoolStatus() {
	p, _ := allocated()
	fmt.Println(p.Status.ClaimCount, "claim is holding, in", p.Status.Namespaces)
	// Output: 1 claim is holding, in [solar-test]
}

func ExampleAllocationStatus() {
	p, _ := allocated()
	of := p.Status.Allocation
	fmt.Println(of.Hard.Pods(), of.Claimed.Pods(), of.Available.Pods())
	// Output: 10 3 7
}

func ExampleRecordedClaim() {
	p, _ := allocated()
	holding := p.Status.Claims["solar-test"][0]
	fmt.Println(holding.Name, "has", holding.Claims.Pods(), "pods")
	// Output: three has 3 pods
}

func ExampleExhaustion() {
	p, _ := allocated()
	e := p.Status.Exhaustions["pods"]
	fmt.Println(e.Requesting.String(), "requested,", e.Available.String(), "available")
	// Output: 8 requested, 7 available
}

func ExampleObstacle() {
	o := pool.Allocate(poolFrom("quota: {hard: {pods: 1}}"), []*pool.ResourcePoolClaim{claimFrom("two", "09:00:00", "pods: 2")}, pool.Options{API: pool.Documented}).Decisions[0].Obstacles[0]
	fmt.Println(o.Resource, "requested:", o.Requested.String(), "available:", o.Other.String())
	// Output: pods requested: 2 available: 1
}

func ExampleResourcePoolClaimSpec() {
	spec := claimFrom("get-me-cpu", "09:00:00", "requests.cpu: 2, requests.memory: 2Gi").Spec
	memory := spec.Claim["requests.memory"]
	fmt.Println(spec.Pool, memory.String())
	// Output: sampler 2Gi
}

func ExampleResourcePoolClaimStatus() {
	_, claims := allocated()
	fmt.Println(claims[1].Status.Condition.Type, claims[1].Status.Condition.Reason, claims[1].Status.Condition.Message)
	// Output: Bound PoolExhausted requested: pods=8, available: pods=7
}

func ExampleResourcePoolClaim_Holding() {
	_, claims := allocated()
	fmt.Println(claims[0].Holding(), claims[1].Holding())
	// Output: true false
}

// A holding claim stays with its pool, regardless of its spec.
func ExampleResourcePoolClaim_ClaimsFrom() {
	p, claims := allocated()
	for _, c := range claims {
		c.Spec.Pool = "another"
		fmt.Println(c.Name, c.ClaimsFrom(p))
	}
	// Output:
	// three true
	// eight false
}

func ExampleResourcePoolClaim_DeepCopy() {
	_, claims := allocated()
	copied := claims[0].DeepCopy()
	delete(copied.Spec.Claim, "pods")
	fmt.Println(claims[0].Spec.Claim.Pods(), copied.Spec.Claim.Pods())
	// Output: 3 0
}
