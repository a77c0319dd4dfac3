package allocator_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

func Example() {
	memory := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceRequestsMemory: resource.MustParse(amount)}
	}
	sampler := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "sampler"}}
	sampler.Spec.Quota.Hard = memory("2Gi")
	claim := func(name string, second int64, amount string) *pool.ResourcePoolClaim {
		c := &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{
			Namespace: "solar-test", Name: name, UID: types.UID(name), CreationTimestamp: metav1.Unix(second, 0),
		}}
		c.Spec.Pool, c.Spec.Claim = "sampler", memory(amount)
		return c
	}

	p := allocator.New(sampler, nil, pool.Options{API: pool.Documented})
	p.Set(claim("base", 0, "1Gi"))
	p.Set(claim("get-mem", 1, "2Gi"))
	d, _ := p.Decision(types.NamespacedName{Namespace: "solar-test", Name: "get-mem"})
	fmt.Println(d.State, d.Message())
	fmt.Println(p.Delete(types.NamespacedName{Namespace: "solar-test", Name: "base"}))
	// Output:
	// PoolExhausted requested: requests.memory=2Gi, available: requests.memory=1Gi
	// [solar-test/get-mem]
}

// twoPods is a pool of two pods, both claimed, for which one more claim waits.
func twoPods() *allocator.Allocator {
	claims := []*pool.ResourcePoolClaim{podsClaim("has", "2"), podsClaim("waits", "1")}
	return allocator.New(podsPool("2"), claims, pool.Options{API: pool.Documented})
}

func pods(n string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourcePods: resource.MustParse(n)}
}

func podsPool(n string) *pool.ResourcePool {
	p := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "sampler"}}
	p.Spec.Quota.Hard = pods(n)
	return p
}

func claimName(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: "a", Name: name}
}

// podsClaim is a claim for pods; claims that were created on the same day are sorted by name.
func podsClaim(name, n string) *pool.ResourcePoolClaim {
	day := metav1.NewTime(time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC))
	c := &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: name, UID: types.UID(name), CreationTimestamp: day}}
	c.Spec.Pool, c.Spec.Claim = "sampler", pods(n)
	return c
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
	granted, err := twoPods().Set(podsClaim("waits", "0"))
	fmt.Println(granted, err)
	// Output: [a/waits] <nil>
}

func ExampleAllocator_Delete() {
	fmt.Println(twoPods().Delete(claimName("has")))
	// Output: [a/waits]
}

func ExampleAllocator_Release() {
	fmt.Println(twoPods().Release(claimName("has")))
	// Output: [a/waits]
}

func ExampleAllocator_Resize() {
	fmt.Println(twoPods().Resize(claimName("has"), pods("1")))
	// Output: [a/waits] <nil>
}

func ExampleAllocator_SetPool() {
	fmt.Println(twoPods().SetPool(podsPool("3")))
	// Output: [a/waits]
}

func ExampleAllocator_Decision() {
	d, known := twoPods().Decision(claimName("waits"))
	fmt.Println(known, d.Message())
	// Output: true requested: pods=1, available: pods=0
}

func ExampleAllocator_Allocation() {
	a := twoPods().Allocation()
	fmt.Println(a.Holding, a.Claimed.Pods(), a.Available.Pods())
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
	holding, waiting := twoPods().Counts()
	fmt.Println(holding, "holding,", waiting, "waiting")
	// Output: 1 holding, 1 waiting
}

func ExampleAllocator_Set_immutable() {
	_, err := twoPods().Set(podsClaim("has", "3"))
	fmt.Println(err)
	// Output: cannot change the requested resources while claim is allocated to a resourcepool sampler
}

func ExampleAllocator_Evict() {
	p := twoPods()
	fmt.Println(p.Evict(claimName("has"), pods("3")))
	d, _ := p.Decision(claimName("has"))
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
