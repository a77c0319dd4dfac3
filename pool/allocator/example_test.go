package allocator_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

func ExampleAllocator() {
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

	p := allocator.New(sampler, nil, pool.Options{Documented: true})
	p.Set(claim("base", 0, "1Gi"))
	p.Set(claim("get-mem", 1, "2Gi"))
	d, _ := p.Decision(types.NamespacedName{Namespace: "solar-test", Name: "get-mem"})
	fmt.Println(d.State, d.Message())
	fmt.Println(p.Delete(types.NamespacedName{Namespace: "solar-test", Name: "base"}))
	// Output:
	// PoolExhausted requested: requests.memory=2Gi, available: requests.memory=1Gi
	// [solar-test/get-mem]
}
