package book_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

func newPool(name, uid, pods string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name, p.UID, p.Generation = name, types.UID(uid), 1
	p.Spec.Quota.Hard = corev1.ResourceList{"pods": resource.MustParse(pods)}
	return p
}

// newClaim is a claim that is assigned to a pool of UID "1".
func newClaim(name, poolName, pods string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name, c.UID, c.Generation = "a", name, types.UID("uid of "+name), 1
	c.Spec.Pool = poolName
	c.Spec.Claim = corev1.ResourceList{"pods": resource.MustParse(pods)}
	pool.ApplyAssignment(c, newPool(poolName, "1", "0"), time.Unix(1e9, 0), pool.Options{})
	return c
}

func edited(c *pool.ResourcePoolClaim, pods string) *pool.ResourcePoolClaim {
	c = c.DeepCopy()
	c.Generation++
	c.Spec.Claim["pods"] = resource.MustParse(pods)
	return c
}

func name(of string) types.NamespacedName { return types.NamespacedName{Namespace: "a", Name: of} }

// wantState checks the published state of a claim; "" means none.
func wantState(t *testing.T, b *book.Book, claim string, want pool.State) {
	t.Helper()
	if d, _, _ := b.Decision(name(claim)); d.State != want {
		t.Errorf("%s: %q %s, want %q", claim, d.State, d.Message(), want)
	}
}

func draft(t *testing.T, b *book.Book, poolName string) book.Draft {
	t.Helper()
	d, _, open := b.Draft(poolName, []string{"a"}, time.Unix(1e9, 0))
	if !open {
		t.Fatalf("pool %s is not open", poolName)
	}
	return d
}

// wantTold records a pool, and checks which claims have to be reconciled.
func wantTold(t *testing.T, b *book.Book, poolName string, claims ...string) {
	t.Helper()
	var told []string
	for _, name := range b.Recorded(poolName, draft(t, b, poolName)).Claims {
		told = append(told, name.Name)
	}
	if !slices.Equal(told, claims) {
		t.Errorf("told %v, want %v", told, claims)
	}
}

// set sets a claim, and checks which pools have to be recorded.
func set(t *testing.T, b *book.Book, poolName string, c *pool.ResourcePoolClaim, want ...string) {
	t.Helper()
	changed, err := b.SetClaim(poolName, c)
	if err != nil || !slices.Equal(changed, want) {
		t.Errorf("%s changes %v, %v, want %v", c.Name, changed, err, want)
	}
}

// The records of a pool are granted when it is opened, even if other claims are older.
func TestOpen(t *testing.T) {
	b := book.New()
	set(t, b, "p", newClaim("early", "p", "1"))
	wantState(t, b, "early", "")

	p := newPool("p", "1", "2")
	p.Status.Claims = map[string][]pool.RecordedClaim{"a": {
		{Name: "has", UID: "uid of has", Claims: corev1.ResourceList{"pods": resource.MustParse("2")}},
		{Name: "gone", UID: "uid of gone", Claims: corev1.ResourceList{"pods": resource.MustParse("5")}},
	}}
	other := newPool("p", "2", "2")
	if b.IsOpen(p) {
		t.Error("open before it is opened")
	}
	if changed := b.Open(p, []*pool.ResourcePoolClaim{newClaim("aaa-waits", "p", "1"), newClaim("has", "p", "2")}); changed != nil {
		t.Errorf("opening changes %v", changed)
	}
	if !b.IsOpen(p) || b.IsOpen(other) {
		t.Errorf("open: %t, and another one of its name: %t", b.IsOpen(p), b.IsOpen(other))
	}
	wantState(t, b, "has", "") // not published yet
	wantTold(t, b, "p", "aaa-waits", "early", "gone", "has")
	wantState(t, b, "has", pool.Holding)
	wantState(t, b, "aaa-waits", pool.PoolExhausted)
	if status := draft(t, b, "p").Status; len(status.Claims["a"]) != 1 {
		t.Errorf("recorded %v", status.Claims)
	}

	b.Close("p")
	wantState(t, b, "has", "")
	if _, _, open := b.Draft("p", nil, time.Time{}); open {
		t.Error("open after it was closed")
	}
	if change := b.Recorded("p", book.Draft{}); change.Claims != nil || b.SetUsed("p", "a", nil) != nil {
		t.Errorf("%v", change)
	}
	b.SetPool(p)
	b.Close("p")
}

