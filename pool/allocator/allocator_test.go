package allocator_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

func name(of string) types.NamespacedName { return types.NamespacedName{Namespace: "a", Name: of} }

// An event ends: no claim has its turn again and again. It comes first, so that it tells of what keeps the
// others from ending.
func TestEventsEnd(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "2"))
	p.Spec.Config.OrderedQueue = true
	unrecorded, edited := releasing(holding(p, newClaim("a", "unrecorded", 0, testkit.List("pods", "1")))), newClaim("a", "edited", 2, testkit.List("pods", "1"))
	p.Status.Claims = nil
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l := allocator.New(p, []*pool.ResourcePoolClaim{unrecorded, edited, newClaim("a", "waits", 1, testkit.List("pods", "3"))}, pool.Options{})
		edited.Spec.Claim = testkit.List("pods", "3")
		for range 2 {
			l.Set(edited)
			unrecorded.Spec.Claim = edited.Spec.Claim
			l.Set(unrecorded)
		}
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Fatal("an event has not ended after five seconds")
	}
}

// An evicted claim closes what it is short of to the claims after it, in the same pass over the queue.
func TestEvictedClaimClosesResources(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "4"))
	p.Spec.Config.OrderedQueue = true
	l := allocator.New(p, []*pool.ResourcePoolClaim{newClaim("a", "evicted", 0, testkit.List("pods", "2")), newClaim("a", "next", 1, testkit.List("pods", "3"))}, pool.Options{})
	granted, _ := l.Set(newClaim("a", "evicted", 0, testkit.List("pods", "9")))
	evicted, _ := l.Decision(name("evicted"))
	next, _ := l.Decision(name("next"))
	if len(granted) > 0 || evicted.State != pool.PoolExhausted || next.State != pool.QueueExhausted {
		t.Errorf("holding %v, the edited claim is %s, the next one is %s", granted, evicted.State, next.State)
	}
}

// A claim that is evicted behind an earlier one closes nothing itself: the memory that it returns
// goes to a later claim before the cpu that it returns lets an earlier one have it.
func TestEvictedBehindOthers(t *testing.T) {
	p := newPool("sampler", testkit.List("requests.cpu", "4", "requests.memory", "3"))
	p.Spec.Config.OrderedQueue = true
	l := allocator.New(p, []*pool.ResourcePoolClaim{newClaim("a", "evicted", 2, testkit.List("requests.cpu", "2", "requests.memory", "1"))}, pool.Options{})
	for _, c := range []*pool.ResourcePoolClaim{
		newClaim("a", "first", 0, testkit.List("requests.cpu", "3")), newClaim("a", "second", 1, testkit.List("requests.cpu", "1", "requests.memory", "3")),
		newClaim("a", "last", 3, testkit.List("requests.memory", "3")),
	} {
		if granted, err := l.Set(c); len(granted) > 0 || err != nil {
			t.Fatal(granted, err)
		}
	}
	granted, _ := l.Set(newClaim("a", "evicted", 2, testkit.List("requests.cpu", "3", "requests.memory", "9")))
	evicted, _ := l.Decision(name("evicted"))
	diff := cmp.Diff([]types.NamespacedName{name("last"), name("first")}, granted)
	if diff != "" || evicted.State == pool.Holding {
		t.Errorf("the edited claim is %s, holding (-want +got):\n%s", evicted.State, diff)
	}
}

// The current API evicts a holding claim that requests a negative amount, even if it holds the same. The
// documented API looks at it again only once it is released.
func TestHoldingWithANegativeAmount(t *testing.T) {
	odd := testkit.List("pods", "1", "requests.memory", "-1Ki")
	for documented, want := range map[bool]pool.State{false: pool.Invalid, true: pool.Holding} {
		for _, ordered := range []bool{false, true} {
			o := pool.Options{Documented: documented}
			p, c := newPool("sampler", testkit.List("pods", "3")), newClaim("a", "odd", 0, odd)
			p.Spec.Config.OrderedQueue = ordered
			pool.ApplyDecision(c, p, pool.Decision{Claim: c.Key(), State: pool.Holding}, midnight, o)
			set := allocator.New(p, nil, o)
			for range 2 {
				if granted, err := set.Set(c); len(granted) > 0 || err != nil {
					t.Errorf("documented %v: holding %v, %v", documented, granted, err)
				}
				if d, _ := set.Decision(c.Key()); d.State != want {
					t.Errorf("documented %v, Set: the claim is %s, want %s", documented, d.State, want)
				}
			}
			p.Status.Claims = map[string][]pool.RecordedClaim{"a": {{Name: "odd", Claims: odd}}}
			batch := pool.Allocate(p, []*pool.ResourcePoolClaim{c}, o)
			testkit.Equal(t, batch.Decisions[0].State, want, "documented", documented)
			for what, l := range map[string]*allocator.Allocator{"New": allocator.New(p, []*pool.ResourcePoolClaim{c}, o), "Set": set} {
				testkit.NoDiff(t, l.Allocation(), batch, testkit.AsWritten(), "documented", documented, what)
			}
		}
	}
}

