package migrate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
)

// limitsAfter returns the limit that a namespace is to have for each resource of an old quota: all that it
// allows, or what is used of it.
func limitsAfter(old *corev1.ResourceQuota, claimHard bool) corev1.ResourceList {
	limits := corev1.ResourceList{}
	for name, hard := range old.Spec.Hard {
		limits[name] = hard
		if !claimHard {
			limits[name] = old.Status.Used[name]
		}
	}
	return limits
}

// A resource of which nothing is used or allowed is limited to zero, and not unlimited.
func TestZeroStaysALimit(t *testing.T) {
	old := quota("shop", "compute", testkit.List("requests.cpu", "4", "pods", "10", "services.loadbalancers", "0"),
		testkit.List("requests.cpu", "3500m", "pods", "0", "services.loadbalancers", "0"))
	for claimHard, want := range map[bool]corev1.ResourceList{
		false: testkit.List("requests.cpu", "3500m", "pods", "0", "services.loadbalancers", "0"),
		true:  testkit.List("requests.cpu", "4", "pods", "10", "services.loadbalancers", "0"),
	} {
		sources, losses := migrate.Sources([]*corev1.ResourceQuota{old})
		m, err := migrate.FromQuotas(sources, migrate.Options{ClaimHard: claimHard})
		if err != nil || len(losses) > 0 {
			t.Fatal(err, losses)
		}
		quotas, waiting := m.Check()
		if len(quotas) != 1 || len(waiting) > 0 {
			t.Fatalf("ClaimHard %v: %d quotas, waiting: %v", claimHard, len(quotas), waiting)
		}
		testkit.NoDiff(t, quotas[0].Spec.Hard, want, "ClaimHard", claimHard)
		none := quota("shop", "none", testkit.List("pods", "0"), nil)
		m, err = migrate.FromQuotas([]migrate.PoolSource{{Pool: "none", Claim: "none", Quotas: []*corev1.ResourceQuota{none}}}, migrate.Options{ClaimHard: claimHard})
		testkit.OK(t, err)
		testkit.Equal(t, fmt.Sprint(len(m.Pools), len(m.Claims), m.Replaced), "1 0 [shop/none]", "ClaimHard", claimHard)
	}
}

// A quota has the format of the claim for its own pool, and for the other pools of a namespace that of theirs.
func TestFormatsOfPools(t *testing.T) {
	of := func(name, used string) migrate.PoolSource {
		q := quota("shop", name, testkit.List("requests.memory", "8Gi"), testkit.List("requests.memory", used))
		return migrate.PoolSource{Pool: name, Claim: name, Quotas: []*corev1.ResourceQuota{q}}
	}
	m, err := migrate.FromQuotas([]migrate.PoolSource{of("a", "2G"), of("b", "1Gi"), of("c", "3e9")}, migrate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	quotas, _ := m.Check()
	var got []string
	for _, q := range quotas {
		got = append(got, q.Name+" "+q.Spec.Hard.Name("requests.memory", "").String())
	}
	if diff := cmp.Diff([]string{"capsule-pool-a 2G", "capsule-pool-b 1Gi", "capsule-pool-c 3e9"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Without selectors, a pool selects the namespaces of its quotas, and no others.
func TestPoolsSelectTheNamespacesOfTheirQuotas(t *testing.T) {
	sources := []migrate.PoolSource{
		{Pool: "team", Claim: "team", Quotas: []*corev1.ResourceQuota{quota("b", "team", testkit.List("pods", "3"), nil), nil, quota("a", "team", testkit.List("pods", "1"), nil)}},
		{Pool: "extra", Claim: "extra", Quotas: []*corev1.ResourceQuota{quota("c", "extra", testkit.List("secrets", "2"), nil)}},
		{Pool: "empty", Claim: "empty", Capacity: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1")}},
	}
	config := pool.ResourcePoolConfig{OrderedQueue: true, DeleteBoundResources: true}
	m, err := migrate.FromQuotas(sources, migrate.Options{Config: config})
	testkit.OK(t, err)
	config.DefaultsZero = true
	if diff := cmp.Diff([]string{"a", "b"}, m.Pools[0].Spec.Selectors[0].MatchExpressions[0].Values); diff != "" || m.Pools[0].Spec.Config != config {
		t.Errorf("config %v, names of namespaces (-want +got):\n%s", m.Pools[0].Spec.Config, diff)
	}
	var namespaces []*corev1.Namespace
	for _, name := range []string{"a", "b", "c", "d"} {
		namespaces = append(namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}}})
	}
	for i, want := range [][]string{{"a", "b"}, {"c"}, nil} {
		testkit.NoDiff(t, pool.Namespaces(m.Pools[i], namespaces), want, "pool", m.Pools[i].Name, "selects")
		if errs := pool.ValidatePool(nil, m.Pools[i]); len(errs) > 0 {
			t.Errorf("pool %s: %v", m.Pools[i].Name, errs)
		}
	}
	quotas, _ := m.Check()
	var got []string
	for _, q := range quotas {
		got = append(got, q.Namespace+"/"+q.Name)
	}
	testkit.NoDiff(t, got, []string{"a/capsule-pool-team", "b/capsule-pool-team", "c/capsule-pool-extra"}, "quotas")
	m.Pools[0].Spec.Selectors[0].MatchExpressions[0].Operator = metav1.LabelSelectorOpNotIn // other labels may be meant, too
	if quotas, _ := m.Check(); len(quotas) != 4 {
		t.Errorf("%d quotas, want those of all three namespaces and one more", len(quotas))
	}
}

// Migrated there and back with the default options, each namespace has the limits that it had or, by
// what it uses, those that it needs: no limit is lost, and none is added.
func TestLimitsAreUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var quotas []*corev1.ResourceQuota
		for i := range rapid.IntRange(1, 6).Draw(t, "quotas") {
			quotas = append(quotas, drawQuota(t, fmt.Sprint("q-", i)))
		}
		checkUnchanged(t, quotas, rapid.Bool().Draw(t, "claimHard"))
	})
}

