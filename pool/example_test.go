package pool_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/pool"
)

// decodePool and decodeClaim read the objects of the examples from their manifests.
func decodePool(spec string) *pool.ResourcePool {
	var object pool.ResourcePool
	if err := yaml.UnmarshalStrict([]byte("{apiVersion: capsule.clastix.io/v1beta2, kind: ResourcePool, metadata: {name: sampler}, spec: {"+spec+"}}"), &object); err != nil {
		panic(err)
	}
	return &object
}

func decodeClaim(name, created, amounts string) *pool.ResourcePoolClaim {
	var object pool.ResourcePoolClaim
	if err := yaml.UnmarshalStrict([]byte("{apiVersion: capsule.clastix.io/v1beta2, kind: ResourcePoolClaim, metadata: {namespace: solar-test, name: "+name+
		", creationTimestamp: \"2026-01-01T"+created+"Z\"}, spec: {pool: sampler, claim: {"+amounts+"}}}"), &object); err != nil {
		panic(err)
	}
	return &object
}

func ExampleAllocate() {
	p := decodePool("quota: {hard: {requests.memory: 2Gi}}")
	a := pool.Allocate(p, []*pool.ResourcePoolClaim{
		decodeClaim("skip-the-line", "10:16:00", "requests.memory: 512Mi"),
		decodeClaim("get-mem", "10:00:00", "requests.memory: 2Gi"),
		decodeClaim("base", "09:00:00", "requests.memory: 1Gi"),
	}, pool.Options{Documented: true})
	for _, d := range a.Decisions {
		fmt.Println(d.Claim, d.State, d.Message())
	}
	left := a.Available["requests.memory"]
	fmt.Println(left.String(), "left")
	// Output:
	// solar-test/base Bound resource claimable from pool
	// solar-test/get-mem PoolExhausted requested: requests.memory=2Gi, available: requests.memory=1Gi
	// solar-test/skip-the-line Bound resource claimable from pool
	// 512Mi left
}

// In an ordered queue, no claim passes an earlier one that waits for the same resource.
func ExampleAllocate_orderedQueue() {
	p := decodePool("config: {orderedQueue: true}, quota: {hard: {requests.memory: 2Gi, requests.cpu: 2}}")
	a := pool.Allocate(p, []*pool.ResourcePoolClaim{
		decodeClaim("base", "09:00:00", "requests.memory: 1Gi"),
		decodeClaim("get-mem", "10:00:00", "requests.memory: 2Gi"),
		decodeClaim("skip-the-line", "10:16:00", "requests.memory: 512Mi"),
		decodeClaim("get-me-cpu", "10:17:00", "requests.cpu: 2"),
	}, pool.Options{Documented: true})
	for _, d := range a.Decisions {
		fmt.Println(d.Claim.Name, d.State)
	}
	fmt.Println(a.Decisions[2].Message())
	// Output:
	// base Bound
	// get-mem PoolExhausted
	// skip-the-line QueueExhausted
	// get-me-cpu Bound
	// requested: requests.memory=512Mi, queued: requests.memory=2Gi
}

func ExampleQuota() {
	p := decodePool(`config: {defaultsZero: true}, defaults: {count/persistentvolumeclaims: 3}, quota: {hard: {requests.cpu: 2, limits.cpu: 2}}`)
	q := pool.Quota(p, "solar-test", corev1.ResourceList{"requests.cpu": resource.MustParse("375m")})
	fmt.Println(q.Name, q.Labels[pool.PoolLabel])
	for _, name := range []corev1.ResourceName{"count/persistentvolumeclaims", "limits.cpu", "requests.cpu"} {
		hard := q.Spec.Hard[name]
		fmt.Println(name, hard.String())
	}
	// Output:
	// capsule-pool-sampler sampler
	// count/persistentvolumeclaims 3
	// limits.cpu 0
	// requests.cpu 375m
}

func ExampleAssign() {
	p := decodePool("selectors: [{matchLabels: {tenant: solar}}], quota: {hard: {requests.cpu: 2}}")
	solar := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "solar-test", Labels: map[string]string{"tenant": "solar"}}}
	c := decodeClaim("get-me-cpu", "09:00:00", "requests.cpu: 2")
	c.Spec.Pool = ""
	fmt.Println(pool.Assign(c, solar, []*pool.ResourcePool{p}))
	c.Spec.Pool = "sample"
	_, err := pool.Assign(c, solar, []*pool.ResourcePool{p})
	fmt.Println(err)
	// Output:
	// sampler <nil>
	// ResourcePool.capsule.clastix.io "sample" not found
}

func ExampleValidatePool() {
	for _, err := range pool.ValidatePool(nil, decodePool("quota: {hard: {pods: -1, gpus: 2}}")) {
		fmt.Println(err)
	}
	// Output:
	// spec.quota.hard[gpus]: Invalid value: "gpus": must be a standard resource for quota
	// spec.quota.hard[pods]: Invalid value: "-1": must be greater than or equal to 0
}

func ExampleValidateClaim() {
	fmt.Println(pool.ValidateClaim(nil, decodeClaim("empty", "09:00:00", ""), pool.AdmissionOptions{}))
	// Output: [spec.claim: Required value: a claim needs resources]
}

