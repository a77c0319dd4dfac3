package lifecycle_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/lifecycle"
)

func ExampleResize() {
	p, c := newPool("requests.memory", "2Gi"), bound("solar-test", "base", 0, "requests.memory", "1Gi")
	_, _, err := lifecycle.Resize(types.NamespacedName{Namespace: "solar-test", Name: "base"}, testkit.List("requests.memory", "3Gi"), p, []*pool.ResourcePoolClaim{c}, pool.Options{API: pool.Documented})
	fmt.Println(err)
	// Output: cannot resize claim solar-test/base: requested: requests.memory=3Gi, available: requests.memory=2Gi
}

func ExampleRefusedError() {
	_, _, err := lifecycle.Resize(types.NamespacedName{Namespace: "a", Name: "b"}, nil, newPool("pods", "1"), nil, pool.Options{API: pool.Documented})
	fmt.Println(err.(*lifecycle.RefusedError).Pool)
	// Output: sampler
}

func ExampleRelease() {
	fmt.Println(lifecycle.Release(bound("solar-test", "base", 0, "pods", "1"), pool.Options{API: pool.Documented}).Bound())
	// Output: false
}

func ExampleDeletePool() {
	p := newPool("pods", "1")
	p.Spec.Config.DeleteBoundResources = true
	d := lifecycle.DeletePool(p, []*pool.ResourcePoolClaim{bound("a", "has", 0, "pods", "1"), waiting("a", "waits", 1, "pods", "1")}, pool.Options{API: pool.Documented})
	fmt.Println(d.Deleted, len(d.Kept))
	// Output: [a/has] 1
}

func ExamplePoolDeletion() {
	d := lifecycle.DeletePool(newPool("pods", "1"), []*pool.ResourcePoolClaim{bound("a", "has", 0, "pods", "1")}, pool.Options{API: pool.Documented})
	fmt.Println(len(d.Deleted), d.Kept[0].Name, d.Kept[0].Status.Pool.Name == "")
	// Output: 0 has true
}

func ExampleNeeded() {
	claims := []*pool.ResourcePoolClaim{bound("a", "old", 0, "pods", "3"), bound("a", "young", 1, "pods", "3")}
	fmt.Println(lifecycle.Needed("a", testkit.List("pods", "2"), newPool("pods", "10"), claims))
	// Output: [a/old]
}

func ExampleValidatePoolUpdate() {
	from := newPool("pods", "10")
	from.Status.Allocation.Claimed = testkit.List("pods", "7")
	fmt.Println(lifecycle.ValidatePoolUpdate(from, newPool("pods", "5"))[0].Detail)
	// Output: can not reduce pods usage to 5 because quantity 7 is claimed . Remove corresponding claims or keep the resources in the pool
}

func ExampleValidateClaimUpdate() {
	fmt.Println(lifecycle.ValidateClaimUpdate(bound("a", "c", 0, "pods", "1"), waiting("a", "c", 0, "pods", "2"), lifecycle.AdmissionOptions{API: pool.Documented})[0].Detail)
	// Output: cannot change the requested resources while claim is allocated to a resourcepool sampler
}

func ExampleValidateClaimDeletion() {
	fmt.Println(lifecycle.ValidateClaimDeletion(bound("a", "c", 0, "pods", "1"), lifecycle.AdmissionOptions{API: pool.Documented})[0].Detail)
	// Output: cannot delete the pool while claim is used in resourcepool sampler
}

// By the current API, a claim that nobody uses may be edited.
func ExampleAdmissionOptions() {
	from, to := bound("a", "c", 0, "pods", "1"), waiting("a", "c", 0, "pods", "2")
	for _, use := range []pool.Use{pool.InUse, pool.Unused} {
		errs := lifecycle.ValidateClaimUpdate(from, to, lifecycle.AdmissionOptions{Use: use})
		fmt.Println(use, len(errs))
	}
	// Output:
	// in use 1
	// unused 0
}

func ExampleApplyReleasePolicy() {
	c := released(bound("a", "c", 0, "pods", "1"))
	lifecycle.ApplyReleasePolicy(c, lifecycle.AdmissionOptions{Use: pool.InUse})
	fmt.Println(c.Released())
	lifecycle.ApplyReleasePolicy(c, lifecycle.AdmissionOptions{Use: pool.Unused})
	fmt.Println(c.Released())
	// Output:
	// true
	// false
}

func ExampleEvict() {
	p, c := newPool("pods", "2"), bound("a", "c", 0, "pods", "1")
	evicted := lifecycle.Evict(c.Key(), testkit.List("pods", "3"), p, []*pool.ResourcePoolClaim{c}, pool.Options{})
	fmt.Println(evicted.Bound(), evicted.Spec.Claim.Pods())
	// Output: false 3
}

func ExampleUseOf() {
	claims := []*pool.ResourcePoolClaim{bound("a", "old", 0, "pods", "3"), bound("a", "young", 1, "pods", "3")}
	fmt.Println(lifecycle.UseOf(claims[1].Key(), testkit.List("pods", "2"), newPool("pods", "10"), claims))
	// Output: unused
}