// drawQuota draws a quota of few resources, of which often nothing is used, or nothing remains.
func drawQuota(t *rapid.T, name string) *corev1.ResourceQuota {
	q := quota(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "namespace"), name, corev1.ResourceList{}, corev1.ResourceList{})
	if rapid.IntRange(0, 3).Draw(t, "scoped") == 0 {
		q.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeNotTerminating}
	}
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]corev1.ResourceName{"requests.cpu", "requests.memory", "pods", "services.loadbalancers", "count/secrets"}), 1, 3, rapid.ID).Draw(t, "resources")
	for _, name := range names {
		texts, little := []string{"0", "1", "2", "1e3", "3G"}, "1"
		if name == "requests.cpu" || name == "requests.memory" {
			texts, little = append(texts, "500m", "1.5Gi", "1n"), "1n"
		}
		hard := rapid.SampledFrom(texts).Draw(t, "hard")
		q.Spec.Hard[name] = resource.MustParse(hard)
		switch rapid.IntRange(0, 3).Draw(t, "used") {
		case 0: // the status does not say
		case 1:
			q.Status.Used[name] = resource.MustParse("0")
		case 2:
			q.Status.Used[name] = resource.MustParse(hard)
		case 3:
			q.Status.Used[name] = resource.MustParse(little)
			if hard == "0" {
				q.Status.Used[name] = resource.MustParse("0")
			}
		}
	}
	return q
}

// checkUnchanged compares the limits of each namespace after a migration with those of its old quotas.
func checkUnchanged(t interface {
	Helper()
	Fatalf(string, ...any)
}, quotas []*corev1.ResourceQuota, claimHard bool) {
	t.Helper()
	sources, losses := migrate.Sources(quotas)
	m, err := migrate.FromQuotas(sources, migrate.Options{ClaimHard: claimHard})
	if err != nil || len(losses) > 0 {
		t.Fatalf("%v, losses %v", err, losses)
	}
	want, replaced := map[string]corev1.ResourceList{}, 0
	for _, s := range sources {
		for _, old := range s.Quotas {
			want[old.Namespace+"/capsule-pool-"+s.Pool] = limitsAfter(old, claimHard)
			replaced++
		}
	}
	got := map[string]corev1.ResourceList{}
	after, waiting := m.Check()
	for _, q := range after {
		got[q.Namespace+"/"+q.Name] = q.Spec.Hard
	}
	if diff := cmp.Diff(want, got); diff != "" || len(waiting) > 0 || replaced != len(quotas) {
		t.Fatalf("ClaimHard %v, %d of %d quotas, waiting %v, limits (-want +got):\n%s", claimHard, replaced, len(quotas), waiting, diff)
	}
}

// A quota must not limit a resource that its pool does not have: nothing would limit it afterwards.
func TestPoolWithoutAResourceOfItsQuota(t *testing.T) {
	s := migrate.PoolSource{
		Pool: "team", Claim: "all", Capacity: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "9")},
		Quotas: []*corev1.ResourceQuota{quota("a", "all", testkit.List("pods", "2"), nil), quota("b", "more", testkit.List("services", "1", "pods", "2", "secrets", "0"), nil)},
	}
	m, err := migrate.FromQuotas([]migrate.PoolSource{s}, migrate.Options{})
	if want := `migrate: pool "team" has no secrets, which quota "b/more" limits`; m != nil || err == nil || err.Error() != want {
		t.Errorf("%v, %v; want %s", m, err, want)
	}
}
