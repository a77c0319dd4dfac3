package allocator_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	corev1 "k8s.io/api/core/v1"
)

// settled allocates a copy of the objects until nothing changes, and returns the last allocation.
func settled(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) *pool.Allocation {
	var copies []*pool.ResourcePoolClaim
	for _, c := range claims {
		copies = append(copies, c.DeepCopy())
	}
	return settle(p.DeepCopy(), copies, o)
}

// settle is settled, and writes the objects.
func settle(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) *pool.Allocation {
	for last := (*pool.Allocation)(nil); ; {
		a := pool.Allocate(p, claims, o)
		if equality.Semantic.DeepEqual(last, a) {
			return a
		}
		a.Apply(p, claims, []string{"ns-0", "ns-1", "ns-2"}, midnight, o)
		last = a
	}
}

// holding returns a claim that the pool's record has with some amounts.
func holding(p *pool.ResourcePool, c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	p.UID = "pool"
	c.Status.Pool = corev1.ObjectReference{Name: p.Name, UID: p.UID}
	if p.Status.Claims == nil {
		p.Status.Claims = map[string][]pool.RecordedClaim{}
	}
	p.Status.Claims[c.Namespace] = append(p.Status.Claims[c.Namespace], pool.RecordedClaim{Name: c.Name, UID: c.UID, Claims: c.Spec.Claim.DeepCopy()})
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, midnight, pool.Options{})
	return c
}

func releasing(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	return c
}

// A released claim joins the queue in its old place after one pass of the others, and not once they have all
// they can have: what later passes free is for the earliest claim.
func TestReleasedClaimJoinsInTheSecondPass(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "7"))
	p.Spec.Config.OrderedQueue = true
	released := releasing(holding(p, newClaim("a", "a", 0, testkit.List("pods", "4"))))
	edited := holding(p, newClaim("a", "x", 2, testkit.List("pods", "3")))
	edited.Spec.Claim = testkit.List("pods", "6")
	claims := []*pool.ResourcePoolClaim{released, newClaim("a", "w", 1, testkit.List("pods", "5")), edited}
	l := allocator.New(p, claims, pool.Options{})
	testkit.NoDiff(t, l.Allocation(), settled(p, claims, pool.Options{}), testkit.AsWritten(), "a restart")
	for of, want := range map[string]pool.State{"a": pool.Holding, "w": pool.PoolExhausted, "x": pool.QueueExhausted} {
		if d, _ := l.Decision(name(of)); d.State != want {
			t.Errorf("%s is %s, want %s", of, d.State, want)
		}
	}
}

// A claim that only its status placed in the pool leaves after the first pass, though an edited claim frees
// enough for it in the second one.
func TestVisitorLeavesAfterTheFirstPass(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		p := newPool("sampler", testkit.List("pods", "4"))
		p.Spec.Config.OrderedQueue = ordered
		edited := holding(p, newClaim("a", "x", 2, testkit.List("pods", "4")))
		edited.Spec.Claim = testkit.List("pods", "1")
		visitor := holding(p.DeepCopy(), newClaim("a", "v", 0, testkit.List("pods", "3"))) // which the record lacks
		visitor.Spec.Pool = "other"
		pool.ApplyUse(visitor, true, midnight)
		claims := []*pool.ResourcePoolClaim{visitor, edited}
		if !visitor.ClaimsFrom(p) {
			t.Fatal("the claim does not belong to the pool before")
		}
		l := allocator.New(p, claims, pool.Options{})
		testkit.NoDiff(t, l.Allocation(), settled(p, claims, pool.Options{}), testkit.AsWritten(), "ordered", ordered)
		if d, known := l.Decision(name("v")); known {
			t.Errorf("ordered %v: %s, want a claim that has left", ordered, d.State)
		}
	}
}

// restarts returns the number of random restarts: the value of KUBEMATH_EVENTS, or a small number, because
// each is allocated several times.
func restarts() int {
	if os.Getenv("KUBEMATH_EVENTS") != "" {
		return events()
	}
	return events() / 8
}

// After a restart, with any edits and releases that no controller has seen yet, and with statuses of which
// only some were written, an allocator gives the answers of pool.Allocate called until nothing changes.
func TestRestartsEqualAllocate(t *testing.T) {
	for _, documented := range []bool{false, true} {
		for ordered := range uint64(2) {
			t.Run(fmt.Sprint("documented=", documented, ", ordered=", ordered == 1), func(t *testing.T) {
				w := newWorld(ordered, pool.Options{Documented: documented})
				for n := range restarts() / 4 {
					for range w.IntN(12) {
						w.pend()
					}
					w.checkRestart(t, n)
					if w.IntN(8) == 0 {
						settle(w.pool, w.list(), w.options)
					}
				}
				for _, what := range []string{"create", "delete", "edit", "move", "release", "change the pool", "use", "half written"} {
					if w.seen[what] == 0 {
						t.Errorf("never seen: %s", what)
					}
				}
				t.Log(w.seen)
			})
		}
	}
}

