package migrate_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
)

func quota(namespace, name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{}
	q.Namespace, q.Name, q.Spec.Hard, q.Status.Used = namespace, name, hard, used
	return q
}

func compute(cpu, memory string) corev1.ResourceList {
	return testkit.List("limits.cpu", cpu, "limits.memory", memory, "requests.cpu", cpu, "requests.memory", memory)
}

// document are the quotas of the document's tenant: those of migration-dev, and of two more namespaces,
// one of which uses nothing of the first quota.
func document() []migrate.PoolSource {
	return []migrate.PoolSource{
		{
			Pool: "migration-compute", Claim: "compute", Capacity: corev1.ResourceQuotaSpec{Hard: compute("2", "2Gi")},
			Quotas: []*corev1.ResourceQuota{
				quota("migration-test", "capsule-migration-0", compute("1125m", "1152Mi"), compute("0", "0")),
				quota("migration-dev", "capsule-migration-0", compute("1500m", "1536Mi"), compute("375m", "384Mi")),
				quota("migration-prod", "capsule-migration-0", compute("1250m", "1280Mi"), compute("125m", "128Mi")),
			},
		},
		{
			Pool: "migration-size", Claim: "pods", Capacity: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "7")},
			Quotas: []*corev1.ResourceQuota{
				quota("migration-dev", "capsule-migration-1", testkit.List("pods", "3"), testkit.List("pods", "3", "secrets", "9")),
				quota("migration-test", "capsule-migration-1", testkit.List("pods", "4"), testkit.List("pods", "1")),
				nil,
			},
		},
	}
}

func options() migrate.Options {
	return migrate.Options{
		Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"capsule.clastix.io/tenant": "migration"}}},
	}
}

