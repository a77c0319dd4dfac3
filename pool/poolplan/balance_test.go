package poolplan_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/order"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// holding returns a claim, and records its request in the pool.
func holding(p *pool.ResourcePool, namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waiting(name, second, pairs...)
	c.Namespace = namespace
	hold(p, c)
	return c
}

func TestBalance(t *testing.T) {
	for _, test := range []struct {
		name    string
		used    map[string]string // of pods, by namespace
		ordered bool
		more    []*pool.ResourcePoolClaim // in addition to old and young in a, other in b, with 4, 3 and 3 of 10 pods
		edit    func(p *pool.ResourcePool, claims map[string]*pool.ResourcePoolClaim)
		want    string
	}{
		{"no claim waits", map[string]string{"a": "0", "b": "0"}, false, nil, nil, "none [] []"},
		{"the youngest give first", map[string]string{"a": "0", "b": "0"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "5")}, nil, "head [other-3=0 young-2=1] []"},
		{"no more than is lacking", map[string]string{"a": "0", "b": "0"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "1")}, nil, "head [other-1=2] []"},
		{"usage is kept", map[string]string{"a": "6", "b": "1"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "3")}, nil, "head [other-2=1 young-1=2] []"},
		{"less than is lacking is unused", map[string]string{"a": "6", "b": "1"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "4")}, nil, "none [] [head]"},
		{"more is used than held", map[string]string{"a": "9", "b": "2"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "1")}, nil, "head [other-1=2] []"},
		{"the usage of a namespace is not known", map[string]string{"a": "5"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "2")}, nil, "head [young-2=1] []"},
		{"no usage is known", nil, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "1")}, nil, "none [] [head]"},
		{"defaults cover some of the usage", map[string]string{"a": "7", "b": "3"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "2")}, func(p *pool.ResourcePool, _ map[string]*pool.ResourcePoolClaim) {
			p.Spec.Defaults = testkit.List("pods", "1")
		}, "head [other-1=2 young-1=2] []"},
		{"defaults cannot be given", map[string]string{"a": "7", "b": "0"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "4")}, func(p *pool.ResourcePool, _ map[string]*pool.ResourcePoolClaim) {
			p.Spec.Defaults = testkit.List("pods", "9", "services", "1")
			p.Spec.Quota.Hard = testkit.List("pods", "9")
		}, "head [other-3=0 young-2=1] []"},
		{"the first claim is too large, the next is holding", map[string]string{"a": "6", "b": "2"}, false, []*pool.ResourcePoolClaim{waiting("large", 8, "pods", "4"), waiting("head", 9, "pods", "2")}, nil, "head [other-1=2 young-1=2] [large]"},
		{"behind a claim that is too large, in an ordered queue", map[string]string{"a": "6", "b": "2"}, true, []*pool.ResourcePoolClaim{waiting("large", 8, "pods", "4"), waiting("head", 9, "pods", "2")}, nil, "none [] [large]"},
		{"claim to be released frees enough", map[string]string{"a": "0", "b": "0"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "4")}, func(_ *pool.ResourcePool, claims map[string]*pool.ResourcePoolClaim) {
			claims["other"].Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		}, "head [young-1=2] []"},
		{"pending edit frees enough", map[string]string{"a": "3", "b": "0"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "pods", "3")}, func(_ *pool.ResourcePool, claims map[string]*pool.ResourcePoolClaim) {
			claims["young"].Spec.Claim = testkit.List("pods", "1")
		}, "head [other-1=2] []"},
		{"another resource", map[string]string{"a": "0", "b": "0"}, false, []*pool.ResourcePoolClaim{waiting("head", 9, "services", "1")}, nil, "none [] [head]"},
		{"no pool", nil, false, nil, func(p *pool.ResourcePool, _ map[string]*pool.ResourcePoolClaim) { p.Name = "" }, "none [] []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPool("pods", "10")
			p.Spec.Config.OrderedQueue = test.ordered
			claims := append([]*pool.ResourcePoolClaim{holding(p, "a", "old", 1, "pods", "4"), holding(p, "a", "young", 2, "pods", "3"), holding(p, "b", "other", 3, "pods", "3"), nil}, test.more...)
			if test.edit != nil {
				test.edit(p, map[string]*pool.ResourcePoolClaim{"young": claims[1], "other": claims[2]})
			}
			used := map[string]corev1.ResourceList{}
			for namespace, pods := range test.used {
				used[namespace] = testkit.List("pods", pods)
			}
			if p.Name == "" {
				p = nil
			}
			got := poolplan.Balance(used, p, claims, pool.Options{})
			var shrinks, stuck []string
			for _, s := range got.Shrinks {
				by, to := s.By["pods"], s.To["pods"]
				shrinks = append(shrinks, fmt.Sprintf("%s-%s=%s", s.Claim.Name, by.String(), to.String()))
			}
			for _, name := range got.Stuck {
				stuck = append(stuck, name.Name)
			}
			name := got.Claim.Name
			if name == "" {
				name = "none"
			}
			if diff := cmp.Diff(test.want, fmt.Sprintf("%s [%s] [%s]", name, strings.Join(shrinks, " "), strings.Join(stuck, " "))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A claim that gives some of two resources keeps the others, in their notation.
func TestBalanceKeepsOtherResources(t *testing.T) {
	p := newPool("requests.memory", "2Gi", "pods", "3", "secrets", "2")
	claims := []*pool.ResourcePoolClaim{holding(p, "a", "base", 1, "requests.memory", "1.5Gi", "pods", "3", "secrets", "2"), waiting("head", 2, "requests.memory", "1Gi", "pods", "1")}
	plan := poolplan.Balance(map[string]corev1.ResourceList{"a": testkit.List("requests.memory", "512Mi", "pods", "0", "secrets", "1")}, p, claims, pool.Options{})
	if got, want := strings.Join([]string{plan.Claim.String(), amounts(plan.Shrinks[0].By), amounts(plan.Shrinks[0].To)}, " "), "a/head map[pods:1 requests.memory:512Mi] map[pods:2 requests.memory:1Gi secrets:2]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// balanceStates draws pools with recorded claims in two namespaces, some of them edited or with the
// release annotation, and usage.
func balanceStates(amounts *rapid.Generator[corev1.ResourceList], edits bool) *rapid.Generator[balanceState] {
	return rapid.Custom(func(t *rapid.T) balanceState {
		s := balanceState{used: map[string]corev1.ResourceList{}, options: rapid.SampledFrom([]pool.Options{{}, {API: pool.Documented}}).Draw(t, "options")}
		s.pool = newPool()
		amounts := amounts
		if rapid.Bool().Draw(t, "pods alone") { // with few resources, claims have what others lack
			amounts = rapid.Map(rapid.IntRange(1, 4), func(n int) corev1.ResourceList { return testkit.List("pods", fmt.Sprint(n)) })
		}
		s.pool.Spec.Quota.Hard = amounts.Draw(t, "hard")
		s.pool.Spec.Defaults = rapid.OneOf(rapid.Just(corev1.ResourceList(nil)), amounts).Draw(t, "defaults")
		s.pool.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		for i := range rapid.IntRange(1, 6).Draw(t, "claims") {
			c := waiting(fmt.Sprint("c", i), rapid.IntRange(0, 5).Draw(t, "created"))
			c.Namespace = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "namespace")
			c.Spec.Claim = amounts.Draw(t, "amounts")
			if rapid.IntRange(0, 2).Draw(t, "holding") > 0 {
				hold(s.pool, c)
				if edits && rapid.IntRange(0, 3).Draw(t, "edited") == 0 {
					c.Spec.Claim = amounts.Draw(t, "edit")
				}
				if edits && rapid.IntRange(0, 4).Draw(t, "released") == 0 {
					c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
				}
			}
			s.claims = append(s.claims, c)
		}
		if rapid.Bool().Draw(t, "full") { // all there is, is holding
			s.pool.Spec.Quota.Hard = pool.Allocate(s.pool, s.claims, s.options).Claimed
		}
		for _, namespace := range []string{"a", "b"} {
			if rapid.IntRange(0, 4).Draw(t, "known") > 0 {
				s.used[namespace] = rapid.OneOf(rapid.Just(testkit.List("pods", "0", "limits.cpu", "0", "requests.memory", "0", "requests.storage", "0")), amounts).Draw(t, "used")
			}
		}
		return s
	})
}

type balanceState struct {
	state
	used    map[string]corev1.ResourceList
	options pool.Options
}

// holding returns the claims that are holding after they get other amounts that the pool records.
func (s balanceState) holding(to map[types.NamespacedName]corev1.ResourceList) map[types.NamespacedName]bool {
	p := s.pool.DeepCopy()
	var claims []*pool.ResourcePoolClaim
	for _, c := range s.claims {
		if amounts, shrinks := to[c.Key()]; shrinks {
			c = c.DeepCopy()
			c.Spec.Claim = amounts
		}
		claims = append(claims, c)
	}
	for namespace, recorded := range p.Status.Claims {
		for i := range recorded {
			if amounts, shrinks := to[types.NamespacedName{Namespace: namespace, Name: recorded[i].Name}]; shrinks {
				recorded[i].Claims = amounts
			}
		}
	}
	holding := map[types.NamespacedName]bool{}
	for _, d := range pool.Allocate(p, claims, s.options).Decisions {
		holding[d.Claim] = d.State == pool.Holding
	}
	return holding
}

// The claim is holding after the shrinks and not after smaller ones, holding claims keep holding, and every
// namespace keeps what it uses.
func TestBalanceMovesTheQueue(t *testing.T) {
	moved, stuck := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := balanceStates(testkit.PoolAmounts(4), true).Draw(t, "state")
		plan := poolplan.Balance(s.used, s.pool, s.claims, s.options)
		stuck += len(plan.Stuck)
		if plan.Claim.Name == "" {
			if len(plan.Shrinks) > 0 {
				t.Fatalf("shrinks for nobody: %v", plan.Shrinks)
			}
			return
		}
		moved++
		to := map[types.NamespacedName]corev1.ResourceList{}
		for _, shrink := range plan.Shrinks {
			to[shrink.Claim] = shrink.To
		}
		before, after := s.holding(nil), s.holding(to)
		if before[plan.Claim] || !after[plan.Claim] {
			t.Fatalf("%v: holding before %v, after %v", plan.Claim, before[plan.Claim], after[plan.Claim])
		}
		for name, is := range before {
			if recorded(s.pool, name) != nil && is && !after[name] {
				t.Fatalf("%v is holding no longer", name)
			}
		}
		for i, shrink := range plan.Shrinks {
			if i > 0 && order.Compare(&claimNamed(s, plan.Shrinks[i-1].Claim).ObjectMeta, &claimNamed(s, shrink.Claim).ObjectMeta) < 0 {
				t.Fatalf("%v is younger than the one before", shrink.Claim)
			}
			for of, by := range shrink.By {
				was, is := recorded(s.pool, shrink.Claim)[of], shrink.To[of]
				if by.Sign() <= 0 || is.Sign() < 0 || new(big.Rat).Add(testkit.Exact(is), testkit.Exact(by)).Cmp(testkit.Exact(was)) != 0 {
					t.Fatalf("%v: %s had %s, by %s to %s", shrink.Claim, of, was.String(), by.String(), is.String())
				}
				less := shrink.To.DeepCopy()
				less[of] = quantity.Minus(is, resource.MustParse("-1n"))
				to[shrink.Claim] = less
				if s.holding(to)[plan.Claim] {
					t.Fatalf("%v can keep more of %s", shrink.Claim, of)
				}
				to[shrink.Claim] = shrink.To
			}
			if len(shrink.By) == 0 {
				t.Fatalf("%v shrinks by nothing", shrink.Claim)
			}
		}
		expectUsageKept(t, s, to)
	})
	if !testing.Short() && (moved == 0 || stuck == 0) {
		t.Errorf("%d plans, %d claims stuck", moved, stuck)
	}
}