// pend changes some object, and no controller reacts.
func (w *world) pend() {
	name, c := w.one()
	if c == nil {
		w.claims[name] = w.newcomer(name)
		w.seen["create"]++
		return
	}
	switch w.IntN(20) {
	case 0, 1:
		delete(w.claims, name)
		w.seen["delete"]++
	case 2, 3, 4, 5:
		c.Spec.Claim = w.update(c.Spec.Claim, 6)
		w.seen["edit"]++
	case 6:
		c.Spec.Pool = []string{"sampler", "other", ""}[w.IntN(3)]
		w.seen["move"]++
	case 7, 8, 9:
		c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		w.seen["release"]++
	case 10:
		w.pool.Spec.Quota.Hard = w.update(w.pool.Spec.Quota.Hard, 14)
		w.pool.Spec.Config.OrderedQueue = w.pool.Spec.Config.OrderedQueue != (w.IntN(8) == 0)
		w.seen["change the pool"]++
	case 11, 12:
		if use := w.IntN(3); use > 0 {
			pool.ApplyUse(c, use == 1, midnight)
		}
		w.seen["use"]++
	default:
		w.write()
		w.seen["half written"]++
	}
}

// write allocates once, and writes the status of the pool or not, and those of some claims.
func (w *world) write() {
	list := w.list()
	slices.SortFunc(list, func(a, b *pool.ResourcePoolClaim) int { return ledger.CompareTurns(&a.ObjectMeta, &b.ObjectMeta) })
	a := pool.Allocate(w.pool, list, w.options)
	before := w.pool.Status
	w.pool.Status = a.Status(w.pool, list, nil, midnight, w.options)
	after := w.pool.Status
	w.pool.Status = before
	some := w.IntN(3)
	for _, d := range a.Decisions {
		if w.IntN(2) < some {
			pool.ApplyDecision(w.claims[d.Claim], w.pool, d, midnight, w.options)
		}
	}
	if w.IntN(3) > 0 {
		w.pool.Status = after
	}
}

func (w *world) checkRestart(t *testing.T, n int) {
	t.Helper()
	list := w.list()
	slices.SortFunc(list, func(a, b *pool.ResourcePoolClaim) int { return ledger.CompareTurns(&a.ObjectMeta, &b.ObjectMeta) })
	want := settled(w.pool, list, w.options)
	l := allocator.New(w.pool, list, w.options)
	got := l.Allocation()
	if diff := cmp.Diff(want, got, testkit.AsWritten()); diff != "" {
		for _, c := range list {
			holds, holding := pool.RecordOf(w.pool).Holds(c)
			t.Logf("%s of %q asks for %v, holds %v (%v), released %v, in use %v, from %v, status %v", c.Key(), c.Spec.Pool, testkit.Texts(c.Spec.Claim), testkit.Texts(holds), holding, c.Released(), c.InUse(), c.ClaimsFrom(w.pool), c.Status.Pool)
		}
		t.Fatalf("restart %d: (-batch +live):\n%s", n, diff)
	}
	if err := allocator.Check(l); err != nil {
		t.Fatalf("restart %d: %v", n, err)
	}
	w.compareDecisions(t, want, l)
}

// compareDecisions compares the decisions one by one, and what namespaces hold.
func (w *world) compareDecisions(t *testing.T, want *pool.Allocation, l *allocator.Allocator) {
	t.Helper()
	decided := map[types.NamespacedName]bool{}
	for _, d := range want.Decisions {
		got, known := l.Decision(d.Claim)
		decided[d.Claim] = true
		if !known || d.State != got.State || d.Message() != got.Message() {
			t.Fatalf("%s: %s, %s; live %s, %s", d.Claim, d.State, d.Message(), got.State, got.Message())
		}
	}
	for name := range w.claims {
		if _, known := l.Decision(name); known && !decided[name] {
			t.Fatalf("%s is not a claim of the pool any more", name)
		}
	}
}

