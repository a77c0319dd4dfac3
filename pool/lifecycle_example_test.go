package pool_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/pool"
)

// listOf makes a list of names and amounts.
func listOf(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

func poolOf(pairs ...string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = listOf(pairs...)
	return p
}

func waitingClaim(namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = namespace, name
	c.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: listOf(pairs...)}
	return c
}

func holdingClaim(namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waitingClaim(namespace, name, second, pairs...)
	pool.ApplyDecision(c, poolOf(), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{API: pool.Documented})
	return c
}

func ExampleResize() {
	p, c := poolOf("requests.memory", "2Gi"), holdingClaim("solar-test", "base", 0, "requests.memory", "1Gi")
	for _, size := range []string{"2Gi", "3Gi"} {
		_, _, err := pool.Resize(c.Key(), listOf("requests.memory", size), p, []*pool.ResourcePoolClaim{c}, pool.Options{API: pool.Documented})
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// cannot resize claim solar-test/base: requested: requests.memory=3Gi, available: requests.memory=2Gi
}

func ExampleRelease() {
	fmt.Println(pool.Release(holdingClaim("solar-test", "base", 0, "pods", "1"), pool.Options{API: pool.Documented}).Holding())
	// Output: false
}

func ExampleNeeded() {
	claims := []*pool.ResourcePoolClaim{holdingClaim("a", "old", 0, "pods", "3"), holdingClaim("a", "young", 1, "pods", "3")}
	fmt.Println(pool.Needed("a", listOf("pods", "2"), poolOf("pods", "10"), claims))
	// Output: [a/old]
}

func ExampleValidatePool_update() {
	from := poolOf("pods", "10")
	from.Status.Allocation.Claimed = listOf("pods", "7")
	fmt.Println(pool.ValidatePool(from, poolOf("pods", "5"))[0].Detail)
	// Output: can not reduce pods usage to 5 because quantity 7 is claimed . Remove corresponding claims or keep the resources in the pool
}

func ExampleValidateClaim_update() {
	fmt.Println(pool.ValidateClaim(holdingClaim("a", "c", 0, "pods", "1"), waitingClaim("a", "c", 0, "pods", "2"), pool.AdmissionOptions{API: pool.Documented})[0].Detail)
	// Output: cannot change the requested resources while claim is allocated to a resourcepool sampler
}