func claimNamed(s balanceState, name types.NamespacedName) *pool.ResourcePoolClaim {
	return s.claims[slices.IndexFunc(s.claims, func(c *pool.ResourcePoolClaim) bool { return c.Key() == name })]
}

// expectUsageKept checks that after the shrinks a namespace has at least what it uses, or what it had
// before.
func expectUsageKept(t testkit.TB, s balanceState, to map[types.NamespacedName]corev1.ResourceList) {
	t.Helper()
	for name, amounts := range to {
		for of, q := range recorded(s.pool, name) {
			is := amounts[of]
			if testkit.Exact(is).Cmp(testkit.Exact(q)) == 0 {
				continue
			}
			used, known := s.used[name.Namespace][of]
			sum := testkit.Exact(s.pool.Spec.Defaults[of].DeepCopy())
			for _, b := range s.pool.Status.Claims[name.Namespace] {
				has := b.Claims[of]
				if other, shrinks := to[types.NamespacedName{Namespace: name.Namespace, Name: b.Name}]; shrinks {
					has = other[of]
				}
				if has.Sign() > 0 && !claimNamed(s, types.NamespacedName{Namespace: name.Namespace, Name: b.Name}).Released() {
					sum = new(big.Rat).Add(sum, testkit.Exact(has))
				}
			}
			if !known || sum.Cmp(testkit.Exact(used)) < 0 {
				t.Fatalf("%s of %s: %s is left of %s used (%v)", of, name.Namespace, sum.FloatString(9), used.String(), known)
			}
		}
	}
}

