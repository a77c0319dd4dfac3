package migrate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
)

// plain are quotas of three namespaces that no Tenant keeps.
func plain() []*corev1.ResourceQuota {
	best, twice := quota("blue", "best", testkit.List("pods", "10"), testkit.List("pods", "4")), quota("blue", "team-too", compute("1", "1Gi"), compute("1", "1Gi"))
	best.Spec.Scopes = []corev1.ResourceQuotaScope{"BestEffort"}
	weekend := quota("green", "weekend", testkit.List("pods", "10"), nil)
	weekend.Spec.Scopes = []corev1.ResourceQuotaScope{"Weekend"}
	owned := quota("green", "capsule-pool-x", testkit.List("pods", "1"), nil)
	controller := true
	owned.OwnerReferences = []metav1.OwnerReference{{Kind: "ResourcePool", Name: "x", Controller: &controller}}
	red := quota("red", "team", compute("4", "8Gi"), compute("1500m", "2Gi"))
	red.Spec.Hard["widgets"], red.Spec.Hard["pods"] = testkit.List("widgets", "3")["widgets"], testkit.List("pods", "-1")["pods"]
	return []*corev1.ResourceQuota{twice, red, nil, owned, weekend, quota("blue", "team", compute("2", "4Gi"), compute("2", "1Gi")), best,
		quota("green", "odd", testkit.List("widgets", "1"), nil), quota("red", "pods", testkit.List("pods", "3"), nil)}
}

func TestSources(t *testing.T) {
	sources, losses := migrate.Sources(plain())
	var got []string
	for _, s := range sources {
		var of []string
		for _, q := range s.Quotas {
			of = append(of, q.Namespace+"/"+q.Name)
		}
		cpu := s.Capacity.Hard["limits.cpu"]
		got = append(got, fmt.Sprint(s.Pool, " ", s.Claim, " ", of, " ", s.Selectors[0].MatchExpressions[0].Values, " ", len(s.Capacity.Hard), " ", s.Capacity.Scopes, " ", cpu.String(), " ", s.Capacity.Hard.Pods()))
	}
	want := []string{
		"best best [blue/best] [blue] 1 [BestEffort] 0 10",
		"pods pods [red/pods] [red] 1 [] 0 3",
		"team team [blue/team red/team] [blue red] 4 [] 6 0",
		"team-too team-too [blue/team-too] [blue] 4 [] 1 0",
	}
	testkit.NoDiff(t, got, want, "sources")
	got = nil
	for _, l := range losses {
		got = append(got, fmt.Sprintf("%v %s %s %s", l.Quota, l.Resource, l.Problem.Path, l.Problem.Type))
	}
	want = []string{
		"green/capsule-pool-x  metadata.ownerReferences Forbidden",
		"green/odd  spec.hard Required value",
		"green/odd widgets spec.hard[widgets] Invalid value",
		"green/weekend  spec.scopes[0] Unsupported value",
		"red/team pods spec.hard[pods] Invalid value",
		"red/team widgets spec.hard[widgets] Invalid value",
	}
	testkit.NoDiff(t, got, want, "losses")
}