// Of many resources, a claim closes those that it waits for, and no others.
func TestManyResources(t *testing.T) {
	hard := corev1.ResourceList{}
	for i := range 70 {
		hard[corev1.ResourceName(fmt.Sprintf("example.com/r%02d", i))] = resource.MustParse("1")
	}
	p := newPool("sampler", hard)
	p.Spec.Config.OrderedQueue = true
	l := allocator.New(p, nil, pool.Options{})
	for i, r := range []string{"r68", "r68", "r69", "r02"} {
		if _, err := l.Set(newClaim("a", fmt.Sprint("c", i), i, testkit.List("example.com/"+r, "2"))); err != nil {
			t.Fatal(err)
		}
	}
	p = p.DeepCopy()
	p.Spec.Quota.Hard["example.com/r69"], p.Spec.Quota.Hard["example.com/r02"] = resource.MustParse("2"), resource.MustParse("3")
	testkit.NoDiff(t, l.SetPool(p), []types.NamespacedName{name("c2"), name("c3")})
}

// The first name in the order is granted first. A claim that loses one shortage but not the next
// keeps waiting.
func TestGrowing(t *testing.T) {
	p := newPool("sampler", testkit.List("requests.memory", "1", "pods", "1"))
	l := allocator.New(p, []*pool.ResourcePoolClaim{
		newClaim("a", "both", 0, testkit.List("requests.memory", "2", "pods", "3")),
		newClaim("a", "second", 2, testkit.List("requests.memory", "2")), newClaim("a", "first", 1, testkit.List("requests.memory", "2")),
	}, pool.Options{Documented: true})
	grow := func(memory, pods string, want ...types.NamespacedName) {
		t.Helper()
		p = p.DeepCopy()
		p.Spec.Quota.Hard = testkit.List("requests.memory", memory, "pods", pods)
		testkit.NoDiff(t, l.SetPool(p), want, memory, "memory", pods, "pods")
	}
	grow("2", "2", name("first"))
	grow("3", "4")
	grow("6", "2", name("second"))
	grow("6", "3", name("both"))
	grow("0", "0")
	if left := l.Available()["pods"]; left.String() != "-3" {
		t.Errorf("%s pods left", left.String())
	}
	if l.SetPool(nil) != nil {
		t.Error("no pool is a change")
	}
	renamed := p.DeepCopy()
	renamed.Name = "other"
	l.SetPool(renamed)
	if _, known := l.Decision(name("first")); !known {
		t.Error("a pool under another name has lost its claims")
	}
}

// A new claim holds what its status records. Its request can be written differently, but not changed.
func TestSetOfHolding(t *testing.T) {
	l := allocator.New(newPool("sampler", testkit.List("pods", "3", "secrets", "1")), nil, pool.Options{Documented: true})
	c := newClaim("a", "has", 0, testkit.List("pods", "5", "secrets", "1"))
	pool.ApplyDecision(c, newPool("sampler", nil), pool.Decision{Claim: name("has"), State: pool.Holding}, midnight, pool.Options{Documented: true})
	set := func(what string, change func(*pool.ResourcePoolClaim), want string) {
		t.Helper()
		changed := c.DeepCopy()
		change(changed)
		granted, err := l.Set(changed)
		if message := fmt.Sprint(err); message != want || granted != nil {
			t.Errorf("%s: %v are holding, error: %s; want %s", what, granted, message, want)
		}
		if d, _ := l.Decision(name("has")); d.State != pool.Holding {
			t.Errorf("%s: the claim is %s", what, d.State)
		}
		testkit.NoDiff(t, l.Available(), testkit.List("pods", "-2", "secrets", "0"), what, "available")
	}
	const none, immutable = "<nil>", "cannot change the requested resources while claim is allocated to a resourcepool sampler"
	claim := func(pairs ...string) func(*pool.ResourcePoolClaim) {
		return func(c *pool.ResourcePoolClaim) { c.Spec.Claim = testkit.List(pairs...) }
	}
	set("new", func(*pool.ResourcePoolClaim) {}, none)
	set("unchanged", func(*pool.ResourcePoolClaim) {}, none)
	set("labeled", func(c *pool.ResourcePoolClaim) { c.Labels = map[string]string{"a": "b"} }, none)
	set("written differently", claim("secrets", "1", "pods", "5000m", "services", "0"), none)
	set("more", claim("pods", "6", "secrets", "1"), immutable)
	set("less", claim("pods", "4", "secrets", "1"), immutable)
	set("one resource less", claim("pods", "5"), immutable)
	set("one resource more", claim("pods", "5", "secrets", "1", "services", "1"), immutable)
	set("another resource", claim("pods", "5", "services", "1"), immutable)
	set("a negative amount of one more resource", claim("pods", "5", "secrets", "1", "services", "-1"), immutable)
	set("moved to another pool", func(c *pool.ResourcePoolClaim) { c.Spec.Pool = "other" }, immutable)
}