func TestDocument(t *testing.T) {
	m, err := migrate.FromQuotas(document(), options())
	testkit.OK(t, err)
	newPool := func(name string, hard corev1.ResourceList) *pool.ResourcePool {
		p := &pool.ResourcePool{TypeMeta: metav1.TypeMeta{APIVersion: "capsule.clastix.io/v1beta2", Kind: "ResourcePool"}, ObjectMeta: metav1.ObjectMeta{Name: name}}
		p.Spec = pool.ResourcePoolSpec{Selectors: options().Selectors, Config: pool.ResourcePoolConfig{DefaultsZero: true}, Quota: corev1.ResourceQuotaSpec{Hard: hard}}
		return p
	}
	newClaim := func(namespace, name, of string, amounts corev1.ResourceList) *pool.ResourcePoolClaim {
		c := &pool.ResourcePoolClaim{TypeMeta: metav1.TypeMeta{APIVersion: "capsule.clastix.io/v1beta2", Kind: "ResourcePoolClaim"}, ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
		c.Spec = pool.ResourcePoolClaimSpec{Pool: of, Claim: amounts}
		return c
	}
	if diff := cmp.Diff([]*pool.ResourcePool{newPool("migration-compute", compute("2", "2Gi")), newPool("migration-size", testkit.List("pods", "7"))}, m.Pools); diff != "" {
		t.Errorf("pools (-document +kubemath):\n%s", diff)
	}
	wantClaims := []*pool.ResourcePoolClaim{
		newClaim("migration-dev", "compute", "migration-compute", compute("375m", "384Mi")),
		newClaim("migration-dev", "pods", "migration-size", testkit.List("pods", "3")),
		newClaim("migration-prod", "compute", "migration-compute", compute("125m", "128Mi")),
		newClaim("migration-test", "pods", "migration-size", testkit.List("pods", "1")),
	}
	testkit.NoDiff(t, m.Claims, wantClaims, "claims")
	if got, want := fmt.Sprint(m.Replaced), "[migration-dev/capsule-migration-0 migration-dev/capsule-migration-1 migration-prod/capsule-migration-0 migration-test/capsule-migration-0 migration-test/capsule-migration-1]"; got != want {
		t.Errorf("replaced %s", got)
	}
	for _, p := range m.Pools {
		if errs := pool.ValidatePool(nil, p); len(errs) > 0 {
			t.Errorf("%s: %v", p.Name, errs)
		}
	}
	for _, c := range m.Claims {
		if errs := pool.ValidateClaim(nil, c, pool.AdmissionOptions{}); len(errs) > 0 {
			t.Errorf("%s: %v", c.Name, errs)
		}
	}
}

// The document's last table: the quotas of migration-dev allow exactly the usage.
func TestDocumentQuotas(t *testing.T) {
	m, _ := migrate.FromQuotas(document(), options())
	quotas, waiting := m.Check()
	if len(waiting) > 0 {
		t.Errorf("waiting: %v", waiting)
	}
	want := map[string]corev1.ResourceList{
		"migration-dev/capsule-pool-migration-compute":  compute("375m", "384Mi"),
		"migration-dev/capsule-pool-migration-size":     testkit.List("pods", "3"),
		"migration-prod/capsule-pool-migration-compute": compute("125m", "128Mi"),
		"migration-prod/capsule-pool-migration-size":    testkit.List("pods", "0"),
		"migration-test/capsule-pool-migration-compute": compute("0", "0"),
		"migration-test/capsule-pool-migration-size":    testkit.List("pods", "1"),
	}
	var order []string
	got := map[string]corev1.ResourceList{}
	for _, q := range quotas {
		order = append(order, q.Namespace+"/"+q.Name)
		got[q.Namespace+"/"+q.Name] = q.Spec.Hard
	}
	testkit.NoDiff(t, got, want)
	if !slices.IsSorted(order) {
		t.Errorf("order %v", order)
	}
}

// Quotas without a Tenant: the pool has their sum, and with ClaimHard namespaces claim the limits of
// their quotas.
func TestSameCapacity(t *testing.T) {
	gold := corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "PriorityClass", Operator: "In", Values: []string{"gold"}}}}
	first := quota("b", "team", testkit.List("pods", "3", "requests.memory", "1.5Gi"), testkit.List("pods", "1"))
	first.Spec.Scopes, first.Spec.ScopeSelector = []corev1.ResourceQuotaScope{"NotTerminating"}, &gold
	second := quota("a", "team", testkit.List("pods", "4", "requests.memory", "1Gi"), nil)
	second.Spec.Scopes = []corev1.ResourceQuotaScope{"Terminating"}
	o := migrate.Options{ClaimHard: true}
	m, err := migrate.FromQuotas([]migrate.PoolSource{{Pool: "team", Claim: "all", Quotas: []*corev1.ResourceQuota{nil, first, second}}}, o)
	testkit.OK(t, err)
	want := corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "7", "requests.memory", "2560Mi"), Scopes: first.Spec.Scopes, ScopeSelector: &gold}
	testkit.NoDiff(t, m.Pools[0].Spec.Quota, want, "pool")
	memory := m.Pools[0].Spec.Quota.Hard["requests.memory"]
	testkit.Equal(t, memory.String(), "2560Mi", "spelled")
	quotas, waiting := m.Check()
	if len(waiting) > 0 || len(quotas) != 2 {
		t.Fatalf("%d quotas, waiting: %v", len(quotas), waiting)
	}
	for i, old := range []*corev1.ResourceQuota{second, first} {
		if diff := cmp.Diff(old.Spec.Hard, quotas[i].Spec.Hard); diff != "" || quotas[i].Namespace != old.Namespace {
			t.Errorf("%s (-before +after):\n%s", quotas[i].Namespace, diff)
		}
	}
	// The source has other scopes and no amounts, and keeps the scopes.
	m, _ = migrate.FromQuotas([]migrate.PoolSource{{Pool: "team", Claim: "all", Quotas: []*corev1.ResourceQuota{first}, Capacity: corev1.ResourceQuotaSpec{Scopes: []corev1.ResourceQuotaScope{"BestEffort"}}}}, o)
	if diff := cmp.Diff([]corev1.ResourceQuotaScope{"BestEffort"}, m.Pools[0].Spec.Quota.Scopes); diff != "" || m.Pools[0].Spec.Quota.ScopeSelector != nil {
		t.Errorf("scopes:\n%s", diff)
	}
	m, _ = migrate.FromQuotas([]migrate.PoolSource{{Pool: "team", Claim: "all", Quotas: []*corev1.ResourceQuota{second}, Capacity: corev1.ResourceQuotaSpec{ScopeSelector: &gold}}}, o)
	if diff := cmp.Diff(&gold, m.Pools[0].Spec.Quota.ScopeSelector); diff != "" || m.Pools[0].Spec.Quota.Scopes != nil {
		t.Errorf("selector:\n%s", diff)
	}
}

// More is used than the pool has: Check returns the claims that will wait.
func TestCheckFindsWhatDoesNotFit(t *testing.T) {
	sources := document()
	sources[1].Capacity.Hard = testkit.List("pods", "3")
	m, _ := migrate.FromQuotas(sources, options())
	_, waiting := m.Check()
	if len(waiting) != 1 || waiting[0].Claim.String() != "migration-test/pods" || waiting[0].Message() != "requested: pods=1, available: pods=0" {
		t.Errorf("waiting: %v", waiting)
	}
	// In an ordered queue, those that wait behind it are told as well.
	sources[1].Quotas[1].Status.Used = testkit.List("pods", "4")
	sources[1].Quotas = append(sources[1].Quotas, quota("small", "own", testkit.List("pods", "1"), testkit.List("pods", "1")))
	ordered := options()
	ordered.Config.OrderedQueue = true
	inOrder, _ := migrate.FromQuotas(sources, ordered)
	_, waiting = inOrder.Check()
	var messages []string
	for _, d := range waiting {
		messages = append(messages, fmt.Sprint(d.Claim, " ", d.State, " ", d.Message()))
	}
	testkit.NoDiff(t, messages, []string{
		"migration-test/pods PoolExhausted requested: pods=4, available: pods=0", "small/pods QueueExhausted requested: pods=1, queued: pods=4",
	})
	if quotas, waiting := (*migrate.Migration)(nil).Check(); quotas != nil || waiting != nil {
		t.Error("no migration has an outcome")
	}
	m.Pools = append(m.Pools, nil)
	if quotas, _ := m.Check(); len(quotas) != 6 {
		t.Errorf("%d quotas", len(quotas))
	}
}

