package poolplan_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
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

func waitingClaim(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = "a", name
	c.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: listOf(pairs...)}
	return c
}

func holdingClaim(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waitingClaim(name, second, pairs...)
	pool.ApplyDecision(c, poolOf(), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{Documented: true})
	return c
}

func ExampleGrowth() {
	claims := []*pool.ResourcePoolClaim{holdingClaim("base", 0, "requests.memory", "1Gi"), waitingClaim("get-mem", 1, "requests.memory", "2Gi")}
	more, needed := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "get-mem"}, poolOf("requests.memory", "2Gi"), claims)
	memory := more["requests.memory"]
	fmt.Println(memory.String(), needed)
	// Output: 1Gi true
}

func ExampleGrowth_allClaims() {
	claims := []*pool.ResourcePoolClaim{holdingClaim("a", 0, "pods", "8"), waitingClaim("b", 1, "pods", "5"), waitingClaim("c", 2, "pods", "4")}
	growth, _ := poolplan.Growth(types.NamespacedName{}, poolOf("pods", "10"), claims)
	fmt.Println(growth.Pods())
	// Output: 7
}

func ExampleOvertaken() {
	claims := []*pool.ResourcePoolClaim{holdingClaim("base", 0, "pods", "8"), waitingClaim("get-mem", 1, "pods", "4"), holdingClaim("skip-the-line", 2, "pods", "2")}
	for _, o := range poolplan.Overtaken(poolOf("pods", "10"), claims, 1, pool.Options{Documented: true}) {
		fmt.Println(o.Claim, "was overtaken by", o.By)
	}
	// Output: a/get-mem was overtaken by [a/skip-the-line]
}
