package pool_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// This file takes the steps of Capsule's end-to-end specs on pools and claims, with the functions of
// these packages in the place of its controllers and webhooks, by both APIs.

// server is what an API server has of pools, claims and namespaces, with controllers and webhooks.
type server struct {
	*testing.T
	documented bool
	pools      []*pool.ResourcePool
	claims     []*pool.ResourcePoolClaim
	namespaces []*corev1.Namespace
	used       map[string]corev1.ResourceList // by namespace
}

func (s *server) options() pool.Options { return pool.Options{Documented: s.documented} }

func (s *server) current() bool { return !s.documented }

func eachAPI(t *testing.T, spec func(s *server)) {
	for name, documented := range map[string]bool{"current": false, "documented": true} {
		t.Run(name, func(t *testing.T) {
			spec(&server{T: t, documented: documented, used: map[string]corev1.ResourceList{}})
		})
	}
}

func (s *server) createPool(name string, hard []string, config pool.ResourcePoolConfig, suites ...string) *pool.ResourcePool {
	p := samplerOf(hard...)
	p.Name, p.UID, p.Spec.Config = name, types.UID("uid-"+name), config
	for _, suite := range suites {
		p.Spec.Selectors = append(p.Spec.Selectors, metav1.LabelSelector{MatchLabels: map[string]string{"suite": suite}})
	}
	s.pools = append(s.pools, p)
	s.reconcile()
	return p
}

func (s *server) createNamespace(name, suite string) *corev1.Namespace {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"suite": suite}}}
	s.namespaces = append(s.namespaces, ns)
	s.reconcile()
	return ns
}

func (s *server) createClaim(poolName, namespace, name string, amounts ...string) *pool.ResourcePoolClaim {
	c := waiting(namespace, name, len(s.claims), amounts...)
	c.Spec.Pool, c.UID = poolName, types.UID("uid-"+namespace+"-"+name)
	s.claims = append(s.claims, c)
	s.reconcile()
	return c
}

// reconcile does what the controllers do, until nothing changes.
func (s *server) reconcile() {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 6 {
		mine := map[string][]*pool.ResourcePoolClaim{}
		for _, c := range s.claims {
			i := slices.IndexFunc(s.namespaces, func(ns *corev1.Namespace) bool { return ns.Name == c.Namespace })
			var ns *corev1.Namespace
			if i >= 0 {
				ns = s.namespaces[i]
			}
			name, err := pool.Assign(c, ns, s.pools)
			if err != nil {
				pool.ApplyAssignError(c, err, now, s.options())
				continue
			}
			c.Spec.Pool = name
			mine[name] = append(mine[name], c)
		}
		for _, p := range s.pools {
			pool.Allocate(p, mine[p.Name], s.options()).Apply(p, mine[p.Name], pool.Namespaces(p, s.namespaces), now, s.options())
			for _, c := range mine[p.Name] {
				if s.current() {
					pool.ApplyUse(c, slices.Contains(pool.Needed(c.Namespace, s.used[c.Namespace], p, mine[p.Name]), c.Key()), now)
				}
			}
		}
	}
}

// edit changes a claim, and returns what the webhook has against it.
func (s *server) edit(c *pool.ResourcePoolClaim, change func(*pool.ResourcePoolClaim)) error {
	to := c.DeepCopy()
	change(to)
	o := pool.AdmissionOptions{Documented: s.documented}
	pool.ApplyReleasePolicy(to, o)
	if err := pool.ValidateClaim(c, to, o).ToAggregate(); err != nil {
		return err
	}
	*c = *to
	s.reconcile()
	return nil
}

func ask(amounts ...string) func(*pool.ResourcePoolClaim) {
	return func(c *pool.ResourcePoolClaim) { c.Spec.Claim = testkit.List(amounts...) }
}

func (s *server) editPool(p *pool.ResourcePool, hard ...string) error {
	to := p.DeepCopy()
	to.Spec.Quota.Hard = testkit.List(hard...)
	if err := pool.ValidatePool(p, to).ToAggregate(); err != nil {
		return err
	}
	*p = *to
	s.reconcile()
	return nil
}