func TestErrors(t *testing.T) {
	good := func() migrate.PoolSource { return document()[0] }
	unnamed, unclaimed, empty, twice, samePool, sameClaim := good(), good(), good(), good(), good(), good()
	unnamed.Pool, unclaimed.Claim = "", ""
	empty.Capacity, empty.Quotas = corev1.ResourceQuotaSpec{}, nil
	twice.Quotas = append(twice.Quotas, quota("migration-dev", "again", nil, nil))
	samePool.Claim, sameClaim.Pool = "other", "other"
	for _, test := range []struct {
		sources []migrate.PoolSource
		want    string
	}{
		{[]migrate.PoolSource{unnamed}, `migrate: a source needs the names of a pool and a claim: "", "compute"`},
		{[]migrate.PoolSource{unclaimed}, `migrate: a source needs the names of a pool and a claim: "migration-compute", ""`},
		{[]migrate.PoolSource{good(), samePool}, `migrate: two sources for pool "migration-compute"`},
		{[]migrate.PoolSource{good(), sameClaim}, `migrate: two sources for claims "compute"`},
		{[]migrate.PoolSource{empty}, `migrate: pool "migration-compute" has no resources`},
		{[]migrate.PoolSource{twice}, `migrate: pool "migration-compute" replaces two quotas of namespace "migration-dev"`},
	} {
		m, err := migrate.FromQuotas(test.sources, options())
		if m != nil || err == nil || err.Error() != test.want {
			t.Errorf("%v, %v; want %s", m, err, test.want)
		}
	}
	if m, err := migrate.FromQuotas(nil, options()); err != nil || len(m.Pools)+len(m.Claims)+len(m.Replaced) > 0 {
		t.Errorf("nothing to migrate: %v, %v", m, err)
	}
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources, o := document(), options()
		sources[0].Capacity.Hard = compute("2", "2Gi") // what the quotas limit, and more
		maps.Copy(sources[0].Capacity.Hard, testkit.PoolAmounts(9).Draw(t, "hard"))
		sources[0].Quotas[0].Status.Used = testkit.PoolAmounts(5).Draw(t, "used")
		sources[0].Quotas[1].Spec.Hard = testkit.PoolAmounts(5).Draw(t, "quota")
		if rapid.Bool().Draw(t, "in the pool") {
			maps.Copy(sources[0].Capacity.Hard, sources[0].Quotas[1].Spec.Hard.DeepCopy())
		}
		if rapid.Bool().Draw(t, "by name") {
			o = migrate.Options{}
		}
		sources[1].Capacity.Hard = nil // so that it is what the quotas have, with their scopes
		sources[1].Quotas[0].Spec.Hard = testkit.List("pods", "1.5Gi", "requests.memory", "1.5Gi")
		sources[1].Quotas[0].Spec.Scopes = []corev1.ResourceQuotaScope{"PriorityClass"}
		sources[1].Quotas[0].Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "PriorityClass", Operator: "In", Values: []string{"gold"}}}}
		testkit.Contract(t, func() any { m, err := migrate.FromQuotas(sources, o); return []any{m, fmt.Sprint(err)} }, sources, o)
		hard := sources[0].Capacity.Hard
		testkit.Contract(t, func() any { return migrate.Purpose(hard) }, hard)
		if m, err := migrate.FromQuotas(sources, o); err == nil {
			testkit.Contract(t, func() any { quotas, waiting := m.Check(); return []any{quotas, &waiting} }, m)
		}
	})
}

// Capsule writes what is claimed as the claims do, whatever the format of the pool.
func TestQuotasAreWrittenAsClaimed(t *testing.T) {
	quota := func(namespace, hard, used string) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "memory"}}
		q.Spec.Hard, q.Status.Used = testkit.List("requests.memory", hard), testkit.List("requests.memory", used)
		return q
	}
	sources, _ := migrate.Sources([]*corev1.ResourceQuota{quota("a", "1G", "384Mi"), quota("b", "1G", "0"), quota("c", "1G", "100M")})
	m, err := migrate.FromQuotas(sources, migrate.Options{})
	testkit.OK(t, err)
	quotas, _ := m.Check()
	for i, want := range []string{"384Mi", "0", "100M"} {
		if got := quotas[i].Spec.Hard["requests.memory"]; got.String() != want {
			t.Errorf("%s: %s, want %s", quotas[i].Namespace, got.String(), want)
		}
	}
	of := func(amount string) *pool.ResourcePoolClaim {
		c := m.Claims[0].DeepCopy()
		c.Name, c.Spec.Claim = amount, testkit.List("requests.memory", amount)
		return c
	}
	m.Claims = []*pool.ResourcePoolClaim{nil, of("0"), of("1Mi"), of("1024k")}
	quotas, _ = m.Check()
	if got := quotas[0].Spec.Hard["requests.memory"]; got.String() != "2024Ki" {
		t.Errorf("several claims: %s, want 2024Ki", got.String())
	}
}