// An edit that is taken back before the release counts no more: the claim waits for what it held.
func TestSetTakesAnEditBack(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "2"))
	c := holding(p, newClaim("a", "c", 0, testkit.List("pods", "2")))
	edited := c.DeepCopy()
	edited.Spec.Claim = testkit.List("pods", "3")
	l := allocator.New(p, []*pool.ResourcePoolClaim{edited}, pool.Options{Documented: true})
	granted, err := l.Set(c)
	testkit.OK(t, err)
	testkit.NoDiff(t, granted, nil)
	testkit.NoDiff(t, l.Release(name("c")), []types.NamespacedName{name("c")})
}

// Negative amounts are reported in the notation of the claim, and without the other amounts.
func TestNegativeAmounts(t *testing.T) {
	odd := newClaim("a", "odd", 0, testkit.List("pods", "1", "limits.cpu", "-1k", "requests.memory", "-1Ki"))
	odd.Spec.Claim["requests.storage"] = *resource.NewQuantity(-1, resource.BinarySI) // which is written -1
	l := allocator.New(newPool("sampler", testkit.List("pods", "3")), []*pool.ResourcePoolClaim{odd}, pool.Options{Documented: true})
	d, _ := l.Decision(name("odd"))
	want := []pool.Shortage{
		{Resource: "limits.cpu", Requested: resource.MustParse("-1k")},
		{Resource: "requests.memory", Requested: resource.MustParse("-1Ki")},
		{Resource: "requests.storage", Requested: odd.Spec.Claim["requests.storage"]},
	}
	if d.State != pool.Invalid || !slices.EqualFunc(want, d.Shortages, func(a, b pool.Shortage) bool {
		return a.Resource == b.Resource && testkit.Text(a.Requested) == testkit.Text(b.Requested) && b.Available.IsZero() && b.Queued.IsZero()
	}) {
		t.Errorf("%s, %v", d.State, d.Shortages)
	}
}

func TestNewOddities(t *testing.T) {
	l := allocator.New(nil, []*pool.ResourcePoolClaim{nil, newClaim("a", "x", 0, nil)}, pool.Options{Documented: true})
	if holding, waiting := allocator.Counts(l); holding+waiting != 0 {
		t.Errorf("no pool has %d claims", holding+waiting)
	}
	first, second := newClaim("a", "twice", 0, testkit.List("pods", "1")), newClaim("a", "twice", 0, testkit.List("pods", "2"))
	l = allocator.New(newPool("sampler", testkit.List("pods", "3")), []*pool.ResourcePoolClaim{first, second}, pool.Options{Documented: true})
	if left := l.Available()["pods"]; left.String() != "2" {
		t.Errorf("%s pods left", left.String())
	}
}