func (s *server) deletePool(p *pool.ResourcePool) {
	deleted, keeps := pool.DeletePool(p, s.claims, s.options())
	s.claims = slices.DeleteFunc(s.claims, func(c *pool.ResourcePoolClaim) bool { return slices.Contains(deleted, c.Key()) })
	for _, kept := range keeps {
		for _, c := range s.claims {
			if c.Key() == kept.Key() {
				*c = *kept
			}
		}
	}
	s.pools = slices.DeleteFunc(s.pools, func(o *pool.ResourcePool) bool { return o == p })
	s.reconcile()
}

// condition returns the status and reason of a condition of a claim, and its message.
func condition(c *pool.ResourcePoolClaim, name string) (is, message string) {
	for _, condition := range append(c.Status.Conditions, c.Status.Condition) {
		if condition.Type == name {
			return fmt.Sprint(condition.Status, " ", condition.Reason), condition.Message
		}
	}
	return "", ""
}

// holding expects that the pool records a claim with its requested amounts, in use or not.
func (s *server) holding(p *pool.ResourcePool, c *pool.ResourcePoolClaim, inUse bool) {
	s.Helper()
	holds, holding := pool.RecordOf(p).Holds(c)
	if diff := cmp.Diff(c.Spec.Claim, holds, testkit.AsWritten()); diff != "" || !holding || !c.Holding() {
		s.Errorf("%s: holding %v, by its status %v (-asks +holds):\n%s", c.Key(), holding, c.Holding(), diff)
	}
	want := "False Unused"
	switch {
	case !s.current():
		want = "True Succeeded"
	case inUse:
		want = "True InUse"
	}
	if is, _ := condition(c, "Bound"); is != want || c.Status.Pool != (corev1.ObjectReference{Name: p.Name, UID: p.UID}) {
		s.Errorf("%s: Bound %s, want %s; pool %v", c.Key(), is, want, c.Status.Pool)
	}
}

// exhausted expects that a claim holds nothing, for a reason.
func (s *server) exhausted(p *pool.ResourcePool, c *pool.ResourcePoolClaim, reason, message string) {
	s.Helper()
	if _, holding := pool.RecordOf(p).Holds(c); holding {
		s.Errorf("%s is holding", c.Key())
	}
	name, want := "Exhausted", "True "+reason
	if !s.current() {
		name, want = "Bound", "False "+reason
	}
	if is, got := condition(c, name); is != want || got != message {
		s.Errorf("%s: %s %s, %s; want %s, %s", c.Key(), name, is, got, want, message)
	}
}

// failed expects that no pool could be assigned to a claim.
func (s *server) failed(c *pool.ResourcePoolClaim, message string) {
	s.Helper()
	name := "Ready"
	if !s.current() {
		name = "Assigned"
	}
	if is, got := condition(c, name); is != "False Failed" || got != message || c.Status.Pool.Name != "" || c.Holding() {
		s.Errorf("%s: %s %s, %s; pool %v", c.Key(), name, is, got, c.Status.Pool)
	}
	if s.current() && len(c.Status.Conditions) != 1 {
		s.Errorf("%s has conditions %v", c.Key(), c.Status.Conditions)
	}
}

func (s *server) allocation(p *pool.ResourcePool, claimed, available []string) {
	s.Helper()
	want := pool.AllocationStatus{Hard: p.Spec.Quota.Hard, Claimed: testkit.List(claimed...), Available: testkit.List(available...)}
	if diff := cmp.Diff(want, p.Status.Allocation); diff != "" {
		s.Errorf("pool %s (-want +got):\n%s", p.Name, diff)
	}
}

func (s *server) quota(p *pool.ResourcePool, namespace string, want ...string) {
	s.Helper()
	claimed := corev1.ResourceList{}
	for _, b := range p.Status.Claims[namespace] {
		for name, q := range b.Claims {
			sum := claimed[name]
			sum.Add(q)
			claimed[name] = sum
		}
	}
	got := pool.Quota(p, namespace, claimed).Spec.Hard
	if diff := cmp.Diff(testkit.List(want...), got); diff != "" {
		s.Errorf("quota in %s (-want +got):\n%s", namespace, diff)
	}
}

