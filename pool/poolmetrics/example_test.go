package poolmetrics_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolmetrics"
)

// sampler is a pool of 2 CPUs, as its controller has recorded it: one claim in solar-test is bound.
func sampler() *pool.ResourcePool {
	list := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse(amount)}
	}
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = list("2")
	p.Status.Allocation = pool.AllocationStatus{Hard: list("2"), Claimed: list("500m"), Available: list("1500m")}
	p.Status.Claims = map[string][]pool.BoundClaim{"solar-test": {{Name: "base", Claims: list("500m")}}}
	return p
}

func ExampleCollect() {
	for _, m := range poolmetrics.Collect([]*pool.ResourcePool{sampler()}, nil, pool.Options{}) {
		if m.Name == "capsule_pool_namespace_usage" {
			fmt.Println(m.Samples)
		}
	}
	// Output: [{[{pool sampler} {resource requests.cpu} {target_namespace solar-test}] 0.5}]
}

func ExampleMetric() {
	m := poolmetrics.Collect([]*pool.ResourcePool{sampler()}, nil, pool.Options{})[0]
	fmt.Println(m.Name, len(m.Samples))
	// Output: capsule_pool_available 1
}

func ExampleSample() {
	s := poolmetrics.Collect([]*pool.ResourcePool{sampler()}, nil, pool.Options{})[0].Samples[0]
	fmt.Println(s.Labels, s.Value)
	// Output: [{pool sampler} {resource requests.cpu}] 1.5
}

func ExampleLabel() {
	l := poolmetrics.Label{Name: "pool", Value: "sampler"}
	fmt.Printf("%s=%q\n", l.Name, l.Value)
	// Output: pool="sampler"
}