// The condition Bound of a claim does not prove that it holds anything: only the record of the pool does.
func TestOnlyTheRecordGrants(t *testing.T) {
	b := book.New()
	p := newPool("p", "1", "2")
	b.Open(p, nil)
	c := newClaim("c", "p", "3")
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, time.Unix(1e9, 0), pool.Options{})
	pool.ApplyUse(c, true, time.Unix(1e9, 0))
	set(t, b, "p", c, "p")
	wantTold(t, b, "p", "c")
	wantState(t, b, "c", pool.PoolExhausted)
	if !c.Holding() {
		t.Error("the claim has changed")
	}
}

// A decision is published once it is recorded. What happens between a draft and its record is part of
// the next draft.
func TestToldOnceRecorded(t *testing.T) {
	b := book.New()
	b.Open(newPool("p", "1", "3"), nil)
	wantTold(t, b, "p")
	set(t, b, "p", newClaim("first", "p", "2"), "p")
	if _, recorded := b.Claimed("p", "a"); recorded || b.Pending() != 1 {
		t.Errorf("recorded %t, %d pending", recorded, b.Pending())
	}
	first := draft(t, b, "p")
	set(t, b, "p", newClaim("second", "p", "1"), "p")
	if change := b.Recorded("p", first); len(change.Claims) != 1 || !slices.Equal(change.Namespaces, []string{"a"}) {
		t.Errorf("%v", change)
	}
	wantState(t, b, "first", pool.Holding)
	wantState(t, b, "second", "")
	if _, recorded := b.Claimed("p", "a"); recorded {
		t.Error("the quota of the namespace would be told of the second claim")
	}
	wantTold(t, b, "p", "second")
	wantState(t, b, "second", pool.Holding)
	claimed, recorded := b.Claimed("p", "a")
	if pods := claimed["pods"]; !recorded || pods.Value() != 3 || b.Pending() != 0 {
		t.Errorf("%v, %t, %d pending", claimed, recorded, b.Pending())
	}
	set(t, b, "p", newClaim("second", "p", "1")) // the same version
	wantTold(t, b, "p")
}

// The quotas of all namespaces are reconciled when the pool or its namespaces have changed.
func TestQuotasOfAllNamespaces(t *testing.T) {
	b := book.New()
	p := newPool("p", "1", "3")
	b.Open(p, nil)
	want := func(what string, selected []string, namespaces ...string) {
		t.Helper()
		d, _, _ := b.Draft("p", selected, time.Unix(1e9, 0))
		if got := b.Recorded("p", d).Namespaces; !slices.Equal(got, namespaces) {
			t.Errorf("%s: %v, want %v", what, got, namespaces)
		}
	}
	want("opened", []string{"a", "b"}, "a", "b")
	want("nothing changes", []string{"a", "b"})
	want("another namespace", []string{"a", "c"}, "a", "b", "c")
	b.SetPool(p)
	want("the same version", []string{"a", "c"})
	newer := p.DeepCopy()
	newer.Generation, newer.Spec.Quota.Hard["pods"] = 3, resource.MustParse("5")
	b.SetPool(newer)
	b.SetPool(p)
	want("a newer version", []string{"a", "c"}, "a", "c")
	set(t, b, "p", newClaim("c", "p", "5"), "p")
	wantTold(t, b, "p", "c")
	wantState(t, b, "c", pool.Holding)
}

