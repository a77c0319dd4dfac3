package pages_test

import (
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
	"github.com/kubemath/kubemath/pool/poolplan"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// tenants returns a pool of 10 CPUs and two claims on it, the older one first.
func tenants() (*pool.ResourcePool, []*pool.ResourcePoolClaim) {
	cpus := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse(amount)}
	}
	p := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "cpus"}}
	p.Spec.Quota.Hard = cpus("10")
	var claims []*pool.ResourcePoolClaim
	for i, team := range []string{"red", "blue"} {
		claims = append(claims, &pool.ResourcePoolClaim{
			ObjectMeta: metav1.ObjectMeta{Namespace: team, Name: "base", CreationTimestamp: metav1.Unix(int64(i), 0)},
			Spec:       pool.ResourcePoolClaimSpec{Pool: "cpus", Claim: cpus("6")},
		})
	}
	return p, claims
}

func Example_capsuleAllocate() {
	p, claims := tenants()
	namespaces := []string{"red", "blue"}

	allocation := pool.Allocate(p, claims, pool.Options{})
	for _, decision := range allocation.Decisions {
		fmt.Println(decision.Claim, decision.State, decision.Message())
	}
	allocation.Apply(p, claims, namespaces, time.Now(), pool.Options{}) // to the statuses of the pool and of its claims
	fmt.Println("available:", resourcelist.String(p.Status.Allocation.Available))
	fmt.Println("quota of red:", resourcelist.String(pool.Quota(p, "red", allocation.Namespaces["red"]).Spec.Hard))
	// Output:
	// red/base Bound resource claimable from pool
	// blue/base PoolExhausted requested: requests.cpu=6, available: requests.cpu=4
	// available: requests.cpu=4
	// quota of red: requests.cpu=6
}

func Example_capsuleGrowth() {
	p, claims := tenants()

	growth, waits := poolplan.Growth(claims[1].Key(), p, claims)
	fmt.Println("waits:", waits, "and would be granted with", resourcelist.String(growth), "more")
	// Output:
	// waits: true and would be granted with requests.cpu=2 more
}

func Example_capsuleMigrate() {
	_, quotas, _ := shopObjects("")
	quotas[0].Spec.Hard = quotas[0].Status.Hard
	quotas[0].Spec.Hard[corev1.ResourceServicesLoadBalancers] = resource.MustParse("0")

	sources, losses := migrate.Sources(quotas)
	migration, err := migrate.FromQuotas(sources, migrate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, claim := range migration.Claims {
		fmt.Println(claim.Namespace, "claims", resourcelist.String(claim.Spec.Claim), "of pool", claim.Spec.Pool)
	}
	after, waiting := migration.Check() // what there will be once the old quotas are deleted
	for _, quota := range after {
		fmt.Println("quota of", quota.Namespace+":", resourcelist.String(quota.Spec.Hard))
	}
	fmt.Println("cannot be migrated:", len(losses), "claims that will wait:", len(waiting))
	// Output:
	// shop claims requests.cpu=3500m of pool compute
	// quota of shop: requests.cpu=3500m,services.loadbalancers=0
	// cannot be migrated: 0 claims that will wait: 0
}

func Example_capsuleGlobalQuota() {
	object, pod, smaller, own := &unstructured.Unstructured{}, podOfCPU("2"), podOfCPU("500m"), []*corev1.ResourceQuota(nil)
	if err := json.Unmarshal([]byte(`{"apiVersion": "capsule.clastix.io/v1beta2", "kind": "GlobalResourceQuota",
		"metadata": {"name": "team"},
		"spec": {"namespaceSelectors": [{"matchLabels": {"team": "a"}}], "quota": {"hard": {"requests.cpu": "4"}}},
		"status": {"total": {"hard": {"requests.cpu": "4"}, "used": {"requests.cpu": "3"}},
			"namespaceUsage": {"shop": {"used": {"requests.cpu": "1"}}, "data": {"used": {"requests.cpu": "2"}}}}}`), object); err != nil {
		fmt.Println(err)
		return
	}

	shared, err := quota.ClusterQuotasOf(object)
	if err != nil {
		fmt.Println(err)
		return
	}
	team := shared[0]
	namespace, err := admit.Compile(nil, append(own, team.In("shop")), admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	decision := namespace.Create(pod, admit.Attributes{})
	fmt.Println(decision.Err())
	fit := namespace.Replicas([]admit.APIObject{smaller}, admit.Attributes{})
	fmt.Println("fits:", fit.Replicas, "any number:", fit.Unbounded)
	decision = namespace.Create(smaller, admit.Attributes{})
	for _, increase := range decision.Increases {
		if increase.Source.Kind == string(team.Kind) && increase.Source.Name == team.Name {
			team.SetUsed("shop", resourcelist.Add(team.Namespaces["shop"], increase.Usage))
		}
	}
	fmt.Println("used by all:", resourcelist.String(team.Status.Used))
	// Output:
	// admission webhook "calculation.global-resource-quotas.validating.projectcapsule.dev" denied the request: resource exceeds GlobalResourceQuota "team": requests.cpu (requested=2, current=3, projected=5, hard=4, exceededBy=1)
	// fits: 2 any number: false
	// used by all: requests.cpu=3500m
}

// podOfCPU is a pod in the namespace shop.
func podOfCPU(cpu string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}}}}}
}