// A claim in use stays with its pool although its spec names another one. When it loses what it holds, by
// whatever event, it leaves the pool, and what it held goes to others.
func TestClaimThatMovesAwayWhenItIsInUse(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		for what, event := range map[string]func(*allocator.Allocator, *pool.ResourcePoolClaim) []types.NamespacedName{
			"its release": func(l *allocator.Allocator, c *pool.ResourcePoolClaim) []types.NamespacedName {
				return l.Release(c.Key())
			},
			"the annotation": func(l *allocator.Allocator, c *pool.ResourcePoolClaim) []types.NamespacedName {
				granted, _ := l.Set(releasing(c))
				return granted
			},
			"an edit": func(l *allocator.Allocator, c *pool.ResourcePoolClaim) []types.NamespacedName {
				c.Spec.Claim = testkit.List("pods", "9")
				granted, _ := l.Set(c)
				return granted
			},
			"an invalid edit": func(l *allocator.Allocator, c *pool.ResourcePoolClaim) []types.NamespacedName {
				c.Spec.Claim = testkit.List("pods", "-1")
				granted, _ := l.Set(c)
				return granted
			},
			"a restart": func(l *allocator.Allocator, c *pool.ResourcePoolClaim) []types.NamespacedName {
				return nil
			},
		} {
			p := newPool("sampler", testkit.List("pods", "5"))
			p.Spec.Config.OrderedQueue = ordered
			c, waits := holding(p, newClaim("a", "moved", 0, testkit.List("pods", "4"))), newClaim("a", "waits", 1, testkit.List("pods", "2"))
			pool.ApplyUse(c, true, midnight)
			c.Spec.Pool = "other"
			l := allocator.New(p, []*pool.ResourcePoolClaim{c, waits}, pool.Options{})
			if d, _ := l.Decision(c.Key()); d.State != pool.Holding {
				t.Fatalf("before %s: %s", what, d.State)
			}
			if what == "a restart" {
				c.Spec.Claim = testkit.List("pods", "9")
				l = allocator.New(p, []*pool.ResourcePoolClaim{c, waits}, pool.Options{})
			} else if diff := cmp.Diff([]types.NamespacedName{waits.Key()}, event(l, c.DeepCopy())); diff != "" {
				t.Errorf("ordered %v, %s: holding (-want +got):\n%s", ordered, what, diff)
			}
			if d, known := l.Decision(c.Key()); known {
				t.Errorf("ordered %v: after %s, the claim is %s", ordered, what, d.State)
			}
			claimed := l.Claimed("a")
			if has, waiting := allocator.Counts(l); has != 1 || waiting != 0 || claimed.Pods().Value() != 2 {
				t.Errorf("ordered %v: after %s, %d holding and %d waiting claims, which have %v", ordered, what, has, waiting, claimed)
			}
			larger := p.DeepCopy()
			larger.Spec.Quota.Hard = testkit.List("pods", "99")
			if granted := l.SetPool(larger); granted != nil {
				t.Errorf("ordered %v: after %s, a larger pool grants %v", ordered, what, granted)
			}
			testkit.NoDiff(t, l.Available(), testkit.List("pods", "97"), "ordered", ordered, "after", what, "available")
		}
	}
}

// SetPool replaces the spec. A pool keeps its name and its UID.
func TestSetPoolKeepsTheNameAndTheUID(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "3"))
	used := holding(p, newClaim("a", "used", 0, testkit.List("pods", "1")))
	pool.ApplyUse(used, true, midnight)
	l := allocator.New(p, []*pool.ResourcePoolClaim{used}, pool.Options{})
	other := newPool("other", testkit.List("pods", "4"))
	other.UID = "another"
	l.SetPool(other)
	elsewhere := newClaim("a", "elsewhere", 1, testkit.List("pods", "1"))
	elsewhere.Spec.Pool = "other"
	for _, test := range []struct {
		claim   *pool.ResourcePoolClaim
		holding []types.NamespacedName
	}{
		{newClaim("a", "new", 1, testkit.List("pods", "3")), []types.NamespacedName{name("new")}},
		{elsewhere, nil},
		{used, nil},
	} {
		if granted, err := l.Set(test.claim); !slices.Equal(test.holding, granted) || err != nil {
			t.Errorf("%s: holding %v, %v; want %v", test.claim.Name, granted, err, test.holding)
		}
	}
	if holding, waiting := allocator.Counts(l); holding != 2 || waiting != 0 {
		t.Errorf("%d holding and %d waiting claims", holding, waiting)
	}
	testkit.NoDiff(t, l.Available(), testkit.List("pods", "0"), "available")
}

