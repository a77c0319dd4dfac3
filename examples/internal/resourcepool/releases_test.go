package resourcepool

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

var documented = pool.Options{Documented: true}

func newPool(pairs ...string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = testkit.List(pairs...)
	return p
}

func waiting(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = "a", name
	c.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: testkit.List(pairs...)}
	return c
}

func holder(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waiting(name, second, pairs...)
	pool.ApplyDecision(c, newPool(), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, documented)
	return c
}

// releasesOf returns the first claim that waits, and what releases returns for it.
func releasesOf(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (pool.Decision, [][]types.NamespacedName) {
	a := pool.Allocate(p, claims, documented)
	for _, d := range a.Decisions {
		if d.State == pool.PoolExhausted {
			return d, releases(d, p, claims, a)
		}
	}
	return pool.Decision{}, nil
}

// expectHolding releases each set and checks that the waiting claim is holding.
func expectHolding(t testkit.TB, first pool.Decision, sets [][]types.NamespacedName, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) {
	t.Helper()
	for _, set := range sets {
		var after []*pool.ResourcePoolClaim
		for _, c := range claims {
			if !slices.Contains(set, c.Key()) {
				after = append(after, c)
			}
		}
		for _, d := range pool.Allocate(p, after, documented).Decisions {
			if d.Claim == first.Claim && d.State != pool.Holding {
				t.Fatalf("without %v, %v is %s: %s", set, first.Claim, d.State, d.Message())
			}
		}
	}
}

// Releasing any of the sets grants the first claim that waits, and no set of fewer claims does.
func TestReleasesAreSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		two := rapid.Custom(func(t *rapid.T) corev1.ResourceList {
			return testkit.List("pods", fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "pods")), "limits.cpu", fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "cpu")))
		})
		amounts := rapid.OneOf(two, two, testkit.PoolAmounts(4))
		p, held := newPool(), map[types.NamespacedName]corev1.ResourceList{}
		p.Spec.Quota.Hard = amounts.Draw(t, "hard")
		p.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		var claims []*pool.ResourcePoolClaim
		for i := range rapid.IntRange(0, 9).Draw(t, "claims") {
			c := waiting(fmt.Sprint("c", i), rapid.IntRange(0, 5).Draw(t, "created"))
			c.Spec.Claim = amounts.Draw(t, "amounts")
			switch rapid.IntRange(0, 7).Draw(t, "holding") {
			case 0: // by its own status
				pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, documented)
				held[c.Key()] = c.Spec.Claim
			case 4, 5, 6, 7: // by the record, and its spec may have changed since
				held[c.Key()] = c.Spec.Claim
				c.Status.Pool.Name = p.Name
				record := pool.RecordedClaim{Name: c.Name, Claims: c.Spec.Claim.DeepCopy()}
				p.Status.Claims = map[string][]pool.RecordedClaim{"a": append(p.Status.Claims["a"], record)}
				if rapid.Bool().Draw(t, "edited") {
					c.Spec.Claim = amounts.Draw(t, "edit")
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "release") == 0 {
				c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
				delete(held, c.Key())
			}
			claims = append(claims, c)
		}
		if rapid.IntRange(0, 3).Draw(t, "full") > 0 {
			p.Spec.Quota.Hard = nil
			p.Spec.Quota.Hard = pool.Allocate(p, claims, documented).Claimed
		}
		first, sets := releasesOf(p, claims)
		expectHolding(t, first, sets, p, claims)
		smallest, count := bruteForce(first, held)
		if len(sets) != min(count, 10) || len(sets) > 0 && len(sets[0]) != smallest {
			t.Fatalf("%v, want %d sets of %d claims", sets, count, smallest)
		}
	})
}

// bruteForce returns the size of the smallest sets that free what a claim lacks, and the number of such sets.
func bruteForce(first pool.Decision, held map[types.NamespacedName]corev1.ResourceList) (smallest, count int) {
	if first.State != pool.PoolExhausted {
		return 0, 0
	}
	var candidates []corev1.ResourceList
	for _, amounts := range held {
		candidates = append(candidates, amounts)
	}
	for set := range 1 << len(candidates) {
		size, enough := 0, true
		for _, o := range first.Shortages {
			rest := new(big.Rat).Sub(testkit.Exact(o.Requested), testkit.Exact(o.Available))
			size = 0
			for i, amounts := range candidates {
				if set>>i&1 == 0 {
					continue
				}
				size++
				if amount := testkit.Exact(amounts[o.Resource].DeepCopy()); amount.Sign() > 0 {
					rest.Sub(rest, amount)
				}
			}
			enough = enough && rest.Sign() <= 0
		}
		switch {
		case enough && (count == 0 || size < smallest):
			smallest, count = size, 1
		case enough && size == smallest:
			count++
		}
	}
	return smallest, count
}