func (s *server) selected(p *pool.ResourcePool, claims int, want ...string) {
	s.Helper()
	if diff := cmp.Diff(want, p.Status.Namespaces); diff != "" || p.Status.NamespaceCount != len(want) || p.Status.ClaimCount != claims {
		s.Errorf("%d namespaces, %d claims, want %d (-want +got):\n%s", p.Status.NamespaceCount, p.Status.ClaimCount, claims, diff)
	}
}

var (
	twoOfAll  = []string{"limits.cpu", "2", "limits.memory", "2Gi", "requests.cpu", "2", "requests.memory", "2Gi"}
	noneOfAll = []string{"limits.cpu", "0", "limits.memory", "0", "requests.cpu", "0", "requests.memory", "0"}
	oneOfAll  = []string{"limits.cpu", "1", "limits.memory", "1Gi", "requests.cpu", "1", "requests.memory", "1Gi"}
)

func TestSpecClaimToPoolAssignment(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("test-binding-claims", twoOfAll, pool.ResourcePoolConfig{}, "claims-bindings", "claims-bindings-2")
		s.createNamespace("ns-1", "claims-bindings")
		s.createNamespace("ns-2", "claims-bindings-2")
		s.createNamespace("ns-3", "something-else")
		s.selected(p, 0, "ns-1", "ns-2")
		s.holding(p, s.createClaim(p.Name, "ns-1", "assign-1", noneOfAll...), false)
		s.holding(p, s.createClaim(p.Name, "ns-2", "assign-2", noneOfAll...), false)
		s.failed(s.createClaim(p.Name, "ns-3", "assign-3", noneOfAll...), "resourcepool not available")
	})
}

func TestSpecPatchGuard(t *testing.T) {
	eachAPI(t, func(s *server) {
		s.createNamespace("ns", "guards")
		c := s.createClaim("test-admission-claims", "ns", "claim", oneOfAll...)
		s.failed(c, `ResourcePool.capsule.clastix.io "test-admission-claims" not found`)
		p := s.createPool("test-admission-claims", twoOfAll, pool.ResourcePoolConfig{}, "guards")
		s.holding(p, c, false)
		edits := map[string]func(*pool.ResourcePoolClaim){
			"increase": ask(twoOfAll...), "decrease": ask(noneOfAll...), "move": func(c *pool.ResourcePoolClaim) { c.Spec.Pool = "some-random-pool" },
		}

		s.used["ns"] = testkit.List("limits.cpu", "20m", "limits.memory", "32Mi", "requests.cpu", "10m", "requests.memory", "16Mi")
		s.reconcile()
		s.holding(p, c, true)
		if pool.ValidateClaimDeletion(c, pool.AdmissionOptions{Documented: s.documented}) == nil {
			s.Error("a claim in use can be deleted")
		}
		for name, change := range edits {
			if s.edit(c, change) == nil {
				s.Errorf("%s: a claim in use can be changed", name)
			}
		}

		delete(s.used, "ns")
		s.reconcile()
		s.holding(p, c, false)
		for _, name := range []string{"increase", "decrease", "move"} {
			err := s.edit(c, edits[name])
			if allowed := err == nil; allowed != s.current() {
				s.Errorf("%s of an unused claim: %v", name, err)
			}
			if s.current() && name != "move" {
				s.holding(p, c, false)
			}
		}
		s.deletePool(p)
		named := c.Spec.Pool
		s.failed(c, fmt.Sprintf("ResourcePool.capsule.clastix.io %q not found", named))
		for _, name := range []string{"increase", "decrease", "move"} {
			if err := s.edit(c, edits[name]); err != nil {
				s.Errorf("%s without a pool: %v", name, err)
			}
		}
	})
}

func TestSpecReleaseHoldingClaim(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("test-release", twoOfAll, pool.ResourcePoolConfig{}, "release")
		s.createNamespace("ns", "release")
		c := s.createClaim(p.Name, "ns", "release-bound-claim", oneOfAll...)
		s.holding(p, c, false)
		if err := s.edit(c, func(c *pool.ResourcePoolClaim) {
			c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		}); err != nil {
			s.Error(err)
		}
		if c.Released() {
			s.Error("the annotation has stayed")
		}
		if is, _ := condition(c, "Bound"); s.current() && is != "False Unused" {
			s.Errorf("Bound %s", is)
		}
		if err := s.edit(c, ask(twoOfAll...)); (err == nil) != s.current() {
			s.Errorf("a released claim: %v", err) // The pool was free: by the documented API, it is granted again.
		}
	})
}

