package allocator_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

func Example() {
	p := allocator.New(newPool("sampler", testkit.List("requests.memory", "2Gi")), nil, pool.Options{API: pool.Documented})
	p.Set(newClaim("solar-test", "base", 0, testkit.List("requests.memory", "1Gi")))
	p.Set(newClaim("solar-test", "get-mem", 1, testkit.List("requests.memory", "2Gi")))
	d, _ := p.Decision(types.NamespacedName{Namespace: "solar-test", Name: "get-mem"})
	fmt.Println(d.State, d.Message())
	fmt.Println(p.Delete(types.NamespacedName{Namespace: "solar-test", Name: "base"}))
	// Output:
	// PoolExhausted requested: requests.memory=2Gi, available: requests.memory=1Gi
	// [solar-test/get-mem]
}

// twoPods is a pool of two pods, both claimed, for which one more claim waits.
func twoPods() *allocator.Allocator {
	return allocator.New(newPool("sampler", testkit.List("pods", "2")), []*pool.ResourcePoolClaim{
		newClaim("a", "has", 0, testkit.List("pods", "2")), newClaim("a", "waits", 1, testkit.List("pods", "1")),
	}, pool.Options{API: pool.Documented})
}

func ExampleNew() {
	fmt.Println(twoPods().Counts())
	// Output: 1 1
}

func ExampleAllocator() {
	p := twoPods()
	for _, d := range p.Allocation().Decisions {
		fmt.Println(d.Claim, d.State)
	}
	// Output:
	// a/has Bound
	// a/waits PoolExhausted
}

func ExampleAllocator_Set() {
	bound, err := twoPods().Set(newClaim("a", "waits", 1, testkit.List("pods", "0")))
	fmt.Println(bound, err)
	// Output: [a/waits] <nil>
}

func ExampleAllocator_Delete() {
	fmt.Println(twoPods().Delete(name("has")))
	// Output: [a/waits]
}

func ExampleAllocator_Release() {
	fmt.Println(twoPods().Release(name("has")))
	// Output: [a/waits]
}

func ExampleAllocator_Resize() {
	fmt.Println(twoPods().Resize(name("has"), testkit.List("pods", "1")))
	// Output: [a/waits] <nil>
}

func ExampleAllocator_SetPool() {
	fmt.Println(twoPods().SetPool(newPool("sampler", testkit.List("pods", "3"))))
	// Output: [a/waits]
}

func ExampleAllocator_Decision() {
	d, known := twoPods().Decision(name("waits"))
	fmt.Println(known, d.Message())
	// Output: true requested: pods=1, available: pods=0
}

func ExampleAllocator_Allocation() {
	a := twoPods().Allocation()
	fmt.Println(a.BoundClaims, a.Claimed.Pods(), a.Available.Pods())
	// Output: 1 2 0
}

func ExampleAllocator_Available() {
	left := twoPods().Available()
	fmt.Println(left.Pods())
	// Output: 0
}

func ExampleAllocator_Claimed() {
	claimed := twoPods().Claimed("a")
	fmt.Println(claimed.Pods())
	// Output: 2
}

func ExampleAllocator_Counts() {
	bound, waiting := twoPods().Counts()
	fmt.Println(bound, "bound,", waiting, "waiting")
	// Output: 1 bound, 1 waiting
}

func ExampleImmutableError() {
	_, err := twoPods().Set(newClaim("a", "has", 0, testkit.List("pods", "3")))
	fmt.Println(err)
	// Output: cannot change the requested resources while claim is allocated to a resourcepool sampler
}

func ExampleAllocator_Evict() {
	p := twoPods()
	fmt.Println(p.Evict(name("has"), testkit.List("pods", "3")))
	d, _ := p.Decision(name("has"))
	fmt.Println(d.State, d.Message())
	// Output:
	// [a/waits] true
	// PoolExhausted requested: pods=3, available: pods=1
}

func ExampleAllocator_Exhaustions() {
	e := twoPods().Exhaustions()["pods"]
	fmt.Println(e.Requesting.String(), "requested,", e.Available.String(), "left")
	// Output: 1 requested, 0 left
}