// Of many sets of one size, the first ones are returned.
func TestReleasesAreLimited(t *testing.T) {
	var claims []*pool.ResourcePoolClaim
	for i := range 20 {
		claims = append(claims, holder(fmt.Sprintf("c%02d", i), i, "pods", "1"))
	}
	_, sets := releasesOf(newPool("pods", "20"), append(claims, waiting("head", 30, "pods", "1")))
	if len(sets) != 10 || sets[0][0].Name != "c19" || sets[9][0].Name != "c10" {
		t.Errorf("%v", sets)
	}
}

// A search that would take too long ends with the claims that hold most of each resource.
func TestReleasesOfManyClaims(t *testing.T) {
	// 27 claims have 9 pods and 11 secrets, 27 have 10 of each, and 26 have 11 and 9. The first claim
	// lacks 409 pods, which is 26 times 11 and 13 times 10, and 411 secrets, which is 27 times 11
	// and 12 times 10 of the same claims with 10.
	claims := []*pool.ResourcePoolClaim{waiting("head", 1000, "pods", "410", "secrets", "410")}
	for i := range 80 {
		claims = append(claims, holder(fmt.Sprintf("c%02d", i), i, "pods", fmt.Sprint(9+i%3), "secrets", fmt.Sprint(11-i%3)))
	}
	p := newPool("pods", "800", "secrets", "800")
	first, sets := releasesOf(p, claims)
	if len(sets) != 1 || len(sets[0]) != 26+27+13 {
		t.Fatalf("%d sets, the first of %d", len(sets), len(sets[0]))
	}
	// Of the claims that have 10 of each, they are the youngest.
	var names []string
	for _, name := range sets[0] {
		names = append(names, name.Name)
	}
	youngestFirst := slices.IsSortedFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	if names[0] != "c79" || !youngestFirst || !slices.Contains(names, "c43") || slices.Contains(names, "c40") {
		t.Errorf("%v", names)
	}
	expectHolding(t, first, sets, p, claims)
}

// Very many claims that are all equal are released from the youngest on.
func TestReleasesOfVeryManyClaims(t *testing.T) {
	const n = 3_000
	for kinds, want := range map[int]int{1: n / 2, 3: n / 3} {
		claims := []*pool.ResourcePoolClaim{waiting("head", n, "pods", fmt.Sprint(n/2*(kinds+1)/2))}
		total := 0
		for i := range n {
			total += 1 + i%kinds
			claims = append(claims, holder(fmt.Sprintf("c%06d", i), 0, "pods", fmt.Sprint(1+i%kinds)))
		}
		_, sets := releasesOf(newPool("pods", fmt.Sprint(total)), claims)
		if len(sets) == 0 || len(sets[0]) != want {
			t.Fatalf("%d kinds: %d sets", kinds, len(sets))
		}
	}
}

// Amounts beyond an int64 are compared like others, and stay as they are.
func TestReleasesOfLargeAmounts(t *testing.T) {
	p, claims := newPool("requests.memory", "100e18"), []*pool.ResourcePoolClaim{waiting("w", 5, "requests.memory", "60e18")}
	for i, amount := range []string{"10e18", "20e18", "30e18", "40e18"} {
		claims = append(claims, holder(fmt.Sprint("c", i+1), i, "requests.memory", amount))
	}
	a := pool.Allocate(p, claims, documented)
	first := a.Decisions[slices.IndexFunc(a.Decisions, func(d pool.Decision) bool { return d.State == pool.PoolExhausted })]
	before := first.Message()
	for range 2 {
		testkit.Equal(t, fmt.Sprint(releases(first, p, claims, a)), "[[a/c4 a/c3] [a/c4 a/c2]]")
		testkit.Equal(t, first.Message(), before)
	}
	for i, c := range claims[1:] {
		memory := c.Spec.Claim["requests.memory"]
		testkit.Equal(t, memory.String(), fmt.Sprintf("%d0e18", i+1), c.Name)
	}
}
