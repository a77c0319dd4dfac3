package migrate_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool/migrate"
)

const annotation = "quota.capsule.clastix.io/"

// ofTenant are the quotas that Capsule keeps for a Tenant of 2 CPUs, of which 375m, 375m and 125m are used.
func ofTenant(annotations map[string]string) (quotas []*corev1.ResourceQuota) {
	controller := true
	for _, n := range []struct{ namespace, hard, used string }{{"dev", "1500m", "375m"}, {"prod", "1500m", "375m"}, {"test", "1250m", "125m"}} {
		q := quota(n.namespace, "capsule-team-0", testkit.List("requests.cpu", n.hard), testkit.List("requests.cpu", n.used))
		q.Labels = map[string]string{"projectcapsule.dev/tenant": "team", "capsule.clastix.io/resource-quota": "0"}
		q.OwnerReferences = []metav1.OwnerReference{{APIVersion: "capsule.clastix.io/v1beta2", Kind: "Tenant", Name: "team", Controller: &controller}}
		q.Annotations = maps.Clone(annotations)
		quotas = append(quotas, q)
	}
	return quotas
}

// Quotas of a Tenant stand for its amount, which is in their annotations, or are lost: their sum is no capacity.
func TestQuotasOfATenant(t *testing.T) {
	const needed = " metadata.annotations[" + annotation
	whole := map[string]string{annotation + "hard-requests.cpu": "2", annotation + "used-requests.cpu": "875m"}
	with := func(key, value string) map[string]string {
		changed := maps.Clone(whole)
		changed[annotation+key] = value
		return changed
	}
	hashed := func(quotas []*corev1.ResourceQuota) {
		for _, q := range quotas {
			q.Spec.Hard = testkit.List("gold.storageclass.storage.k8s.io/requests.storage", "5Gi")
			q.Status.Used = nil
			q.Annotations = map[string]string{annotation + "hard-cae0c3be07baba377a1138777cd49338": "5Gi"}
		}
	}
	for _, test := range []struct {
		name        string
		annotations map[string]string
		change      func([]*corev1.ResourceQuota)
		want        string
	}{
		{"annotated", whole, nil, "capsule-team-0 [2] 3"},
		{"without the sum that is used", map[string]string{annotation + "hard-requests.cpu": "2"}, nil, "capsule-team-0 [2] 3"},
		{"a long name", nil, hashed, "capsule-team-0 [5Gi] 3"},
		{"a name with a slash", map[string]string{annotation + "hard-count_jobs.batch": "9"}, func(quotas []*corev1.ResourceQuota) {
			for _, q := range quotas {
				q.Spec.Hard = testkit.List("count/jobs.batch", "3")
			}
		}, "capsule-team-0 [9] 3"},
		{"the longest name", map[string]string{annotation + "hard-count_thousandths.example.company": "9"}, func(quotas []*corev1.ResourceQuota) {
			for _, q := range quotas {
				q.Spec.Hard = testkit.List("count/thousandths.example.company", "3")
			}
		}, "capsule-team-0 [9] 3"},
		{"not annotated", nil, nil, "3" + needed + "hard-requests.cpu] Forbidden"},
		{"another resource", map[string]string{annotation + "hard-pods": "2"}, nil, "3" + needed + "hard-requests.cpu] Forbidden"},
		{"no amount", with("hard-requests.cpu", "much"), nil, "3" + needed + "hard-requests.cpu] Forbidden"},
		{"nothing is allowed", map[string]string{annotation + "hard-requests.cpu": "0", annotation + "used-requests.cpu": "875m"}, nil, "capsule-team-0 [0] 3"},
		{"a negative amount", with("hard-requests.cpu", "-1"), nil, "3" + needed + "hard-requests.cpu] Forbidden"},
		{"an absurd amount", with("hard-requests.cpu", "1e-1000000000"), nil, "3" + needed + "hard-requests.cpu] Forbidden"},
		{"a namespace is missing", with("used-requests.cpu", "1"), nil, "3" + needed + "used-requests.cpu] Forbidden"},
		{"a namespace more", with("used-requests.cpu", "500m"), nil, "3" + needed + "used-requests.cpu] Forbidden"},
		{"an exponent of two digits and a sign", with("hard-requests.cpu", "2000e-03"), nil, "capsule-team-0 [2] 3"},
		{"a longer exponent", with("hard-requests.cpu", "2000e-003"), nil, "3" + needed + "hard-requests.cpu] Forbidden"},
		{"no sum", with("used-requests.cpu", "x"), nil, "3" + needed + "used-requests.cpu] Forbidden"},
		{"they differ", whole, func(quotas []*corev1.ResourceQuota) {
			quotas[2].Annotations = with("hard-requests.cpu", "3")
		}, "3" + needed + "hard-requests.cpu] Forbidden"},
		{"a scope that pools do not have", whole, func(quotas []*corev1.ResourceQuota) {
			for _, q := range quotas {
				q.Spec.Scopes = []corev1.ResourceQuotaScope{"Weekend"}
			}
		}, "3 spec.scopes[0] Unsupported value"},
		{"a resource that pools do not have", whole, func(quotas []*corev1.ResourceQuota) {
			quotas[0].Spec.Hard["widgets"] = testkit.List("widgets", "3")["widgets"]
		}, "1 spec.hard[widgets] Invalid value"},
	} {
		quotas := ofTenant(test.annotations)
		if test.change != nil {
			test.change(quotas)
		}
		sources, losses := migrate.Sources(quotas)
		got := ""
		for _, s := range sources {
			for _, amount := range s.Capacity.Hard {
				got += fmt.Sprint(s.Pool, " [", amount.String(), "] ", len(s.Quotas))
			}
		}
		if len(losses) > 0 {
			got += fmt.Sprint(len(losses), " ", losses[0].Problem.Path, " ", losses[0].Problem.Type)
		}
		testkit.Equal(t, got, test.want, test.name)
	}
	_, losses := migrate.Sources(ofTenant(nil))
	if want := `metadata.annotations[quota.capsule.clastix.io/hard-requests.cpu]: Forbidden: the quota is that of Tenant team, which is needed: its amount of requests.cpu is not in the quotas`; losses[0].Problem.Field(nil).Error() != want {
		t.Errorf("%v, want %s", losses[0].Problem.Field(nil), want)
	}
}

