package allocator_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

var midnight = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// machine is a live pool next to a controller that allocates everything again.
type machine struct {
	live   *allocator.Allocator
	pool   *pool.ResourcePool
	claims map[types.NamespacedName]*pool.ResourcePoolClaim
	serial int
}

func (m *machine) list() (list []*pool.ResourcePoolClaim) {
	for _, c := range m.claims {
		list = append(list, c)
	}
	return list
}

// reconcile allocates until no more claims are holding, and returns those that were, in their order.
func (m *machine) reconcile() (granted []types.NamespacedName) {
	for {
		more := 0
		for _, d := range pool.Allocate(m.pool, m.list(), pool.Options{API: pool.Documented}).Decisions {
			c := m.claims[d.Claim]
			if d.State == pool.Holding && !c.Holding() {
				granted = append(granted, d.Claim)
				more++
			}
			if d.State == pool.Released {
				more++
			}
			pool.ApplyDecision(c, m.pool, d, midnight, pool.Options{API: pool.Documented})
		}
		if more == 0 {
			return granted
		}
	}
}

func (m *machine) name(t *rapid.T) types.NamespacedName {
	return types.NamespacedName{
		Namespace: fmt.Sprint("ns-", rapid.IntRange(0, 2).Draw(t, "namespace")),
		Name:      fmt.Sprint("claim-", rapid.IntRange(0, 12).Draw(t, "name")),
	}
}

// holding returns the names of the holding claims, sorted.
func (m *machine) holding() (names []types.NamespacedName) {
	for _, c := range m.claims {
		if c.Holding() {
			names = append(names, types.NamespacedName{Namespace: c.Namespace, Name: c.Name})
		}
	}
	slices.SortFunc(names, func(a, b types.NamespacedName) int { return strings.Compare(a.String(), b.String()) })
	return names
}

func (m *machine) expect(t *rapid.T, got []types.NamespacedName) {
	if diff := cmp.Diff(m.reconcile(), got); diff != "" {
		t.Fatalf("holding by the event (-batch +live):\n%s", diff)
	}
}

func TestLiveEqualsBatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareEvents(t) })
}

// The events of TestLiveEqualsBatch reach each state of a claim, and each kind of event.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 60, func(t *rapid.T) []string { return slices.Collect(maps.Keys(compareEvents(t))) },
		"immutable", "set", "release", "resized", "Bound", "PoolExhausted", "QueueExhausted", "Invalid")
}