func TestSpecAutoPoolAssign(t *testing.T) {
	eachAPI(t, func(s *server) {
		cpu := s.createPool("test-auto-assign-1", []string{"limits.cpu", "2", "requests.cpu", "2"}, pool.ResourcePoolConfig{}, "auto")
		memory := s.createPool("test-auto-assign-2", []string{"limits.memory", "2", "requests.memory", "2"}, pool.ResourcePoolConfig{}, "auto")
		for _, name := range []string{"ns-1", "ns-2", "ns-3"} {
			s.createNamespace(name, "auto")
		}
		s.holding(cpu, s.createClaim("", "ns-1", "auto-assign-1", "limits.cpu", "1", "requests.cpu", "1"), false)
		s.holding(memory, s.createClaim("", "ns-2", "auto-assign-1", "limits.memory", "1", "requests.memory", "1"), false)
		if c := s.createClaim("", "ns-3", "auto-assign-3", "requests.storage", "1"); c.Spec.Pool != "" {
			s.Errorf("assigned to %q", c.Spec.Pool)
		}
	})
}

func TestSpecDefaults(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("defaults-pool", twoOfAll, pool.ResourcePoolConfig{}, "defaults", "defaults")
		s.allocation(p, noneOfAll, twoOfAll)
		for _, name := range []string{"ns-1", "ns-2", "ns-3"} {
			s.createNamespace(name, "defaults")
		}
		s.selected(p, 0, "ns-1", "ns-2", "ns-3")
		s.quota(p, "ns-1")
		s.holding(p, s.createClaim("", "ns-1", "simple-1", "limits.memory", "128Mi"), false)
		s.holding(p, s.createClaim("", "ns-2", "simple-2", "limits.memory", "512Mi"), false)
		s.exhausted(p, s.createClaim("", "ns-3", "simple-3", "limits.memory", "10Gi"), "PoolExhausted", "requested: limits.memory=10Gi, available: limits.memory=1408Mi")
		s.allocation(p, []string{"limits.cpu", "0", "limits.memory", "640Mi", "requests.cpu", "0", "requests.memory", "0"},
			[]string{"limits.cpu", "2", "limits.memory", "1408Mi", "requests.cpu", "2", "requests.memory", "2Gi"})
		s.quota(p, "ns-1", "limits.memory", "128Mi")
		s.quota(p, "ns-2", "limits.memory", "512Mi")
		s.quota(p, "ns-3")
		p.Spec.Defaults = testkit.List("limits.cpu", "1", "limits.memory", "1Gi", "requests.cpu", "1", "requests.memory", "1Gi", "requests.storage", "5Gi")
		s.quota(p, "ns-1", "limits.cpu", "1", "limits.memory", "1152Mi", "requests.cpu", "1", "requests.memory", "1Gi", "requests.storage", "5Gi")
		s.quota(p, "ns-2", "limits.cpu", "1", "limits.memory", "1536Mi", "requests.cpu", "1", "requests.memory", "1Gi", "requests.storage", "5Gi")
		s.quota(p, "ns-3", "limits.cpu", "1", "limits.memory", "1Gi", "requests.cpu", "1", "requests.memory", "1Gi", "requests.storage", "5Gi")
		s.namespaces[1].Labels["suite"] = "do-not-select"
		s.reconcile()
		s.selected(p, 1, "ns-1", "ns-3")
		s.allocation(p, []string{"limits.cpu", "0", "limits.memory", "128Mi", "requests.cpu", "0", "requests.memory", "0"},
			[]string{"limits.cpu", "2", "limits.memory", "1920Mi", "requests.cpu", "2", "requests.memory", "2Gi"})
		s.namespaces = s.namespaces[:1]
		s.claims = s.claims[:1]
		s.reconcile()
		s.selected(p, 1, "ns-1")
	})
}

func TestSpecDefaultsZero(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("no-defaults-pool", twoOfAll, pool.ResourcePoolConfig{DefaultsZero: true}, "no-defaults", "no-defaults")
		s.allocation(p, noneOfAll, twoOfAll)
		for _, name := range []string{"ns-1", "ns-2"} {
			s.createNamespace(name, "no-defaults")
			s.quota(p, name, noneOfAll...)
		}
		s.selected(p, 0, "ns-1", "ns-2")
	})
}