// Arguments are only read, and results can be changed.
func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPool("sampler", testkit.PoolAmounts(12).Draw(t, "hard"))
		p.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		var claims []*pool.ResourcePoolClaim
		for i := range rapid.IntRange(0, 8).Draw(t, "claims") {
			claims = append(claims, newClaim("a", fmt.Sprint("c", i), i%3, testkit.PoolAmounts(4).Draw(t, "amounts")))
		}
		to := testkit.PoolAmounts(5).Draw(t, "to")
		testkit.Contract(t, func() any {
			l := allocator.New(p, claims, pool.Options{Documented: true})
			var answers []any
			for _, c := range claims {
				granted, err := l.Set(c)
				answers = append(answers, granted, fmt.Sprint(err))
			}
			granted, err := l.Set(newClaim("a", "c0", 0, to))
			answers = append(answers, granted, fmt.Sprint(err), l.Release(name("c1")), l.SetPool(p), l.Delete(name("c2")))
			for _, c := range claims {
				d, known := l.Decision(name(c.Name))
				answers = append(answers, d, known)
			}
			return append(answers, l.Allocation(), l.Available(), l.Claimed("a"))
		}, p, claims, to)
		fresh := allocator.New(p, claims, pool.Options{Documented: true})
		testkit.Contract(t, func() any {
			return []any{fresh.Allocation(), fresh.Available(), fresh.Claimed("a")}
		}, p, claims)
		l := allocator.New(p, claims, pool.Options{Documented: true})
		want := testkit.Fingerprint(l.Allocation())
		testkit.Scramble(l.Allocation())
		testkit.Scramble(l.Available())
		testkit.Scramble(l.Claimed("a"))
		for _, c := range claims {
			d, _ := l.Decision(name(c.Name))
			testkit.Scramble(&d)
		}
		if got := testkit.Fingerprint(l.Allocation()); got != want {
			t.Fatalf("changing answers changed the pool\nfrom %s\nto   %s", want, got)
		}
	})
}

// The allocator keeps no reference to its arguments; they can be changed afterwards.
func TestNothingIsKept(t *testing.T) {
	p, given := newPool("sampler", testkit.List("requests.memory", "1.5Gi")), newPool("sampler", testkit.List("requests.memory", "1.5Gi"))
	claim := func(name, memory string) *pool.ResourcePoolClaim {
		return newClaim("a", name, len(name), testkit.List("requests.memory", memory))
	}
	claims := []*pool.ResourcePoolClaim{claim("has", "0.5Gi"), claim("waits", "1.5Gi"), claim("invalid", "-0.5Gi")}
	l := allocator.New(given, claims, pool.Options{Documented: true})
	keeps := func(what string, change ...any) {
		t.Helper()
		before := testkit.Fingerprint(l.Allocation())
		testkit.Scramble(change)
		if after := testkit.Fingerprint(l.Allocation()); after != before {
			t.Errorf("%s\nfrom %s\nto   %s", what, before, after)
		}
	}
	keeps("New", given, claims)
	p.Spec.Config.OrderedQueue = true
	l.SetPool(p)
	keeps("SetPool", p)
	next := claim("next", "2.5Gi")
	if _, err := l.Set(next); err != nil {
		t.Error(err)
	}
	keeps("Set", next)
	again := claim("has", "512Mi")
	if _, err := l.Set(again); err != nil {
		t.Error(err)
	}
	keeps("Set of a holding claim", again)
}

// The allocations of an event do not depend on the number of waiting claims.
func TestAllocs(t *testing.T) {
	p, claims := testkit.ManyClaims(20_000, newPool, newClaim)
	for _, ordered := range []bool{false, true} {
		p.Spec.Config.OrderedQueue = ordered
		l := allocator.New(p, claims, pool.Options{Documented: true})
		c := newClaim("a", "comes-and-goes", 1_000_000, testkit.List("requests.cpu", "900", "requests.memory", "900Gi"))
		if got := testing.AllocsPerRun(100, func() {
			l.Set(c)
			l.Delete(name("comes-and-goes"))
		}); got > 20 {
			t.Errorf("ordered %v: %v allocations for a claim that comes and goes", ordered, got)
		}
	}
}

// A claim whose request becomes zero is holding in its turn: after an earlier claim that it no longer
// blocks, and before a later one.
func TestClaimForNothingHasItsTurn(t *testing.T) {
	for _, test := range []struct {
		created int // of the claim that wants nothing
		want    []types.NamespacedName
	}{
		{0, []types.NamespacedName{name("changed"), name("waits")}},
		{2, []types.NamespacedName{name("waits"), name("changed")}},
	} {
		p := newPool("sampler", testkit.List("pods", "1"))
		p.Spec.Config.OrderedQueue = true
		l := allocator.New(p, []*pool.ResourcePoolClaim{
			newClaim("a", "changed", 0, testkit.List("pods", "2")), newClaim("a", "waits", 1, testkit.List("pods", "1")),
		}, pool.Options{Documented: true})
		granted, err := l.Set(newClaim("a", "changed", test.created, nil))
		if diff := cmp.Diff(test.want, granted); err != nil || diff != "" {
			t.Errorf("created %d: %v (-want +got):\n%s", test.created, err, diff)
		}
	}
}