// compareEvents compares a live pool with a controller that allocates everything anew, after each
// of many events, and returns what the events reached.
func compareEvents(t *rapid.T) (seen map[string]int) {
	seen = map[string]int{}
	m := &machine{pool: &pool.ResourcePool{}, claims: map[types.NamespacedName]*pool.ResourcePoolClaim{}}
	m.pool.Name = "sampler"
	m.pool.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
	m.pool.Spec.Quota.Hard = testkit.PoolAmounts(12).Draw(t, "hard")
	m.live = allocator.New(m.pool, nil, pool.Options{API: pool.Documented})
	allocator.SetScanLimit(m.live, 2)
	t.Repeat(map[string]func(*rapid.T){
		"create or change": func(t *rapid.T) {
			name := m.name(t)
			c := m.claims[name].DeepCopy()
			if c == nil || c.Holding() && rapid.IntRange(0, 3).Draw(t, "again") == 0 {
				m.serial++
				c = &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name, UID: types.UID(fmt.Sprint(m.serial))}}
			}
			if rapid.IntRange(0, 5).Draw(t, "elsewhere") > 0 {
				c.Spec.Pool = "sampler"
			} else {
				c.Spec.Pool = "other"
			}
			c.CreationTimestamp = metav1.NewTime(midnight.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "created")) * time.Second / 2))
			c.Spec.Claim = testkit.PoolAmounts(5).Draw(t, "amounts")
			if rapid.IntRange(0, 5).Draw(t, "release") == 0 {
				c.Annotations = map[string]string{pool.ReleaseAnnotation: "True"}
			}
			old := m.claims[name]
			got, err := m.live.Set(c)
			if err != nil {
				if old == nil || !old.Holding() || c.UID != old.UID || c.Released() || len(pool.ValidateClaim(old, c, pool.AdmissionOptions{API: pool.Documented})) == 0 {
					t.Fatalf("refused: %v", err)
				}
				seen["immutable"]++
				m.expect(t, got)
				return
			}
			if old.Holding() && c.UID == old.UID { // nothing but the annotation can have changed
				created := c.Annotations
				c = old.DeepCopy()
				c.Annotations = created
			}
			var before []types.NamespacedName
			if old != nil && old.UID != c.UID {
				delete(m.claims, name)
				before = m.reconcile()
			}
			m.claims[name] = c
			if !c.ClaimsFrom(m.pool) {
				delete(m.claims, name)
			}
			if diff := cmp.Diff(append(before, m.reconcile()...), got); diff != "" {
				t.Fatalf("holding by the event (-batch +live):\n%s", diff)
			}
			seen["set"]++
		},
		"delete": func(t *rapid.T) {
			name := m.name(t)
			delete(m.claims, name)
			m.expect(t, m.live.Delete(name))
		},
		"release": func(t *rapid.T) {
			name := m.name(t)
			if c := m.claims[name]; c.Holding() {
				c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
				seen["release"]++
			}
			m.expect(t, m.live.Release(name))
		},
		"resize the pool": func(t *rapid.T) {
			m.pool = m.pool.DeepCopy()
			m.pool.Spec.Quota.Hard = testkit.PoolAmounts(12).Draw(t, "hard")
			if rapid.IntRange(0, 4).Draw(t, "reorder") == 0 {
				m.pool.Spec.Config.OrderedQueue = !m.pool.Spec.Config.OrderedQueue
			}
			m.expect(t, m.live.SetPool(m.pool))
		},
		"resize a claim": func(t *rapid.T) {
			name, to := m.name(t), testkit.PoolAmounts(rapid.SampledFrom([]int{1, 6}).Draw(t, "most")).Draw(t, "to")
			if all := m.holding(); len(all) > 0 && rapid.Bool().Draw(t, "one that is holding") {
				name = rapid.SampledFrom(all).Draw(t, "holding")
			}
			_, want, wantErr := pool.Resize(name, to, m.pool, m.list(), pool.Options{API: pool.Documented})
			got, err := m.live.Resize(name, to)
			if diff := cmp.Diff(fmt.Sprint(wantErr), fmt.Sprint(err)); diff != "" {
				t.Fatalf("refused (-batch +live):\n%s", diff)
			}
			if wantErr == nil {
				m.claims[name] = want
				seen["resized"]++
			}
			m.expect(t, got)
		},
		"": func(t *rapid.T) {
			want, got := pool.Allocate(m.pool, m.list(), pool.Options{API: pool.Documented}), m.live.Allocation()
			for _, d := range want.Decisions {
				seen[string(d.State)]++
				one, known := m.live.Decision(d.Claim)
				if diff := cmp.Diff(d, one, testkit.AsWritten()); diff != "" || !known {
					t.Fatalf("decision (-batch +live):\n%s", diff)
				}
			}
			if diff := cmp.Diff(want, got, testkit.AsWritten()); diff != "" {
				t.Fatalf("allocation (-batch +live):\n%s", diff)
			}
			holding, waiting := m.live.Counts()
			if holding != want.Holding || holding+waiting != len(want.Decisions) {
				t.Fatalf("%d holding and %d waiting, want %d of %d", holding, waiting, want.Holding, len(want.Decisions))
			}
			if diff := cmp.Diff(want.Available, m.live.Available(), testkit.AsWritten()); diff != "" {
				t.Fatalf("available (-batch +live):\n%s", diff)
			}
			for _, ns := range []string{"ns-0", "ns-1", "ns-2"} {
				if diff := cmp.Diff(want.Namespaces[ns], m.live.Claimed(ns), testkit.AsWritten()); diff != "" {
					t.Fatalf("claimed by %s (-batch +live):\n%s", ns, diff)
				}
			}
			again := allocator.New(m.pool, m.list(), pool.Options{API: pool.Documented}).Allocation()
			if diff := cmp.Diff(want, again, testkit.AsWritten()); diff != "" {
				t.Fatalf("allocation of a new live pool (-batch +live):\n%s", diff)
			}
		},
	})
	return seen
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type input struct {
			Pool   *pool.ResourcePool
			Claims []*pool.ResourcePoolClaim
			To     corev1.ResourceList
		}
		in := input{newPool("sampler", testkit.PoolAmounts(9).Draw(t, "hard")), nil, testkit.PoolAmounts(5).Draw(t, "to")}
		in.Pool.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		for i := range rapid.IntRange(0, 5).Draw(t, "claims") {
			in.Claims = append(in.Claims, newClaim("a", fmt.Sprint("c", i), i, testkit.PoolAmounts(4).Draw(t, "amounts")))
		}
		testkit.EmptyIsNil(t, in, func(in input) any {
			l := allocator.New(in.Pool, in.Claims, pool.Options{API: pool.Documented})
			granted, err := l.Resize(name("c0"), in.To)
			return []any{granted, fmt.Sprint(err), l.Release(name("c1")), l.Allocation(), l.Available(), l.Claimed("a")}
		})
	})
}