func TestSpecUnordered(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("unordered-scheduling", twoOfAll, pool.ResourcePoolConfig{}, "unordered")
		s.createNamespace("ns-1", "unordered")
		s.createNamespace("ns-2", "unordered")
		s.holding(p, s.createClaim("", "ns-1", "simple-1", "limits.memory", "128Mi"), false)
		s.quota(p, "ns-1", "limits.memory", "128Mi")
		exhausting := s.createClaim("", "ns-1", "simple-2", "requests.cpu", "4")
		s.exhausted(p, exhausting, "PoolExhausted", "requested: requests.cpu=4, available: requests.cpu=2")
		s.holding(p, s.createClaim("", "ns-2", "simple-3", "requests.memory", "1Gi"), false)
		s.holding(p, s.createClaim("", "ns-2", "simple-4", "requests.cpu", "2"), false)
		s.allocation(p, []string{"limits.cpu", "0", "limits.memory", "128Mi", "requests.cpu", "2", "requests.memory", "1Gi"},
			[]string{"limits.cpu", "2", "limits.memory", "1920Mi", "requests.cpu", "0", "requests.memory", "1Gi"})
		s.exhausted(p, exhausting, "PoolExhausted", "requested: requests.cpu=4, available: requests.cpu=0")
	})
}

func TestSpecClaimResize(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("claim-resize", []string{"requests.cpu", "10"}, pool.ResourcePoolConfig{}, "resize")
		s.createNamespace("ns", "resize")
		c := s.createClaim(p.Name, "ns", "resize", "requests.cpu", "5")
		s.holding(p, c, false)
		s.allocation(p, []string{"requests.cpu", "5"}, []string{"requests.cpu", "5"})
		err := s.edit(c, ask("requests.cpu", "8"))
		if !s.current() {
			if err == nil {
				s.Error("a holding claim was edited")
			}
			c.Spec.Claim = testkit.List("requests.cpu", "55") // past the webhook
			s.reconcile()
			s.allocation(p, []string{"requests.cpu", "5"}, []string{"requests.cpu", "5"})
			return
		}
		s.holding(p, c, false)
		s.allocation(p, []string{"requests.cpu", "8"}, []string{"requests.cpu", "2"})
		s.edit(c, ask("requests.cpu", "55"))
		s.exhausted(p, c, "PoolExhausted", "requested: requests.cpu=55, available: requests.cpu=10")
		s.allocation(p, []string{"requests.cpu", "0"}, []string{"requests.cpu", "10"})
		s.edit(c, ask("requests.cpu", "8"))
		s.holding(p, c, false)
		s.used["ns"] = testkit.List("requests.cpu", "100m")
		s.reconcile()
		s.holding(p, c, true)
		if s.edit(c, ask("requests.cpu", "9")) == nil {
			s.Error("a claim in use was resized")
		}
		s.allocation(p, []string{"requests.cpu", "8"}, []string{"requests.cpu", "2"})
	})
}

func TestSpecOrdered(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("ordered-scheduling", twoOfAll, pool.ResourcePoolConfig{OrderedQueue: true}, "ordered")
		s.createNamespace("ns-1", "ordered")
		s.createNamespace("ns-2", "ordered")
		s.holding(p, s.createClaim("", "ns-1", "simple-1", "limits.memory", "512Mi"), false)
		s.holding(p, s.createClaim("", "ns-2", "simple-1", "requests.memory", "750Mi"), false)
		second := s.createClaim("", "ns-2", "simple-2", "requests.cpu", "4")
		s.exhausted(p, second, "PoolExhausted", "requested: requests.cpu=4, available: requests.cpu=2")
		third := s.createClaim("", "ns-1", "simple-3", "limits.cpu", "4")
		s.exhausted(p, third, "PoolExhausted", "requested: limits.cpu=4, available: limits.cpu=2")
		fourth := s.createClaim("", "ns-2", "simple-4", "limits.cpu", "2", "requests.cpu", "2")
		s.exhausted(p, fourth, "QueueExhausted", "requested: limits.cpu=2, queued: limits.cpu=4; requested: requests.cpu=2, queued: requests.cpu=4")
		s.quota(p, "ns-1", "limits.memory", "512Mi")
		s.quota(p, "ns-2", "requests.memory", "750Mi")
		if err := s.editPool(p, "limits.cpu", "4", "limits.memory", "2Gi", "requests.cpu", "4", "requests.memory", "2Gi"); err != nil {
			s.Error(err)
		}
		s.holding(p, second, false)
		s.holding(p, third, false)
		s.allocation(p, []string{"limits.cpu", "4", "limits.memory", "512Mi", "requests.cpu", "4", "requests.memory", "750Mi"},
			[]string{"limits.cpu", "0", "limits.memory", "1536Mi", "requests.cpu", "0", "requests.memory", "1298Mi"})
		s.quota(p, "ns-1", "limits.memory", "512Mi", "limits.cpu", "4")
		s.quota(p, "ns-2", "requests.memory", "750Mi", "requests.cpu", "4")
		s.exhausted(p, fourth, "PoolExhausted", "requested: limits.cpu=2, available: limits.cpu=0; requested: requests.cpu=2, available: requests.cpu=0")
	})
}