// For whole pods, all shrinks that leave the usage are tried. There is a plan for a claim if any
// of them lets it be granted, and the claim is stuck if none does. The planned total is the smallest.
func TestBalanceIsThatOfBruteForce(t *testing.T) {
	pods := rapid.Custom(func(t *rapid.T) corev1.ResourceList {
		return testkit.List("pods", fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "pods")))
	})
	outcomes := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := balanceStates(pods, false).Draw(t, "state")
		plan := poolplan.Balance(s.used, s.pool, s.claims, s.options)
		least := map[types.NamespacedName]int64{}
		tryShrinks(s, map[types.NamespacedName]corev1.ResourceList{}, 0, func(holding map[types.NamespacedName]bool, total int64) {
			for name, is := range holding {
				if known, found := least[name]; is && (!found || total < known) {
					least[name] = total
				}
			}
		})
		for _, name := range plan.Stuck {
			if total, can := least[name]; can {
				t.Fatalf("%v is stuck, and holding after shrinks by %d", name, total)
			}
		}
		planned := int64(0)
		for _, shrink := range plan.Shrinks {
			planned += shrink.By.Pods().Value()
		}
		outcomes[plan.Claim.Name != ""]++
		if plan.Claim.Name != "" {
			if total, can := least[plan.Claim]; !can || total != planned {
				t.Fatalf("%v: planned %d, needed %d (%v)", plan.Claim, planned, total, can)
			}
			return
		}
		for _, d := range pool.Allocate(s.pool, s.claims, s.options).Decisions {
			if total, can := least[d.Claim]; d.State == pool.PoolExhausted && can {
				t.Fatalf("no plan, but %v is holding after shrinks by %d", d.Claim, total)
			}
		}
	})
	if !testing.Short() && (outcomes[true] == 0 || outcomes[false] == 0) {
		t.Errorf("plans or not: %v", outcomes)
	}
}