func TestEdits(t *testing.T) {
	b := book.New()
	b.Open(newPool("p", "1", "3"), nil)
	c := newClaim("c", "p", "1")
	set(t, b, "p", c, "p")
	set(t, b, "p", newClaim("waits", "p", "3"), "p")
	wantTold(t, b, "p", "c", "waits")
	resized := edited(c, "2")
	set(t, b, "p", resized, "p")
	set(t, b, "p", c) // an older version
	wantTold(t, b, "p", "c")
	wantState(t, b, "c", pool.Holding)
	if d := draft(t, b, "p"); d.Status.Claims["a"][0].Claims.Pods().Value() != 2 {
		t.Errorf("recorded %v", d.Status.Claims)
	}
	set(t, b, "p", edited(resized, "4"), "p") // is evicted
	wantTold(t, b, "p", "c", "waits")
	wantState(t, b, "c", pool.PoolExhausted)
	wantState(t, b, "waits", pool.Holding)

	// A claim with the same name but another UID is a different claim.
	again := newClaim("waits", "p", "1")
	again.UID = "other"
	set(t, b, "p", again, "p")
	wantTold(t, b, "p", "waits")
	if d := draft(t, b, "p"); d.Status.Claims["a"][0].UID != "other" {
		t.Errorf("recorded %v", d.Status.Claims)
	}
}

func TestDeleteClaim(t *testing.T) {
	b := book.New()
	b.Open(newPool("p", "1", "2"), nil)
	set(t, b, "p", newClaim("has", "p", "2"), "p")
	set(t, b, "p", newClaim("waits", "p", "1"), "p")
	wantTold(t, b, "p", "has", "waits")
	if changed := b.DeleteClaim(name("has")); !slices.Equal(changed, []string{"p"}) {
		t.Errorf("%v", changed)
	}
	// The claim would get back what is still recorded for it.
	has := newClaim("has", "p", "2")
	if b.Admits("p", has) || !b.Admits("p", newClaim("new", "p", "1")) || b.Admits("q", has) {
		t.Error("Admits")
	}
	wantTold(t, b, "p", "has", "waits")
	if !b.Admits("p", has) {
		t.Error("not admitted, though nothing is recorded any more")
	}
	wantState(t, b, "has", "")
	wantState(t, b, "waits", pool.Holding)
	if changed := b.DeleteClaim(name("has")); changed != nil {
		t.Errorf("twice: %v", changed)
	}
}

// A claim that moves to another pool gives back its resources.
func TestMove(t *testing.T) {
	b := book.New()
	b.Open(newPool("p", "1", "2"), nil)
	b.Open(newPool("q", "1", "2"), nil)
	set(t, b, "p", newClaim("c", "p", "2"), "p")
	set(t, b, "p", newClaim("waits", "p", "2"), "p")
	set(t, b, "q", newClaim("c", "q", "2"), "p", "q")
	wantTold(t, b, "p", "c", "waits")
	wantTold(t, b, "q", "c")
	wantState(t, b, "waits", pool.Holding)
	wantState(t, b, "c", pool.Holding)
	if changed := b.Open(newPool("r", "1", "2"), []*pool.ResourcePoolClaim{newClaim("c", "r", "1")}); !slices.Equal(changed, []string{"q"}) {
		t.Errorf("opening a pool with a claim that another one knows changes %v", changed)
	}
}

func TestUse(t *testing.T) {
	b := book.New()
	b.Open(newPool("p", "1", "3"), nil)
	for _, c := range []string{"1", "2", "3"} {
		set(t, b, "p", newClaim(c, "p", "1"), "p")
	}
	used := func(pods string, changed, inUse string) {
		t.Helper()
		var names []string
		for _, n := range b.SetUsed("p", "a", corev1.ResourceList{"pods": resource.MustParse(pods)}) {
			names = append(names, n.Name)
		}
		var are []string
		for _, c := range []string{"1", "2", "3"} {
			if _, inUse, _ := b.Decision(name(c)); inUse != nil && *inUse {
				are = append(are, c)
			}
		}
		if strings.Join(names, " ") != changed || strings.Join(are, " ") != inUse {
			t.Errorf("%s used: %v changed, %v in use", pods, names, are)
		}
	}
	used("3", "1 2 3", "") // Nothing is recorded yet, and nothing is told.
	wantTold(t, b, "p", "1", "2", "3")
	used("2", "1 2", "1 2")
	used("2", "", "1 2")
	used("0", "1 2", "")
}

