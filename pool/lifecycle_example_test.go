package pool_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/pool"
)

func holdingClaim(name, created, amounts string) *pool.ResourcePoolClaim {
	c := decodeClaim(name, created, amounts)
	pool.ApplyDecision(c, decodePool(""), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{API: pool.Documented})
	return c
}

func ExampleResize() {
	p, c := decodePool("quota: {hard: {requests.memory: 2Gi}}"), holdingClaim("base", "09:00:00", "requests.memory: 1Gi")
	for _, size := range []string{"2Gi", "3Gi"} {
		_, _, err := pool.Resize(c.Key(), corev1.ResourceList{"requests.memory": resource.MustParse(size)}, p, []*pool.ResourcePoolClaim{c}, pool.Options{API: pool.Documented})
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// cannot resize claim solar-test/base: requested: requests.memory=3Gi, available: requests.memory=2Gi
}

func ExampleRelease() {
	fmt.Println(pool.Release(holdingClaim("base", "09:00:00", "pods: 1"), pool.Options{API: pool.Documented}).Holding())
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
	fmt.Println(pool.ValidateClaim(holdingClaim("base", "09:00:00", "pods: 1"), decodeClaim("base", "09:00:00", "pods: 2"), pool.AdmissionOptions{API: pool.Documented})[0].Detail)
	// Output: cannot change the requested resources while claim is allocated to a resourcepool sampler
}