func podsOf(list corev1.ResourceList) int64 { return list.Pods().Value() }

// tryShrinks tries each number of pods for each claim from an index on.
func tryShrinks(s balanceState, to map[types.NamespacedName]corev1.ResourceList, from int, try func(map[types.NamespacedName]bool, int64)) {
	if from == len(s.claims) {
		total, left := int64(0), map[string]int64{}
		for _, c := range s.claims {
			if has := recorded(s.pool, c.Key()); has != nil {
				total += has.Pods().Value() - podsOf(to[c.Key()])
				left[c.Namespace] += podsOf(to[c.Key()])
			}
		}
		for _, c := range s.claims {
			has := recorded(s.pool, c.Key())
			if has == nil || has.Pods().Value() == podsOf(to[c.Key()]) {
				continue
			}
			used, known := s.used[c.Namespace]["pods"]
			if !known || left[c.Namespace]+s.pool.Spec.Defaults.Pods().Value() < used.Value() {
				return
			}
		}
		try(s.holding(to), total)
		return
	}
	name := s.claims[from].Key()
	has := recorded(s.pool, name)
	if has == nil {
		tryShrinks(s, to, from+1, try)
		return
	}
	for n := range has.Pods().Value() + 1 {
		to[name] = testkit.List("pods", fmt.Sprint(n))
		tryShrinks(s, to, from+1, try)
	}
	delete(to, name)
}

// What a claim of a namespace gives is not given by another one of it, too.
func TestBalanceGivesOnce(t *testing.T) {
	p := newPool("pods", "10")
	head := waiting("head", 9, "pods", "5")
	claims := []*pool.ResourcePoolClaim{holding(p, "b", "other", 0, "pods", "3"), holding(p, "a", "old", 1, "pods", "4"), holding(p, "a", "young", 2, "pods", "1"), head}
	used := map[string]corev1.ResourceList{"a": testkit.List("pods", "3"), "b": testkit.List("pods", "2")}
	var got []string
	for _, s := range poolplan.Balance(used, p, claims, pool.Options{}).Shrinks {
		got = append(got, fmt.Sprint(s.Claim.Name, " ", s.By.Pods(), " ", s.To.Pods()))
	}
	if diff := cmp.Diff([]string{"young 1 0", "old 1 3", "other 1 2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An edited claim shrinks only where the edit has no effect, as in the documented API.
func TestBalanceOfAnEditedClaim(t *testing.T) {
	for _, test := range []struct {
		api  pool.API
		want string
	}{{pool.Current, "old"}, {pool.Documented, "edited"}} {
		p := newPool("pods", "10")
		claims := []*pool.ResourcePoolClaim{holding(p, "a", "old", 0, "pods", "5"), holding(p, "b", "edited", 1, "pods", "5"), waiting("head", 9, "pods", "3")}
		claims[1].Spec.Claim = testkit.List("pods", "4")
		used := map[string]corev1.ResourceList{"a": testkit.List("pods", "0"), "b": testkit.List("pods", "0")}
		got := poolplan.Balance(used, p, claims, pool.Options{API: test.api})
		if len(got.Shrinks) != 1 || got.Shrinks[0].Claim.Name != test.want {
			t.Errorf("%v: %+v, want %s", test.api, got, test.want)
		}
	}
}