func ExampleValidateClaimDeletion() {
	needed := true
	fmt.Println(pool.ValidateClaimDeletion(holdingClaim("base", "09:00:00", "pods: 1"), pool.AdmissionOptions{InUse: &needed}))
	// Output: [status.conditions: Forbidden: cannot delete the pool while claim is used in resourcepool sampler]
}

// The pool has recorded 1Gi for a claim that was edited since then, and is not in use. The current API
// resizes the claim if possible, and otherwise evicts it; the documented API keeps the recorded amount.
func ExampleOptions() {
	p := decodePool("quota: {hard: {requests.memory: 2Gi}}")
	c := decodeClaim("base", "09:00:00", "requests.memory: 1Gi")
	claims := []*pool.ResourcePoolClaim{c}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, time.Now(), pool.Options{})
	c.Spec.Claim["requests.memory"] = resource.MustParse("3Gi")
	for _, documented := range []bool{false, true} {
		a := pool.Allocate(p, claims, pool.Options{Documented: documented})
		left := a.Available["requests.memory"]
		fmt.Printf("documented %v: %s %s\n", documented, a.Decisions[0].State, left.String())
	}
	// Output:
	// documented false: PoolExhausted 2Gi
	// documented true: Bound 1Gi
}

func ExampleAllocation_Apply() {
	p := decodePool("quota: {hard: {requests.memory: 2Gi}}")
	claims := []*pool.ResourcePoolClaim{decodeClaim("base", "09:00:00", "requests.memory: 1Gi")}
	now := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, []string{"solar-test"}, now, pool.Options{})
	for _, c := range claims[0].Status.Conditions {
		fmt.Println(c.Type, c.Status, c.Reason)
	}
	fmt.Println(p.Status.ClaimCount, p.Status.Claims["solar-test"][0].Name)
	// Output:
	// Ready True Succeeded
	// Exhausted False NoExhaustions
	// Bound False Unused
	// 1 base
}

// The recorded amount counts, and not the edited spec.
func ExampleRecordOf() {
	p := decodePool("quota: {hard: {requests.memory: 2Gi}}")
	c := decodeClaim("base", "09:00:00", "requests.memory: 1Gi")
	claims := []*pool.ResourcePoolClaim{c}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, time.Now(), pool.Options{})
	c.Spec.Claim["requests.memory"] = resource.MustParse("3Gi")
	holds, _ := pool.RecordOf(p).Holds(c)
	amount := holds["requests.memory"]
	fmt.Println(amount.String())
	// Output: 1Gi
}

func holdingClaim(name, created, amounts string) *pool.ResourcePoolClaim {
	c := decodeClaim(name, created, amounts)
	pool.ApplyDecision(c, decodePool(""), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{Documented: true})
	return c
}

func ExampleRelease() {
	fmt.Println(pool.Release(holdingClaim("base", "09:00:00", "pods: 1"), pool.Options{Documented: true}).Holding())
	// Output: false
}

func ExampleNeeded() {
	claims := []*pool.ResourcePoolClaim{holdingClaim("old", "09:00:00", "pods: 3"), holdingClaim("young", "10:00:00", "pods: 3")}
	fmt.Println(pool.Needed("solar-test", corev1.ResourceList{"pods": resource.MustParse("2")}, decodePool("quota: {hard: {pods: 10}}"), claims))
	// Output: [solar-test/old]
}

func ExampleValidatePool_update() {
	from := decodePool("quota: {hard: {pods: 10}}")
	from.Status.Allocation.Claimed = corev1.ResourceList{"pods": resource.MustParse("7")}
	fmt.Println(pool.ValidatePool(from, decodePool("quota: {hard: {pods: 5}}"))[0].Detail)
	// Output: can not reduce pods usage to 5 because quantity 7 is claimed . Remove corresponding claims or keep the resources in the pool
}

func ExampleValidateClaim_update() {
	fmt.Println(pool.ValidateClaim(holdingClaim("base", "09:00:00", "pods: 1"), decodeClaim("base", "09:00:00", "pods: 2"), pool.AdmissionOptions{Documented: true})[0].Detail)
	// Output: cannot change the requested resources while claim is allocated to a resourcepool sampler
}

// Only what differs from the stored status is written.
func ExampleResourcePoolClaimStatus_Changes() {
	stored := pool.ResourcePoolClaimStatus{Conditions: []metav1.Condition{
		{Type: "Exhausted", Status: metav1.ConditionTrue, Reason: "PoolExhausted", Message: "requested: pods=4, available: pods=1"},
	}}
	next := pool.ResourcePoolClaimStatus{Conditions: []metav1.Condition{
		{Type: "Exhausted", Status: metav1.ConditionTrue, Reason: "PoolExhausted", Message: "requested: pods=4, available: pods=2"},
	}}
	fmt.Println(stored.Changes(next))
	fmt.Println(next.Changes(next) == nil)
	// Output:
	// [conditions[Exhausted].message]
	// true
}

func ExampleResourcePoolStatus_Changes() {
	stored := pool.ResourcePoolStatus{ClaimCount: 1, Claims: map[string][]pool.RecordedClaim{"red": {{Name: "base"}}}}
	next := pool.ResourcePoolStatus{ClaimCount: 1, Claims: map[string][]pool.RecordedClaim{"blue": {{Name: "base"}}}}
	fmt.Println(stored.Changes(next))
	// Output:
	// [claims[blue] claims[red]]
}
