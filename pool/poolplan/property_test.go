package poolplan_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/testkit/pooltest"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

type state struct {
	pool   *pool.ResourcePool
	claims []*pool.ResourcePoolClaim
}

// states draws pools and claims with amounts from the given generator.
func states(amounts *rapid.Generator[corev1.ResourceList]) *rapid.Generator[state] {
	return rapid.Custom(func(t *rapid.T) state {
		s := state{pool: newPool()}
		s.pool.Spec.Quota.Hard = amounts.Draw(t, "hard")
		s.pool.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		for i := range rapid.IntRange(0, 9).Draw(t, "claims") {
			name, second := fmt.Sprint("c", i), rapid.IntRange(0, 5).Draw(t, "created")
			c := waiting(name, second)
			kind := rapid.IntRange(0, 7).Draw(t, "holding")
			if kind == 0 {
				c = holder(name, second) // by its own status
			}
			c.Spec.Claim = amounts.Draw(t, "amounts")
			if kind > 3 { // by the record, and its spec may have changed since
				hold(s.pool, c)
				if kind > 5 {
					c.Spec.Claim = amounts.Draw(t, "edit")
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "release") == 0 {
				c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
			}
			s.claims = append(s.claims, c)
		}
		return s
	})
}

func decision(s state, name types.NamespacedName) pool.State {
	for _, d := range pool.Allocate(s.pool, s.claims, pool.Options{Documented: true}).Decisions {
		if d.Claim == name {
			return d.State
		}
	}
	return ""
}

// grown returns the state with the larger pool.
func grown(s state, by corev1.ResourceList) state {
	p := s.pool.DeepCopy()
	if p.Spec.Quota.Hard == nil {
		p.Spec.Quota.Hard = corev1.ResourceList{}
	}
	for name, q := range by {
		sum := p.Spec.Quota.Hard[name].DeepCopy()
		sum.AsDec()
		sum.Add(q)
		p.Spec.Quota.Hard[name] = sum
	}
	return state{p, s.claims}
}

// A pool that grows by the growth grants the claim, or all claims.
func TestGrowthIsEnough(t *testing.T) {
	needed := 0
	rapid.Check(t, func(t *rapid.T) {
		s := states(testkit.PoolAmounts(6)).Draw(t, "state")
		for _, c := range s.claims {
			name := types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
			more, needs := poolplan.Growth(name, s.pool, s.claims)
			before := decision(s, name)
			if needs != (before == pool.PoolExhausted || before == pool.QueueExhausted) {
				t.Fatalf("%v is %s, and needs growth: %v", name, before, needs)
			}
			if needs {
				needed++
				if after := decision(grown(s, more), name); after != pool.Holding {
					t.Fatalf("%v is %s with %v more", name, after, more)
				}
			}
		}
		for _, d := range pool.Allocate(grown(s, forAll(s.pool, s.claims)).pool, s.claims, pool.Options{Documented: true}).Decisions {
			if d.State != pool.Holding && d.State != pool.Invalid && d.State != pool.Released {
				t.Fatalf("%v is %s although there is enough for all", d.Claim, d.State)
			}
		}
	})
	if !testing.Short() && needed == 0 {
		t.Error("nobody ever needed growth")
	}
}

// In an ordered queue, no smaller growth of any resource is enough, regardless of the others.
func TestGrowthInOrderIsMinimal(t *testing.T) {
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		s := states(testkit.PoolAmounts(4)).Draw(t, "state")
		s.pool.Spec.Config.OrderedQueue = true
		for _, c := range s.claims {
			name := types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
			more, _ := poolplan.Growth(name, s.pool, s.claims)
			for of, q := range more {
				tried++
				less := more.DeepCopy()
				less[of] = quantity.Minus(q, resource.MustParse("1n"))
				if decision(grown(s, less), name) == pool.Holding {
					t.Fatalf("%v needs %s of %s, and is holding with less", name, q.String(), of)
				}
			}
		}
	})
	if !testing.Short() && tried == 0 {
		t.Error("nobody ever needed growth")
	}
}

// For a single resource, no smaller growth is enough.
func TestGrowthIsMinimal(t *testing.T) {
	pods := rapid.Custom(func(t *rapid.T) corev1.ResourceList {
		return testkit.List("pods", fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "pods")))
	})
	rapid.Check(t, func(t *rapid.T) {
		s := states(pods).Draw(t, "state")
		for _, c := range s.claims {
			name := types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
			more, needs := poolplan.Growth(name, s.pool, s.claims)
			if !needs {
				continue
			}
			want := more["pods"]
			for n := range want.Value() {
				if decision(grown(s, testkit.List("pods", fmt.Sprint(n))), name) == pool.Holding {
					t.Fatalf("%v needs %s more pods, and is holding with %d", name, want.String(), n)
				}
			}
		}
		all := forAll(s.pool, s.claims)
		if q, any := all["pods"]; any {
			less := grown(s, testkit.List("pods", fmt.Sprint(q.Value()-1)))
			for _, d := range pool.Allocate(less.pool, less.claims, pool.Options{Documented: true}).Decisions {
				if d.State != pool.Holding {
					return
				}
			}
			left := pool.Allocate(less.pool, less.claims, pool.Options{Documented: true}).Available["pods"]
			if left.Sign() >= 0 {
				t.Fatalf("all are holding with less than %s more pods", q.String())
			}
		}
	})
}

// Claims of other pools change nothing, even if they have the name of a claim of this pool.
func TestClaimsOfOtherPoolsAreNobodys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(testkit.PoolAmounts(5)).Draw(t, "state")
		answers := func(claims []*pool.ResourcePoolClaim) string {
			more, needs := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "c0"}, s.pool, claims)
			return testkit.Fingerprint([]any{more, needs, forAll(s.pool, claims), poolplan.Overtaken(s.pool, claims, 3, pool.Options{Documented: true})})
		}
		if got, want := answers(pooltest.WithThoseOfOthers(s.claims)), answers(s.claims); got != want {
			t.Fatalf("%s\nwithout the others %s", got, want)
		}
	})
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(testkit.PoolAmounts(5)).Draw(t, "state")
		name := types.NamespacedName{Namespace: "a", Name: "c0"}
		testkit.Contract(t, func() any { more, needs := poolplan.Growth(name, s.pool, s.claims); return []any{more, needs} }, s)
		testkit.Contract(t, func() any { return forAll(s.pool, s.claims) }, s)
		testkit.Contract(t, func() any { return poolplan.Overtaken(s.pool, s.claims, 3, pool.Options{Documented: true}) }, s)
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(testkit.PoolAmounts(5)).Draw(t, "state")
		type input struct {
			Pool   *pool.ResourcePool
			Claims []*pool.ResourcePoolClaim
		}
		testkit.EmptyIsNil(t, input{s.pool, s.claims}, func(in input) any {
			answers := []any{forAll(in.Pool, in.Claims), poolplan.Overtaken(in.Pool, in.Claims, 2, pool.Options{Documented: true})}
			for _, c := range in.Claims {
				if c != nil {
					growth, needs := poolplan.Growth(types.NamespacedName{Namespace: c.Namespace, Name: c.Name}, in.Pool, in.Claims)
					answers = append(answers, growth, needs)
				}
			}
			return answers
		})
	})
}
