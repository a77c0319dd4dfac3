package migrate_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/pool/migrate"
)

func quotaOf(namespace, name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{}
	q.Namespace, q.Name, q.Spec.Hard, q.Status.Used = namespace, name, hard, used
	return q
}

// listOf makes a list of names and amounts.
func listOf(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

func computeList(cpu, memory string) corev1.ResourceList {
	return listOf("limits.cpu", cpu, "limits.memory", memory, "requests.cpu", cpu, "requests.memory", memory)
}

// tenantQuotas are the quotas of the document's tenant: those of migration-dev, and of two more
// namespaces, one of which uses nothing of the first quota.
func tenantQuotas() []migrate.PoolSource {
	return []migrate.PoolSource{
		{
			Pool: "migration-compute", Claim: "compute", Capacity: corev1.ResourceQuotaSpec{Hard: computeList("2", "2Gi")},
			Quotas: []*corev1.ResourceQuota{
				quotaOf("migration-test", "capsule-migration-0", computeList("1125m", "1152Mi"), computeList("0", "0")),
				quotaOf("migration-dev", "capsule-migration-0", computeList("1500m", "1536Mi"), computeList("375m", "384Mi")),
				quotaOf("migration-prod", "capsule-migration-0", computeList("1250m", "1280Mi"), computeList("125m", "128Mi")),
			},
		},
		{
			Pool: "migration-size", Claim: "pods", Capacity: corev1.ResourceQuotaSpec{Hard: listOf("pods", "7")},
			Quotas: []*corev1.ResourceQuota{
				quotaOf("migration-dev", "capsule-migration-1", listOf("pods", "3"), listOf("pods", "3", "secrets", "9")),
				quotaOf("migration-test", "capsule-migration-1", listOf("pods", "4"), listOf("pods", "1")),
				nil,
			},
		},
	}
}

func tenantOptions() migrate.Options {
	return migrate.Options{
		Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"capsule.clastix.io/tenant": "migration"}}},
	}
}

func ExampleFromQuotas() {
	m, err := migrate.FromQuotas(tenantQuotas(), tenantOptions())
	for _, c := range m.Claims {
		fmt.Println(c.Namespace, c.Name, c.Spec.Pool)
	}
	fmt.Println(len(m.Pools), "pools,", len(m.Replaced), "quotas replaced,", err)
	// Output:
	// migration-dev compute migration-compute
	// migration-dev pods migration-size
	// migration-prod compute migration-compute
	// migration-test pods migration-size
	// 2 pools, 5 quotas replaced, <nil>
}

func ExampleMigration_Check() {
	m, _ := migrate.FromQuotas(tenantQuotas(), tenantOptions())
	quotas, waiting := m.Check()
	fmt.Println(quotas[1].Namespace, quotas[1].Name, quotas[1].Spec.Hard.Pods(), len(waiting))
	// Output: migration-dev capsule-pool-migration-size 3 0
}

func ExampleOptions_claimHard() {
	for _, hard := range []bool{false, true} {
		m, _ := migrate.FromQuotas(tenantQuotas(), migrate.Options{ClaimHard: hard})
		fmt.Println(hard, m.Claims[0].Spec.Claim.Name("limits.cpu", "DecimalSI"))
	}
	// Output:
	// false 375m
	// true 1500m
}

func ExampleSources() {
	sources, losses := migrate.Sources([]*corev1.ResourceQuota{
		quotaOf("red", "team", listOf("pods", "3", "widgets", "1"), nil), quotaOf("blue", "team", listOf("pods", "4"), nil),
	})
	fmt.Println(sources[0].Pool, sources[0].Capacity.Hard.Pods(), len(sources[0].Quotas))
	fmt.Println(losses[0].Quota, losses[0].Problem.Field(nil))
	// Output:
	// team 7 2
	// red/team spec.hard[widgets]: Invalid value: "widgets": must be a standard resource for quota
}