// A pool that is opened again by what was read before a claim was assigned to another pool does not take the claim from that.
func TestOpenByOldClaims(t *testing.T) {
	b := book.New()
	p, q := newPool("p", "1", "3"), newPool("q", "1", "3")
	old := newClaim("c", "p", "2")
	b.Open(p, []*pool.ResourcePoolClaim{old})
	b.Open(q, nil)
	wantTold(t, b, "p", "c")
	moved := edited(old, "2")
	moved.Spec.Pool = "q"
	set(t, b, "q", moved, "p", "q")
	wantTold(t, b, "q", "c")
	wantState(t, b, "c", pool.Holding)
	if changed := b.Open(p, []*pool.ResourcePoolClaim{old}); len(changed) != 0 {
		t.Errorf("changes %v", changed)
	}
	wantTold(t, b, "p")
	wantState(t, b, "c", pool.Holding)
	// A claim of the same name that is another one, and a version that is as new, are taken.
	other := newClaim("c", "p", "1")
	other.UID = "2"
	if changed := b.Open(p, []*pool.ResourcePoolClaim{other}); !slices.Equal(changed, []string{"q"}) {
		t.Errorf("changes %v, want q", changed)
	}
}

// A claim in use asks for another pool. If it is then edited to more than the pool has, it loses what it has, and leaves the pool.
// Its status is stale until that is written, so the status does not count in the next edit.
func TestEditsOfAClaimThatHasLeft(t *testing.T) {
	b := book.New()
	p := newPool("p", "1", "6")
	b.Open(p, nil)
	c := newClaim("c", "p", "3")
	set(t, b, "p", c, "p")
	set(t, b, "p", newClaim("d", "p", "3"), "p")
	set(t, b, "p", newClaim("waits", "p", "3"), "p")
	wantTold(t, b, "p", "c", "d", "waits")
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, time.Unix(1e9, 0), pool.Options{})
	pool.ApplyUse(c, true, time.Unix(1e9, 0))
	asks := edited(c, "3")
	asks.Spec.Pool = "q"
	set(t, b, "p", asks, "p")
	larger := edited(asks, "9")
	set(t, b, "p", larger, "p")
	wantTold(t, b, "p", "c", "waits")
	wantState(t, b, "c", pool.Released)
	set(t, b, "p", edited(larger, "1"), "p")
	wantTold(t, b, "p", "c")
	wantState(t, b, "c", pool.Released)
	for _, claim := range []string{"d", "waits"} {
		wantState(t, b, claim, pool.Holding)
	}
	if recorded := draft(t, b, "p").Status.Claims["a"]; len(recorded) != 2 {
		t.Errorf("recorded %v", recorded)
	}
}

// What is granted and not recorded yet does not count when the pool gets another size: the pool is closed.
func TestSmallerPoolBeforeTheRecord(t *testing.T) {
	b := book.New()
	p := newPool("p", "1", "4")
	b.Open(p, nil)
	has, late := newClaim("has", "p", "3"), newClaim("late", "p", "1")
	set(t, b, "p", has, "p")
	p.Status = draft(t, b, "p").Status
	wantTold(t, b, "p", "has")
	larger, smaller := newPool("p", "1", "5"), newPool("p", "1", "3")
	larger.Generation, smaller.Generation = 2, 3
	if !b.SetPool(larger) {
		t.Error("closed, although all is recorded")
	}
	set(t, b, "p", late, "p")
	if !b.SetPool(larger) {
		t.Error("closed by the same version")
	}
	if other := newPool("p", "2", "9"); b.SetPool(other) || !b.IsOpen(p) {
		t.Error("another pool of the name counts")
	}
	if b.SetPool(smaller) || b.IsOpen(p) || b.SetPool(smaller) {
		t.Error("open after a change of its size")
	}
	smaller.Status = p.Status
	b.Open(smaller, []*pool.ResourcePoolClaim{has, late})
	wantTold(t, b, "p", "has", "late")
	wantState(t, b, "has", pool.Holding)
	wantState(t, b, "late", pool.PoolExhausted)
}

