package pool_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// state is a pool and claims in any state.
type state struct {
	pool   *pool.ResourcePool
	claims []*pool.ResourcePoolClaim
}

func states(most int) *rapid.Generator[state] {
	return rapid.Custom(func(t *rapid.T) state {
		s := state{pool: newPool("sampler", testkit.PoolAmounts(12).Draw(t, "hard"))}
		s.pool.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		for i := range rapid.IntRange(0, most).Draw(t, "claims") {
			name := fmt.Sprintf("claim-%d", rapid.IntRange(0, 5).Draw(t, "name"))
			namespace := fmt.Sprintf("ns-%d-%d", rapid.IntRange(0, 3).Draw(t, "namespace"), i)
			c := newClaim(namespace, name, rapid.IntRange(0, 5).Draw(t, "created"), testkit.PoolAmounts(4).Draw(t, "amounts"))
			switch rapid.IntRange(0, 9).Draw(t, "status") {
			case 0, 1:
				c = asHolding(c)
			case 2:
				c = asHolding(c)
				c.Annotations = map[string]string{pool.ReleaseAnnotation: rapid.SampledFrom([]string{"true", "TRUE", "false", ""}).Draw(t, "release")}
			case 3:
				c.Spec.Pool = "other"
			case 4:
				c = asHolding(c)
				c.Status.Pool.Name = "other"
			}
			s.claims = append(s.claims, c)
		}
		return s
	})
}

// recorded also returns a state of the current API: the status of the pool records some of the claims.
// Some of these have been edited since, and some are in use.
func recorded(most int) *rapid.Generator[state] {
	return rapid.Custom(func(t *rapid.T) state {
		s := states(most).Draw(t, "state")
		s.pool.Status.Claims = map[string][]pool.RecordedClaim{}
		for _, c := range s.claims {
			b := pool.RecordedClaim{Name: c.Name, UID: c.UID, Claims: c.Spec.Claim}
			switch rapid.IntRange(0, 7).Draw(t, "record") {
			case 0, 1:
				continue
			case 2:
				b.UID = rapid.SampledFrom([]types.UID{"", "another"}).Draw(t, "uid")
			case 3, 4, 5:
				b.Claims = testkit.PoolAmounts(4).Draw(t, "holds")
			}
			s.pool.Status.Claims[c.Namespace] = append(s.pool.Status.Claims[c.Namespace], b)
			c.Status.Pool = corev1.ObjectReference{Name: rapid.SampledFrom([]string{"sampler", "sampler", "sampler", "other", ""}).Draw(t, "pool")}
			if rapid.IntRange(0, 3).Draw(t, "current") > 0 {
				c.Status.Condition = metav1.Condition{}
				c.Status.Conditions = []metav1.Condition{{Type: "Exhausted", Status: "False"}, {Type: "Bound", Status: rapid.SampledFrom([]metav1.ConditionStatus{"True", "False"}).Draw(t, "in use")}}
			}
		}
		return s
	})
}

var versions = []pool.API{pool.Current, pool.Documented}

func apis() *rapid.Generator[pool.Options] {
	return rapid.Custom(func(t *rapid.T) pool.Options {
		return pool.Options{API: rapid.SampledFrom(versions).Draw(t, "api")}
	})
}

func TestAllocateEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := recorded(40).Draw(t, "state"), apis().Draw(t, "options")
		a := pool.Allocate(s.pool, s.claims, o)
		same := cmp.Comparer(func(x, y *big.Rat) bool { return x.Cmp(y) == 0 })
		if diff := cmp.Diff(slowAllocate(s.pool, s.claims, o), summary(a), cmp.AllowUnexported(slowAllocation{}), same); diff != "" {
			t.Fatalf("(-slow +fast):\n%s", diff)
		}
	})
}