// Pools keep what they maintain, and a Tenant says what its quotas stand for: the quotas of any other controller are migrated.
func TestQuotasOfOtherControllers(t *testing.T) {
	yes, no := true, false
	for _, test := range []struct {
		name     string
		owner    metav1.OwnerReference
		migrated bool
	}{
		{"a pool that controls it", metav1.OwnerReference{APIVersion: pool.APIVersion, Kind: "ResourcePool", Name: "x", Controller: &yes}, false},
		{"a pool that does not control it", metav1.OwnerReference{APIVersion: pool.APIVersion, Kind: "ResourcePool", Name: "x", Controller: &no}, true},
		{"a Tenant", metav1.OwnerReference{APIVersion: "capsule.clastix.io/v1beta2", Kind: "Tenant", Name: "x", Controller: &yes}, false},
		{"a Tenant that does not control it", metav1.OwnerReference{APIVersion: "capsule.clastix.io/v1beta2", Kind: "Tenant", Name: "x", Controller: &no}, true},
		{"a Tenant of something else", metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Tenant", Name: "x", Controller: &yes}, true},
		{"a GitOps controller", metav1.OwnerReference{APIVersion: "kustomize.toolkit.fluxcd.io/v1", Kind: "Kustomization", Name: "x", Controller: &yes}, true},
	} {
		q := quota("a", "team", testkit.List("pods", "3"), nil)
		q.OwnerReferences = []metav1.OwnerReference{test.owner}
		sources, losses := migrate.Sources([]*corev1.ResourceQuota{q})
		if migrated := len(sources) == 1 && len(losses) == 0; migrated != test.migrated || len(sources)+len(losses) != 1 {
			t.Errorf("%s: %d sources, losses %v; want migrated %v", test.name, len(sources), losses, test.migrated)
		}
	}
}

// Quotas of other names, or of a name that is given, become pools by their purpose; scopes count in
// any order.
func TestNamesOfSources(t *testing.T) {
	scoped := func(q *corev1.ResourceQuota, scopes ...corev1.ResourceQuotaScope) *corev1.ResourceQuota {
		q.Spec.Scopes = scopes
		return q
	}
	sources, losses := migrate.Sources([]*corev1.ResourceQuota{
		quota("a", "x", compute("1", "1Gi"), nil), quota("b", "y", compute("1", "1Gi"), nil),
		quota("a", "z", testkit.List("requests.cpu", "1"), nil), quota("b", "w", testkit.List("requests.cpu", "1"), nil),
		scoped(quota("a", "s", testkit.List("pods", "1"), nil), "NotTerminating", "NotBestEffort"), scoped(quota("b", "s", testkit.List("pods", "1"), nil), "NotBestEffort", "NotTerminating"),
		scoped(quota("c", "s", testkit.List("pods", "1"), nil), "NotTerminating", "NotBestEffort", "NotTerminating"),
		quota("c", "s", testkit.List("requests.storage", "1Gi", "requests.cpu", "1"), nil), quota("c", "m", testkit.List("limits.memory", "1"), nil), quota("d", "n", testkit.List("limits.memory", "1"), nil),
		quota("e", "m", testkit.List("gold.storageclass.storage.k8s.io/persistentvolumeclaims", "1"), nil), quota("f", "n", testkit.List("gold.storageclass.storage.k8s.io/persistentvolumeclaims", "1"), nil),
		quota("e", "n", testkit.List("limits.ephemeral-storage", "1Gi", "requests.cpu", "1"), nil), quota("f", "o", testkit.List("limits.ephemeral-storage", "1Gi", "requests.cpu", "1"), nil),
		quota("e", "o", testkit.List("persistentvolumeclaims", "1"), nil), quota("f", "p", testkit.List("persistentvolumeclaims", "1"), nil),
	})
	var got []string
	for _, s := range sources {
		got = append(got, fmt.Sprint(s.Pool, " ", len(s.Quotas)))
		testkit.Equal(t, s.Claim, s.Pool)
	}
	if diff := cmp.Diff([]string{"compute 2", "compute-2 2", "compute-3 2", "s 3", "size 2", "storage 2", "storage-2 2", "storage-3 1"}, got); diff != "" || len(losses) > 0 {
		t.Errorf("losses %v (-want +got):\n%s", losses, diff)
	}
}

func TestContractOfSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quotas := rapid.Permutation(plain()).Draw(t, "quotas")
		want, lost := migrate.Sources(plain())
		sources, losses := migrate.Sources(quotas)
		testkit.NoDiff(t, []any{sources, losses}, []any{want, lost}, "in another order")
		testkit.Contract(t, func() any { s, l := migrate.Sources(quotas); return []any{s, l} }, quotas)
	})
}

// Quotas of other scopes need other pools, whatever the order of the values of a scope. Of many
// quotas of a namespace, each has a pool of its own, in their order.
func TestPoolsByScopesAndRanks(t *testing.T) {
	scoped := func(namespace, name string, scopes []corev1.ResourceQuotaScope, values ...string) *corev1.ResourceQuota {
		q := quota(namespace, name, testkit.List("pods", "1"), nil)
		q.Spec.Scopes = scopes
		if len(values) > 0 {
			q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
				{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: values},
			}}
		}
		return q
	}
	many := []*corev1.ResourceQuota{
		scoped("a", "s", []corev1.ResourceQuotaScope{"Terminating"}), scoped("b", "t", []corev1.ResourceQuotaScope{"NotTerminating"}),
		scoped("a", "x", nil, "high", "low"), scoped("b", "x", nil, "low", "high"),
	}
	for i := range 12 {
		many = append(many, quota("a", fmt.Sprintf("q-%02d", i), testkit.List("services", "1"), nil), quota("b", fmt.Sprintf("r-%02d", i), testkit.List("services", "1"), nil))
	}
	sources, _ := migrate.Sources(many)
	got := map[string][]string{}
	for _, s := range sources {
		for _, q := range s.Quotas {
			got[s.Pool] = append(got[s.Pool], q.Namespace+"/"+q.Name)
		}
	}
	want := map[string][]string{"s": {"a/s"}, "t": {"b/t"}, "x": {"a/x", "b/x"}, "size": {"a/q-00", "b/r-00"}}
	for i := 1; i < 12; i++ {
		want[fmt.Sprint("size-", i+1)] = []string{fmt.Sprintf("a/q-%02d", i), fmt.Sprintf("b/r-%02d", i)}
	}
	testkit.NoDiff(t, got, want)
}