// A claim that has left its pool is known, and one of no pool is not.
func TestKnown(t *testing.T) {
	b := book.New()
	p := newPool("p", "1", "3")
	b.Open(p, nil)
	c := newClaim("c", "p", "3")
	set(t, b, "p", c, "p")
	wantTold(t, b, "p", "c")
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, time.Unix(1e9, 0), pool.Options{})
	pool.ApplyUse(c, true, time.Unix(1e9, 0))
	asks := edited(c, "3")
	asks.Spec.Pool = "q"
	set(t, b, "p", asks, "p")
	set(t, b, "p", edited(asks, "9"), "p")
	if _, _, known := b.Decision(name("c")); known {
		t.Error("known before it is recorded")
	}
	wantTold(t, b, "p", "c")
	if d, _, known := b.Decision(name("c")); !known || d.Claim != name("c") || d.State != pool.Released {
		t.Errorf("%+v, %t", d, known)
	}
	if _, _, known := b.Decision(name("nobody")); known {
		t.Error("an unknown claim has a decision")
	}
}

// A draft has the decision on each claim of the pool.
func TestDecisionsOfDraft(t *testing.T) {
	b := book.New()
	b.Open(newPool("p", "1", "3"), nil)
	set(t, b, "p", newClaim("has", "p", "2"), "p")
	set(t, b, "p", newClaim("waits", "p", "2"), "p")
	var got []string
	for _, d := range draft(t, b, "p").Decisions {
		got = append(got, d.Claim.Name+" "+string(d.State))
	}
	if want := []string{"has " + string(pool.Holding), "waits " + string(pool.PoolExhausted)}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A record with another UID is that of another claim; one without a UID may be of any of the name.
func TestAdmitsByUID(t *testing.T) {
	for _, test := range []struct {
		recorded, of types.UID
		admits       bool
	}{{"1", "1", false}, {"1", "2", true}, {"", "1", false}, {"1", "", false}, {"", "", false}} {
		b := book.New()
		p := newPool("p", "1", "3")
		p.Status.Claims = map[string][]pool.RecordedClaim{"a": {{Name: "c", UID: test.recorded, Claims: corev1.ResourceList{"pods": resource.MustParse("1")}}}}
		b.Open(p, nil)
		c := newClaim("c", "p", "1")
		c.UID = test.of
		if got := b.Admits("p", c); got != test.admits {
			t.Errorf("%q beside the record of %q: %t", test.of, test.recorded, got)
		}
	}
}

// The usage of one namespace says nothing of the claims of another.
func TestUseOfNamespaces(t *testing.T) {
	b := book.New()
	b.Open(newPool("p", "1", "3"), nil)
	other := newClaim("c", "p", "1")
	other.Namespace, other.UID = "b", "other"
	set(t, b, "p", newClaim("c", "p", "1"), "p")
	set(t, b, "p", other, "p")
	wantTold(t, b, "p", "c", "c")
	if got := b.SetUsed("p", "b", corev1.ResourceList{"pods": resource.MustParse("1")}); len(got) != 1 || got[0].Namespace != "b" {
		t.Errorf("%v", got)
	}
	if _, inUse, _ := b.Decision(name("c")); inUse != nil {
		t.Errorf("the claim of namespace a is in use: %v", *inUse)
	}
	if claimed, recorded := b.Claimed("p", "b"); !recorded || claimed.Pods().Value() != 1 {
		t.Errorf("%v, %t", claimed, recorded)
	}
	if _, recorded := b.Claimed("q", "b"); recorded {
		t.Error("a pool that is not open has recorded something")
	}
}

// A claim that came before its pool was open is told once.
func TestEarlyClaimsAreToldOnce(t *testing.T) {
	b := book.New()
	set(t, b, "p", newClaim("early", "p", "1"))
	b.Open(newPool("p", "1", "2"), nil)
	wantTold(t, b, "p", "early")
	wantTold(t, b, "p")
}