// The order of the input changes nothing.
func TestAllocateIsInvariantUnderOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(40).Draw(t, "state")
		want := pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented})
		got := pool.Allocate(s.pool, append(rapid.Permutation(s.claims).Draw(t, "order"), nil), pool.Options{API: pool.Documented})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("in another order:\n%s", diff)
		}
	})
}

// Small sets of claims in every order give the same result as well.
func TestAllocateInEveryOrder(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		newClaim("a", "x", 0, testkit.List("pods", "3")),
		newClaim("b", "x", 0, testkit.List("pods", "3", "limits.cpu", "1")),
		newClaim("a", "y", 0, testkit.List("pods", "1", "limits.cpu", "2")),
		newClaim("b", "a", 1, testkit.List("limits.cpu", "1")),
		newClaim("c", "b", 1, testkit.List("pods", "1")),
		newClaim("c", "c", 1, testkit.List("pods", "0")),
	}
	for _, ordered := range []bool{false, true} {
		p := newPool("sampler", testkit.List("pods", "5", "limits.cpu", "2"))
		p.Spec.Config.OrderedQueue = ordered
		want := pool.Allocate(p, claims, pool.Options{API: pool.Documented})
		orders := 0
		permute(claims, func(order []*pool.ResourcePoolClaim) {
			orders++
			if got := pool.Allocate(p, order, pool.Options{API: pool.Documented}); !cmp.Equal(want, got) {
				t.Fatalf("in another order:\n%s", cmp.Diff(want, got))
			}
		})
		if orders != 720 {
			t.Errorf("%d orders, want 720", orders)
		}
	}
}

// The result does not depend on the order of a few claims in any state.
func TestAllocateFewInEveryOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(4).Draw(t, "state")
		want := pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented})
		permute(s.claims, func(order []*pool.ResourcePoolClaim) {
			if got := pool.Allocate(s.pool, order, pool.Options{API: pool.Documented}); !cmp.Equal(want, got) {
				t.Fatalf("in another order:\n%s", cmp.Diff(want, got))
			}
		})
	})
}

// permute calls f with every order of a list.
func permute[T any](list []T, f func([]T)) {
	var from func(int)
	from = func(i int) {
		if i == len(list) {
			f(slices.Clone(list))
		}
		for j := i; j < len(list); j++ {
			list[i], list[j] = list[j], list[i]
			from(i + 1)
			list[i], list[j] = list[j], list[i]
		}
	}
	from(0)
}

// An allocation never takes more of a resource than there is, and no claim loses its resources
// unless it is released.
func TestAllocateNeverOverAllocates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(40).Draw(t, "state")
		a := pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented})
		states := map[types.NamespacedName]pool.Decision{}
		for _, d := range a.Decisions {
			states[d.Claim] = d
		}
		before, after := map[corev1.ResourceName]*big.Rat{}, map[corev1.ResourceName]*big.Rat{}
		for _, c := range s.claims {
			d, ours := states[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}]
			if !ours {
				continue
			}
			if c.Holding() && !c.Released() && d.State != pool.Holding {
				t.Fatalf("%v was holding, and is %s", d.Claim, d.State)
			}
			for name, q := range c.Spec.Claim {
				wanted := testkit.Exact(q.DeepCopy())
				if wanted.Sign() < 0 && d.State == pool.Holding && !c.Holding() {
					t.Fatalf("%v was holding with %v of %s", d.Claim, wanted, name)
				}
				for _, sums := range []map[corev1.ResourceName]*big.Rat{before, after} {
					if sums[name] == nil {
						sums[name] = new(big.Rat)
					}
				}
				if d.State == pool.Holding && wanted.Sign() > 0 {
					after[name].Add(after[name], wanted)
					if c.Holding() {
						before[name].Add(before[name], wanted)
					}
				}
			}
		}
		for name, sum := range after {
			hard := testkit.Exact(s.pool.Spec.Quota.Hard[name].DeepCopy())
			if sum.Cmp(hard) > 0 && sum.Cmp(before[name]) > 0 {
				t.Fatalf("%v of %s are holding, were %v, of %v", sum, name, before[name], hard)
			}
		}
	})
}