// The status of a claim may have been written, and its record not. If the claim is to be released, the first
// round grants it, the second one releases it, and then it waits.
//
// The annotation of a claim without a status has no effect.
func TestReleaseOfAClaimWithoutARecord(t *testing.T) {
	for i, want := range []pool.State{pool.Holding, pool.Holding, pool.PoolExhausted, pool.PoolExhausted} {
		ordered := i%2 == 1
		p := newPool("sampler", testkit.List("pods", "2"))
		p.Spec.Config.OrderedQueue = ordered
		c, waits := newClaim("a", "c", 0, testkit.List("pods", "2")), newClaim("a", "waits", 1, testkit.List("pods", "1"))
		if i < 2 {
			holding(p, c)
		}
		releasing(c)
		p.Status.Claims = nil
		claims := []*pool.ResourcePoolClaim{c, waits}
		l := allocator.New(p, claims, pool.Options{})
		testkit.NoDiff(t, l.Allocation(), settled(p, claims, pool.Options{}), testkit.AsWritten(), "ordered", ordered)
		if d, _ := l.Decision(waits.Key()); d.State != want {
			t.Errorf("ordered %v: the other claim is %s, want %s", ordered, d.State, want)
		}
	}
}

// The last object that was set says whether a claim stays when it is released.
func TestClaimThatMovesWhileItHolds(t *testing.T) {
	for _, to := range []string{"other", "sampler"} {
		p := newPool("sampler", testkit.List("pods", "5"))
		c := holding(p, newClaim("a", "moved", 0, testkit.List("pods", "4")))
		pool.ApplyUse(c, true, midnight)
		l := allocator.New(p, []*pool.ResourcePoolClaim{c}, pool.Options{})
		for _, name := range []string{"other", to} {
			c.Spec.Pool = name
			if granted, err := l.Set(c); granted != nil || err != nil {
				t.Fatalf("moved to %s: holding %v, %v", name, granted, err)
			}
		}
		l.Release(c.Key())
		if _, known := l.Decision(c.Key()); known != (to == "sampler") {
			t.Errorf("released after it moved to %s: known %v", to, known)
		}
	}
}

// A claim that leaves the pool after it waited in vain closes nothing to the claims behind it any more. In the
// documented API, the decision of a pool does not make it leave.
func TestClaimThatWaitedAndLeft(t *testing.T) {
	for documented, want := range map[bool][2]int{false: {1, 0}, true: {0, 2}} {
		p, o := newPool("sampler", testkit.List("pods", "3")), pool.Options{Documented: documented}
		p.Spec.Config.OrderedQueue = true
		c, waits := holding(p, newClaim("a", "left", 0, testkit.List("pods", "5"))), newClaim("a", "waits", 1, testkit.List("pods", "2"))
		pool.ApplyUse(c, true, midnight)
		c.Spec.Pool, p.Status.Claims = "other", nil
		claims := []*pool.ResourcePoolClaim{c, waits}
		l := allocator.New(p, claims, o)
		testkit.NoDiff(t, l.Allocation(), settled(p, claims, o), testkit.AsWritten(), "documented", documented)
		if holding, waiting := allocator.Counts(l); [2]int{holding, waiting} != want {
			t.Errorf("documented %v: %d holding and %d waiting claims, want %v", documented, holding, waiting, want)
		}
	}
}

// A claim that is new, holds and is released joins the queue, and gets what it gives back if nobody waits for it.
func TestNewClaimThatIsReleased(t *testing.T) {
	c := newClaim("a", "c", 0, testkit.List("pods", "2"))
	pool.ApplyDecision(c, newPool("sampler", nil), pool.Decision{State: pool.Holding}, midnight, pool.Options{})
	l := allocator.New(newPool("sampler", testkit.List("pods", "3")), nil, pool.Options{})
	freed, err := l.Set(releasing(c))
	testkit.OK(t, err)
	testkit.Equal(t, fmt.Sprint(freed, l.Allocation().Holding), "[a/c] 1")
}

// Of two released claims of which one fits again, the earlier one is granted, in whatever order they are given.
func TestNewWithReleasedClaims(t *testing.T) {
	o := pool.Options{Documented: true}
	var claims []*pool.ResourcePoolClaim
	for second, name := range []string{"early", "late"} {
		c := newClaim("a", name, second, testkit.List("pods", "2"))
		pool.ApplyDecision(c, newPool("sampler", nil), pool.Decision{State: pool.Holding}, midnight, o)
		claims = append(claims, releasing(c))
	}
	slices.Reverse(claims)
	l := allocator.New(newPool("sampler", testkit.List("pods", "3")), append(claims, newClaim("a", "waits", 3, testkit.List("pods", "1"))), o)
	if d, _ := l.Decision(name("early")); d.State != pool.Holding {
		t.Errorf("the earlier claim is %s", d.State)
	}
}
