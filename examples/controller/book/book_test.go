package book_test

import (
	"errors"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

func newPool(name, uid, pods string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name, p.UID, p.Generation = name, types.UID(uid), 1
	p.Spec.Quota.Hard = corev1.ResourceList{"pods": resource.MustParse(pods)}
	return p
}

func newClaim(name, poolName, pods string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name, c.UID, c.Generation = "a", name, types.UID("uid of "+name), 1
	c.Spec.Pool = poolName
	c.Spec.Claim = corev1.ResourceList{"pods": resource.MustParse(pods)}
	return c
}

func bound(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	c = c.DeepCopy()
	c.Status.Pool.Name = c.Spec.Pool
	c.Status.Condition = pool.Decision{State: pool.Bound}.Condition(pool.Options{API: pool.Documented})
	return c
}

func name(of string) types.NamespacedName { return types.NamespacedName{Namespace: "a", Name: of} }

// wantState checks what is decided on a claim; "" is nothing.
func wantState(t *testing.T, b *book.Book, claim string, want pool.State) {
	t.Helper()
	if d, _ := b.Decision(name(claim)); d.State != want {
		t.Errorf("%s: %q %s, want %q", claim, d.State, d.Message(), want)
	}
}

// wantChanges checks that one pool changed, and for which claims.
func wantChanges(t *testing.T, got []book.Change, poolName string, claims ...string) {
	t.Helper()
	var names []types.NamespacedName
	for _, c := range claims {
		names = append(names, name(c))
	}
	if len(got) != 1 || got[0].Pool != poolName || !slices.Equal(got[0].Claims, names) {
		t.Errorf("changes %v, want %s %v", got, poolName, names)
	}
}

func set(t *testing.T, b *book.Book, poolName string, c *pool.ResourcePoolClaim) []book.Change {
	t.Helper()
	changes, err := b.SetClaim(poolName, c)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// What is bound is believed when a pool is opened, and only then.
func TestOpening(t *testing.T) {
	b := book.New()
	if changes := set(t, b, "p", newClaim("early", "p", "1")); changes != nil || b.Allocation("p") != nil {
		t.Errorf("a pool that is not open changed: %v", changes)
	}
	wantState(t, b, "early", "")
	if _, open := b.Claimed("p", "a"); open {
		t.Error("the pool is open")
	}
	changes := b.SetPool(newPool("p", "1", "3"), []*pool.ResourcePoolClaim{newClaim("early", "p", "2"), bound(newClaim("has", "p", "2"))})
	wantChanges(t, changes, "p", "early", "has")
	wantState(t, b, "has", pool.Bound)
	wantState(t, b, "early", pool.PoolExhausted)
	claimed, open := b.Claimed("p", "a")
	if pods := claimed["pods"]; !open || pods.Value() != 2 {
		t.Errorf("claimed %v", claimed)
	}

	wantChanges(t, set(t, b, "p", bound(newClaim("stale", "p", "2"))), "p", "stale")
	wantState(t, b, "stale", pool.PoolExhausted)
	if a := b.Allocation("p"); a.BoundClaims != 1 || len(a.Decisions) != 3 {
		t.Errorf("%+v", a)
	}
}

// A claim that came before its pool was opened has to come again.
func TestEarlyClaim(t *testing.T) {
	b := book.New()
	set(t, b, "p", newClaim("early", "p", "1"))
	set(t, b, "q", newClaim("other", "q", "1"))
	wantChanges(t, b.SetPool(newPool("p", "1", "3"), []*pool.ResourcePoolClaim{bound(newClaim("has", "p", "2"))}), "p", "has", "early")
	wantState(t, b, "early", "")
	wantChanges(t, b.SetPool(newPool("p", "2", "3"), nil), "p")
}

func TestPoolVersions(t *testing.T) {
	b := book.New()
	p := newPool("p", "1", "1")
	b.SetPool(p, []*pool.ResourcePoolClaim{newClaim("waits", "p", "2")})
	p.Spec.Quota.Hard["pods"] = resource.MustParse("2")
	if changes := b.SetPool(p, nil); changes != nil {
		t.Errorf("the same version changed %v", changes)
	}
	p.Generation = 2
	wantChanges(t, b.SetPool(p, nil), "p", "waits")
	wantState(t, b, "waits", pool.Bound)

	// Another pool of that name has claims of its own.
	wantChanges(t, b.SetPool(newPool("p", "2", "2"), nil), "p")
	wantState(t, b, "waits", "")
	b.ClosePool("p")
	if b.Allocation("p") != nil {
		t.Error("the pool is still open")
	}
}

func TestClaimVersions(t *testing.T) {
	b := book.New()
	b.SetPool(newPool("p", "1", "3"), nil)
	c := newClaim("c", "p", "3")
	wantChanges(t, set(t, b, "p", c), "p", "c")
	wantState(t, b, "c", pool.Bound)
	if changes := set(t, b, "p", bound(c)); changes != nil {
		t.Errorf("the same version changed %v", changes)
	}
	wantChanges(t, set(t, b, "p", newClaim("next", "p", "2")), "p", "next")

	// As long as nobody has been told that a claim is bound, it may change.
	c.Generation, c.Spec.Claim["pods"] = 2, resource.MustParse("1")
	changes := set(t, b, "p", c)
	if len(changes) != 2 {
		t.Errorf("changes %v", changes)
	}
	wantState(t, b, "c", pool.Bound)
	wantState(t, b, "next", pool.Bound)

	c.Generation, c.Spec.Claim["pods"] = 3, resource.MustParse("2")
	_, err := b.SetClaim("p", bound(c))
	if immutable := (*allocator.ImmutableError)(nil); !errors.As(err, &immutable) || immutable.Claim != name("c") {
		t.Errorf("%v", err)
	}

	// A claim that waits changes in its place.
	waits := newClaim("waits", "p", "2")
	set(t, b, "p", waits)
	waits.Generation, waits.Spec.Claim["pods"] = 2, resource.MustParse("0")
	wantChanges(t, set(t, b, "p", waits), "p", "waits")
	wantState(t, b, "waits", pool.Bound)
}

func TestDeleteClaim(t *testing.T) {
	b := book.New()
	b.SetPool(newPool("p", "1", "2"), nil)
	set(t, b, "p", newClaim("has", "p", "2"))
	set(t, b, "p", newClaim("waits", "p", "1"))
	wantChanges(t, b.DeleteClaim(name("has")), "p", "waits", "has")
	wantState(t, b, "has", "")
	wantState(t, b, "waits", pool.Bound)
	if changes := b.DeleteClaim(name("has")); changes != nil {
		t.Errorf("twice: %v", changes)
	}
}

// A claim that turns to another pool gives back what it has.
func TestMove(t *testing.T) {
	b := book.New()
	b.SetPool(newPool("p", "1", "2"), nil)
	b.SetPool(newPool("q", "2", "2"), nil)
	set(t, b, "p", newClaim("c", "p", "2"))
	set(t, b, "p", newClaim("waits", "p", "2"))
	changes := set(t, b, "q", newClaim("c", "q", "2"))
	if len(changes) != 2 || changes[0].Pool != "p" || changes[1].Pool != "q" {
		t.Errorf("changes %v", changes)
	}
	wantState(t, b, "waits", pool.Bound)
	if a := b.Allocation("q"); a.BoundClaims != 1 {
		t.Errorf("%+v", a)
	}

	// One that waits leaves the queue.
	set(t, b, "p", newClaim("turns", "p", "1"))
	set(t, b, "q", newClaim("turns", "q", "1"))
	if p, q := b.Allocation("p"), b.Allocation("q"); len(p.Decisions) != 1 || len(q.Decisions) != 2 {
		t.Errorf("%d and %d claims", len(p.Decisions), len(q.Decisions))
	}
}
