package poolplan_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func ExampleGrowth() {
	claims := []*pool.ResourcePoolClaim{bound("base", 0, "requests.memory", "1Gi"), waiting("get-mem", 1, "requests.memory", "2Gi")}
	more, needed := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "get-mem"}, newPool("requests.memory", "2Gi"), claims)
	memory := more["requests.memory"]
	fmt.Println(memory.String(), needed)
	// Output: 1Gi true
}

func ExampleGrowthForAll() {
	claims := []*pool.ResourcePoolClaim{bound("a", 0, "pods", "8"), waiting("b", 1, "pods", "5"), waiting("c", 2, "pods", "4")}
	growth := poolplan.GrowthForAll(newPool("pods", "10"), claims)
	fmt.Println(growth.Pods())
	// Output: 7
}

func ExampleReleases() {
	claims := []*pool.ResourcePoolClaim{bound("old", 0, "pods", "5"), bound("young", 1, "pods", "5"), waiting("head", 2, "pods", "4")}
	r, _ := poolplan.Releases(newPool("pods", "10"), claims, pool.Options{API: pool.Documented})
	fmt.Println(r.Head, r.Sets, r.Smallest)
	// Output: a/head [[a/young] [a/old]] true
}

func ExampleReleaseSets() {
	r, waits := poolplan.Releases(newPool("pods", "10"), []*pool.ResourcePoolClaim{waiting("too-large", 0, "pods", "11")}, pool.Options{API: pool.Documented})
	fmt.Println(waits, len(r.Sets))
	// Output: true 0
}

func ExampleOvertaken() {
	claims := []*pool.ResourcePoolClaim{bound("base", 0, "pods", "8"), waiting("get-mem", 1, "pods", "4"), bound("skip-the-line", 2, "pods", "2")}
	for _, o := range poolplan.Overtaken(newPool("pods", "10"), claims, 1, pool.Options{API: pool.Documented}) {
		fmt.Println(o.Claim, "was overtaken by", o.By)
	}
	// Output: a/get-mem was overtaken by [a/skip-the-line]
}

func ExampleOvertaking() {
	o := poolplan.Overtaken(newPool("pods", "1"), []*pool.ResourcePoolClaim{waiting("large", 1, "pods", "4")}, 1, pool.Options{API: pool.Documented})[0]
	fmt.Println(o.Claim.Name, o.Obstacles[0].Resource, len(o.By))
	// Output: large pods 0
}

func ExampleFromNodes() {
	p := poolplan.FromNodes("all", []*corev1.Node{node(false, "cpu", "3920m", "pods", "110"), node(false, "cpu", "3920m", "pods", "110")}, poolplan.NodeOptions{})
	cpu := p.Spec.Quota.Hard["requests.cpu"]
	fmt.Println(cpu.String(), p.Spec.Quota.Hard.Pods())
	// Output: 7840m 220
}

func ExampleNodeOptions() {
	p := poolplan.FromNodes("all", []*corev1.Node{node(true, "pods", "110")}, poolplan.NodeOptions{Unschedulable: true})
	fmt.Println(p.Spec.Quota.Hard.Pods())
	// Output: 110
}

func ExampleClaim() {
	usage := testkit.List("requests.cpu", "375m", "pods", "1") // as package quota computes it
	c, err := poolplan.Claim(types.NamespacedName{Namespace: "solar-test", Name: "web"}, usage, 4, newPool("requests.cpu", "4", "pods", "10"))
	cpu := c.Spec.Claim["requests.cpu"]
	fmt.Println(c.Spec.Pool, cpu.String(), c.Spec.Claim.Pods(), err)
	// Output: sampler 1500m 4 <nil>
}

func ExampleGrowthForResize() {
	claims := []*pool.ResourcePoolClaim{bound("a", 0, "pods", "8")}
	more, needed := poolplan.GrowthForResize(claims[0].Key(), testkit.List("pods", "12"), newPool("pods", "10"), claims)
	fmt.Println(more.Pods(), needed)
	// Output: 2 true
}

func ExampleBalance() {
	p := newPool("pods", "10")
	claims := []*pool.ResourcePoolClaim{holding(p, "prod", "base", 0, "pods", "6"), holding(p, "test", "trial", 1, "pods", "4"), waiting("head", 2, "pods", "3")}
	used := map[string]corev1.ResourceList{"prod": testkit.List("pods", "3"), "test": testkit.List("pods", "2")} // by the quotas' statuses
	plan := poolplan.Balance(used, p, claims, pool.Options{})
	for _, s := range plan.Shrinks {
		fmt.Println(s.Claim, "gives", s.By.Pods(), "and keeps", s.To.Pods())
	}
	fmt.Println(plan.Claim, "is bound then")
	// Output:
	// test/trial gives 2 and keeps 2
	// prod/base gives 1 and keeps 5
	// a/head is bound then
}

func ExampleRebalance() {
	p := newPool("pods", "10")
	plan := poolplan.Balance(nil, p, []*pool.ResourcePoolClaim{holding(p, "a", "base", 0, "pods", "6"), waiting("head", 2, "pods", "5")}, pool.Options{})
	fmt.Println(plan.Stuck, len(plan.Shrinks)) // no usage is known
	// Output: [a/head] 0
}

func ExampleShrink() {
	p := newPool("pods", "10")
	claims := []*pool.ResourcePoolClaim{holding(p, "a", "idle", 0, "pods", "10"), waiting("head", 2, "pods", "10")}
	s := poolplan.Balance(map[string]corev1.ResourceList{"a": testkit.List("pods", "0")}, p, claims, pool.Options{}).Shrinks[0]
	fmt.Println(s.Claim.Name, s.By.Pods(), s.To.Pods())
	// Output: idle 10 0
}