func TestSpecNamespaceSelection(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("bind-ns-pool-1", []string{"limits.memory", "2Gi"}, pool.ResourcePoolConfig{}, "bind")
		s.createNamespace("ns-1", "bind")
		s.createNamespace("ns-2", "bind-no")
		s.selected(p, 0, "ns-1")
		s.holding(p, s.createClaim("", "ns-1", "simple-1", "limits.memory", "128Mi"), false)
		c := s.createClaim(p.Name, "ns-2", "simple-1", "limits.memory", "128Mi")
		s.failed(c, "resourcepool not available")
		s.namespaces[1].Labels["suite"] = "bind"
		s.reconcile()
		s.holding(p, c, false)
	})
}

func TestSpecDeletion(t *testing.T) {
	for _, cascading := range []bool{false, true} {
		eachAPI(t, func(s *server) {
			p := s.createPool("deletion-pool", []string{"limits.memory", "2Gi"}, pool.ResourcePoolConfig{DeleteBoundResources: cascading}, "delete")
			s.createNamespace("ns-1", "delete")
			s.createNamespace("ns-2", "delete")
			s.holding(p, s.createClaim("", "ns-1", "delete-1", "limits.memory", "128Mi"), false)
			s.holding(p, s.createClaim("", "ns-2", "delete-2", "limits.memory", "128Mi"), false)
			s.deletePool(p)
			want := 2
			if cascading {
				want = 0
			}
			if len(s.claims) != want {
				s.Errorf("cascading=%v: %d claims are left, want %d", cascading, len(s.claims), want)
			}
		})
	}
}

func TestSpecAdmissionGuards(t *testing.T) {
	eachAPI(t, func(s *server) {
		p := s.createPool("admission-pool", twoOfAll, pool.ResourcePoolConfig{DefaultsZero: true}, "admission")
		s.createNamespace("ns", "admission")
		s.holding(p, s.createClaim("", "ns", "simple-1", "limits.memory", "1Gi", "requests.memory", "512Mi"), false)
		memory := func(limits, requests string) []string {
			return []string{"limits.memory", limits, "requests.memory", requests}
		}
		for _, step := range []struct {
			name    string
			hard    []string
			allowed bool
		}{
			{"increase", []string{"limits.cpu", "4", "limits.memory", "4Gi", "requests.cpu", "4", "requests.memory", "4Gi"}, true},
			{"decrease", twoOfAll, true},
			{"decrease below the claimed amount", []string{"limits.cpu", "2", "limits.memory", "10Mi", "requests.cpu", "0.5", "requests.memory", "128Mi"}, false},
			{"remove unclaimed resources", memory("2Gi", "2Gi"), true},
			{"decrease to the claimed amount", memory("1Gi", "512Mi"), true},
			{"zero for claimed resources", memory("0", "0"), false},
			{"remove claimed resources", []string{"requests.cpu", "1"}, false},
		} {
			if err := s.editPool(p, step.hard...); (err == nil) != step.allowed {
				s.Errorf("%s: %v", step.name, err)
			}
		}
		s.allocation(p, memory("1Gi", "512Mi"), memory("0", "0"))
	})
}