// In a queue without order, allocating again changes no state; in an ordered one, it only grants more
// claims, until nothing changes.
func TestAllocateAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(40).Draw(t, "state")
		last := apply(s)
		for range len(s.claims) + 1 {
			a := apply(s)
			for i, d := range a.Decisions {
				was := last.Decisions[i].State
				if was == pool.Holding && d.State != pool.Holding || !s.pool.Spec.Config.OrderedQueue && was != pool.Released && was != d.State && !releasedAny(last) {
					t.Fatalf("%v was %s, and is %s", d.Claim, was, d.State)
				}
			}
			last = a
		}
		if again := apply(s); again.Holding != last.Holding {
			t.Fatalf("%d claims holding, and then %d", last.Holding, again.Holding)
		}
	})
}

func releasedAny(a *pool.Allocation) bool {
	return slices.ContainsFunc(a.Decisions, func(d pool.Decision) bool { return d.State == pool.Released })
}

// apply allocates, and writes the decisions to the claims.
func apply(s state) *pool.Allocation {
	a := pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented})
	byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
	for _, c := range s.claims {
		byName[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}] = c
	}
	for _, d := range a.Decisions {
		pool.ApplyDecision(byName[d.Claim], s.pool, d, midnight(), pool.Options{API: pool.Documented})
	}
	return a
}

// A release may grant other claims, but evicts none.
func TestReleaseNeverTakesFromOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(20).Draw(t, "state")
		before := apply(s)
		for _, c := range s.claims {
			if c.Holding() && rapid.IntRange(0, 3).Draw(t, "release") == 0 {
				c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
			}
		}
		after := pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented})
		for i, d := range before.Decisions {
			now := after.Decisions[i]
			if d.State == pool.Holding && now.State != pool.Holding && now.State != pool.Released {
				t.Fatalf("%v was holding, and is %s", d.Claim, now.State)
			}
		}
	})
}

// In an ordered queue, no claim is newly granted that wants a resource which an earlier claim
// is short of in the same allocation.
func TestOrderedQueueIsNotJumped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(40).Draw(t, "state")
		s.pool.Spec.Config.OrderedQueue = true
		byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
		for _, c := range s.claims {
			byName[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}] = c
		}
		closed := map[corev1.ResourceName]types.NamespacedName{}
		for _, d := range pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented}).Decisions {
			c := byName[d.Claim]
			for name, q := range c.Spec.Claim {
				if by, is := closed[name]; is && d.State == pool.Holding && !c.Holding() && testkit.Exact(q.DeepCopy()).Sign() > 0 {
					t.Fatalf("%v is holding to %s, for which %v waits", d.Claim, name, by)
				}
			}
			if d.State == pool.PoolExhausted {
				for _, o := range d.Obstacles {
					closed[o.Resource] = d.Claim
				}
			}
		}
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(6).Draw(t, "state")
		type input struct {
			Pool   *pool.ResourcePool
			Claims []*pool.ResourcePoolClaim
		}
		testkit.EmptyIsNil(t, input{s.pool, s.claims}, func(in input) any {
			a := pool.Allocate(in.Pool, in.Claims, pool.Options{API: pool.Documented})
			answers := []any{a, a.Status(in.Pool, in.Claims, []string{"ns"}, midnight(), pool.Options{API: pool.Documented}), pool.Quota(in.Pool, "ns", a.Namespaces["ns"]), fmt.Sprint(pool.ValidatePool(nil, in.Pool))}
			for _, c := range in.Claims {
				name, err := pool.Assign(c, namespace("ns", nil), []*pool.ResourcePool{in.Pool})
				answers = append(answers, name, fmt.Sprint(err), fmt.Sprint(pool.ValidateClaim(nil, c, pool.AdmissionOptions{})))
			}
			return answers
		})
	})
}