// The items of a Tenant, and the quotas of other Tenants and of none, are sources of their own.
func TestItemsOfTenants(t *testing.T) {
	named := func(namespace, name, tenant string) *corev1.ResourceQuota {
		q := quota(namespace, name, testkit.List("pods", "4"), nil)
		q.Annotations = map[string]string{annotation + "hard-pods": "5"}
		q.Labels = map[string]string{"capsule.clastix.io/tenant": tenant}
		return q
	}
	plain := named("d", "own", "t")
	owned := func(namespace, tenant string) *corev1.ResourceQuota {
		controller, q := true, named(namespace, "item", tenant)
		q.OwnerReferences = []metav1.OwnerReference{{APIVersion: "capsule.clastix.io/v1beta2", Kind: "Tenant", Name: tenant, Controller: &controller}}
		return q
	}
	sources, losses := migrate.Sources([]*corev1.ResourceQuota{named("a", "capsule-t-0", "t"), named("b", "capsule-t-0", "t"),
		named("a", "capsule-t-1", "t"), named("c", "capsule-t-10-0", "t-10"), plain, quota("d", "capsule-t-0", testkit.List("pods", "1"), nil), owned("e", "v"), owned("f", "w")})
	var got []string
	for _, s := range sources {
		got = append(got, fmt.Sprint(s.Pool, " ", len(s.Quotas), " ", s.Capacity.Hard.Pods()))
	}
	want := []string{"capsule-t-0 1 1", "capsule-t-1 1 5", "capsule-t-10-0 1 5", "item 1 5", "own 1 4", "size 2 5", "size-2 1 5"}
	if diff := cmp.Diff(want, got); diff != "" || len(losses) > 0 {
		t.Errorf("losses %v (-want +got):\n%s", losses, diff)
	}
}

func TestTenantOf(t *testing.T) {
	owner := func(apiVersion string) func(*corev1.ResourceQuota) {
		yes := true
		return func(q *corev1.ResourceQuota) {
			q.OwnerReferences = []metav1.OwnerReference{{APIVersion: apiVersion, Kind: "Tenant", Name: "o", Controller: &yes}}
		}
	}
	label := func(key, value string) func(*corev1.ResourceQuota) {
		return func(q *corev1.ResourceQuota) { q.Labels = map[string]string{key: value} }
	}
	annotated := func(key string) func(*corev1.ResourceQuota) {
		return func(q *corev1.ResourceQuota) { q.Annotations = map[string]string{key: "1"} }
	}
	for _, test := range []struct {
		name   string
		change func(*corev1.ResourceQuota)
		want   string
	}{
		{"any", owner("capsule.clastix.io/v1beta1"), "o"},
		{"any", owner("tenancy.example.com/v1"), ""},
		{"capsule-a-b-10", label("projectcapsule.dev/tenant", "a-b"), "a-b"},
		{"capsule-a-b-10", label("capsule.clastix.io/tenant", "a-b"), "a-b"},
		{"capsule-a-b-10", label("capsule.clastix.io/tenant", "a"), ""},
		{"capsule-a-b-10", annotated(annotation + "hard-pods"), "a-b"},
		{"capsule-a-b-10", annotated(annotation + "used-pods"), ""},
		{"capsule-a-x", label("capsule.clastix.io/tenant", "a"), ""},
		{"capsule-a-", label("capsule.clastix.io/tenant", "a"), ""},
		{"capsule-0", annotated(annotation + "hard-pods"), ""},
		{"my-a-0", label("capsule.clastix.io/tenant", "a"), ""},
		{"0", annotated(annotation + "hard-pods"), ""},
		{"", annotated(annotation + "hard-pods"), ""},
	} {
		q := quota("n", test.name, nil, nil)
		test.change(q)
		testkit.Equal(t, migrate.TenantOf(q), test.want, test.name, q.ObjectMeta)
	}
	testkit.Equal(t, migrate.TenantOf(nil), "", "nil")
}

func TestContractOfTenants(t *testing.T) {
	whole := map[string]string{annotation + "hard-requests.cpu": "2", annotation + "used-requests.cpu": "875m"}
	rapid.Check(t, func(t *rapid.T) {
		annotations := whole
		if rapid.Bool().Draw(t, "not annotated") {
			annotations = nil
		}
		quotas := rapid.Permutation(append(ofTenant(annotations), plain()...)).Draw(t, "quotas")
		want, lost := migrate.Sources(append(ofTenant(annotations), plain()...))
		sources, losses := migrate.Sources(quotas)
		testkit.NoDiff(t, []any{sources, losses}, []any{want, lost}, "in another order")
		testkit.Contract(t, func() any { s, l := migrate.Sources(quotas); return []any{s, l} }, quotas)
		testkit.Contract(t, func() any { return migrate.TenantOf(quotas[0]) }, quotas[0])
	})
}