// In the documented API, another negative amount is an edit of a holding claim, too.
func TestSetRefusesOtherNegativeAmounts(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "4", "requests.cpu", "4"))
	l := allocator.New(p, nil, pool.Options{Documented: true})
	for _, test := range []struct {
		cpu     string
		refused bool
	}{{"-1", false}, {"-2", true}, {"-1000m", false}} {
		c := newClaim("a", "c", 0, testkit.List("pods", "1", "requests.cpu", test.cpu))
		pool.ApplyDecision(c, p, pool.Decision{Claim: name("c"), State: pool.Holding}, midnight, pool.Options{Documented: true})
		if _, err := l.Set(c); (err != nil) != test.refused {
			t.Errorf("%s: %v, refused %v", test.cpu, err, test.refused)
		}
	}
}

// UIDs that differ in the case of letters, and a UID of the bytes of another, are those of different claims: each
// gets another share than the last.
func TestSetTellsUIDsApart(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "9"))
	l := allocator.New(p, nil, pool.Options{Documented: true})
	for i, uid := range []types.UID{
		"61626364-6566-6768-696a-6b6c6d6e6f7a", "61626364-6566-6768-696A-6B6C6D6E6F7A", "61626364-6566-6768-696A-6b6c6d6e6f7a", "abcdefghijklmnoz",
		"61626364-6566-6768-696a-6b6c6d6e6f7a", "abcdefghijklmnoz\x00", "616263646566-6768-696a-6b6c6d6e6f7a--",
	} {
		want := fmt.Sprint(i + 1)
		c := newClaim("a", "c", 0, testkit.List("pods", want))
		c.UID = uid
		if _, err := l.Set(c); err != nil {
			t.Errorf("%q: %v", uid, err)
		}
		if got := l.Claimed("a")["pods"]; got.String() != want {
			t.Errorf("%q: %s, want %s", uid, got.String(), want)
		}
	}
}

// A claim that replaces another one of its name comes after those that what it held is enough for. A claim that has gone
// is not known.
func TestReplacedClaim(t *testing.T) {
	for _, uids := range [][2]types.UID{{"old", "next"}, {"old", ""}, {"", "next"}} {
		old, next := newClaim("a", "c", 0, testkit.List("pods", "3")), newClaim("a", "c", 0, testkit.List("pods", "1"))
		old.UID, next.UID = uids[0], uids[1]
		l := allocator.New(newPool("sampler", testkit.List("pods", "3")), []*pool.ResourcePoolClaim{old, newClaim("a", "waits", 1, testkit.List("pods", "2"))}, pool.Options{})
		granted, err := l.Set(next)
		testkit.OK(t, err)
		testkit.NoDiff(t, granted, []types.NamespacedName{name("waits"), name("c")}, uids)
		l.Delete(name("c"))
		d, known := l.Decision(name("c"))
		testkit.NoDiff(t, d, pool.Decision{})
		testkit.Equal(t, known, false)
	}
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
			l := allocator.New(in.Pool, in.Claims, pool.Options{Documented: true})
			granted, err := l.Set(newClaim("a", "c0", 0, in.To))
			return []any{granted, fmt.Sprint(err), l.Release(name("c1")), l.Allocation(), l.Available(), l.Claimed("a")}
		})
	})
}

// A claim that was deleted while it waited is not granted later.
func TestDeletedClaimIsNotGranted(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "5"))
	l := allocator.New(p, nil, pool.Options{})
	granted, err := l.Set(newClaim("a", "deleted", 0, testkit.List("pods", "6")))
	testkit.NoDiff(t, granted, nil)
	testkit.OK(t, err)
	l.Delete(name("deleted"))
	p.Spec.Quota.Hard = testkit.List("pods", "8")
	l.SetPool(p)
	granted, err = l.Set(newClaim("a", "next", 1, testkit.List("pods", "1")))
	if diff := cmp.Diff([]types.NamespacedName{name("next")}, granted); diff != "" || err != nil {
		t.Errorf("%v, holding (-want +got):\n%s", err, diff)
	}
}
