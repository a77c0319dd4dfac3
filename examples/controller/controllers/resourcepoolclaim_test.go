package controllers

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"

	"github.com/kubemath/kubemath/pool"
)

func TestClaimsAreGranted(t *testing.T) {
	w := sun(t)
	w.wantQuota("a", "0")
	w.wantQuota("other", "")
	w.create(newClaim("a", "first", "p", "2"))
	w.create(newClaim("b", "large", "p", "2"))
	w.create(newClaim("b", "small", "p", "1"))
	w.wantHolding("a", "first", "p")
	w.wantUse("a", "first", "Unused")
	w.wantClaim("b", "large", "p", "PoolExhausted", "requested: pods=2, available: pods=0")
	w.wantUse("b", "large", "Failed")
	w.wantHolding("b", "small", "p")
	w.wantQuota("a", "2")
	w.wantQuota("b", "1")

	p := &pool.ResourcePool{}
	w.must(w.Get(t.Context(), types.NamespacedName{Name: "p"}, p))
	s := p.Status
	available, asked := s.Allocation.Available["pods"], s.Exhaustions["pods"].Requesting
	if s.ClaimCount != 2 || s.NamespaceCount != 2 || available.Value() != 0 || asked.Value() != 2 || s.ObservedGeneration != 1 {
		t.Errorf("%+v", s)
	}
	if len(s.Claims["b"]) != 1 || s.Claims["b"][0].Namespace != "b" || s.Claims["b"][0].UID != "uid of small" {
		t.Errorf("recorded %+v", s.Claims)
	}
	if len(s.Conditions) != 2 || s.Conditions[0].Type != "Ready" || s.Conditions[1].Type != "Exhausted" || s.Conditions[1].Status != "True" {
		t.Errorf("conditions %+v", s.Conditions)
	}
}

// A decision is recorded before it is published: the claim's status names the pool, the pool
// records the claim's resources, and only then are the claim's conditions and the quota of its
// namespace written. Before the first raise, a process marks the quotas of the pool.
func TestOrderOfWrites(t *testing.T) {
	w := sun(t)
	w.writes = nil
	w.create(newClaim("a", "c", "p", "2"))
	want := []string{"status claim", "status pool", "status claim", "update quota", "update quota", "update quota"}
	if !slices.Equal(w.writes, want) {
		t.Errorf("%v, want %v", w.writes, want)
	}
	w.writes = nil
	w.create(newClaim("b", "d", "p", "1"))
	want = []string{"status claim", "status pool", "status claim", "update quota"}
	if !slices.Equal(w.writes, want) {
		t.Errorf("%v, want %v", w.writes, want)
	}
}

func TestRefusedClaims(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "lost", "q", "1"))
	w.create(newClaim("other", "outside", "p", "1"))
	w.create(newClaim("other", "nowhere", "", "1"))
	wrong := newClaim("a", "wrong", "p", "1")
	wrong.Spec.Claim = corev1.ResourceList{"services": resource.MustParse("1")}
	w.create(wrong)
	w.wantClaim("a", "lost", "", "Failed", `ResourcePool.capsule.clastix.io "q" not found`)
	w.wantClaim("other", "outside", "", "Failed", "resourcepool not available")
	w.wantClaim("other", "nowhere", "", "Failed", "no pool reference was defined")
	w.wantClaim("a", "wrong", "", "Failed", "resource services is not available in pool p")

	// When such a pool appears, the claim is reconciled again.
	w.create(newPool("q", "sun", "1"))
	w.wantHolding("a", "lost", "q")
	w.create(newPool("r", "moon", "1"))
	w.wantHolding("other", "nowhere", "r")
}

func TestAssignment(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "any", "", "1"))
	w.wantHolding("a", "any", "p")
	if named := w.claim("a", "any").Spec.Pool; named != "p" {
		t.Errorf("the claim names %q", named)
	}
}

// The usage of the quota says which claims are in use: the oldest ones that it needs.
func TestUse(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "1", "p", "1"))
	w.create(newClaim("a", "2", "p", "1"))
	w.create(newClaim("b", "3", "p", "1"))
	w.use("a", "1")
	w.wantUse("a", "1", "InUse")
	w.wantUse("a", "2", "Unused")
	w.wantUse("b", "3", "Unused")
	w.use("a", "2")
	w.wantUse("a", "2", "InUse")
	w.use("a", "0")
	w.wantUse("a", "1", "Unused")
	w.wantUse("a", "2", "Unused")

	// A restart does not change it.
	w.use("b", "1")
	w.restart()
	w.settle()
	w.wantUse("a", "1", "Unused")
	w.wantUse("b", "3", "InUse")
}

// A claim that is holding but unused may be edited: it gets what the pool can give, and otherwise
// waits again.
func TestEditedClaim(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "c", "p", "1"))
	w.create(newClaim("b", "next", "p", "2"))
	w.edit("b", "next", "1")
	w.wantHolding("b", "next", "p")
	w.wantQuota("b", "1")
	w.edit("a", "c", "2")
	w.wantHolding("a", "c", "p")
	w.wantQuota("a", "2")

	w.create(newClaim("b", "waits", "p", "2"))
	w.edit("a", "c", "4")
	w.wantClaim("a", "c", "p", "PoolExhausted", "requested: pods=4, available: pods=0")
	w.wantUse("a", "c", "Failed")
	w.wantQuota("a", "0")
	w.wantHolding("b", "waits", "p")
	w.wantQuota("b", "3")
	p := &pool.ResourcePool{}
	w.must(w.Get(t.Context(), types.NamespacedName{Name: "p"}, p))
	if len(p.Status.Claims["a"]) > 0 || len(p.Status.Claims["b"]) != 2 {
		t.Errorf("recorded %v", p.Status.Claims)
	}
}

// An edit is not recorded before it is decided.
func TestEditIsNotRecordedBeforeItIsDecided(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "c", "p", "1"))
	c := w.claim("a", "c")
	c.Generation, c.Spec.Claim["pods"] = 2, resource.MustParse("55")
	w.must(w.Update(t.Context(), c))
	if _, err := w.pools.Reconcile(t.Context(), requestFor("p")); err != nil {
		t.Fatal(err)
	}
	p := &pool.ResourcePool{}
	w.must(w.Get(t.Context(), types.NamespacedName{Name: "p"}, p))
	if holds := p.Status.Claims["a"][0].Claims.Pods().String(); holds != "1" {
		t.Errorf("recorded %s", holds)
	}
	w.settle()
	w.wantClaim("a", "c", "p", "PoolExhausted", "requested: pods=55, available: pods=3")
}

// A claim that is not in use may move to another pool. The old pool no longer records it.
func TestMovedClaim(t *testing.T) {
	w := sun(t, newPool("q", "sun", "3"))
	w.create(newClaim("a", "c", "p", "3"))
	w.create(newClaim("b", "waits", "p", "3"))
	move := func(to string) {
		c := w.claim("a", "c")
		c.Generation++
		c.Spec.Pool = to
		w.must(w.Update(t.Context(), c))
		w.settle()
	}
	move("q")
	w.wantHolding("a", "c", "q")
	w.wantHolding("b", "waits", "p")
	w.wantQuota("a", "0")
	move("p")
	w.wantClaim("a", "c", "p", "PoolExhausted", "requested: pods=3, available: pods=0")
	move("none")
	w.wantClaim("a", "c", "", "Failed", `ResourcePool.capsule.clastix.io "none" not found`)
}

// A claim that is in use moves to the pool that it has asked for when it is edited to more than its pool has: it holds nothing
// then, and a claim that waits is granted what it had.
func TestMovedClaimInUse(t *testing.T) {
	w := sun(t, newPool("q", "sun", "9"))
	w.create(newClaim("a", "c", "p", "3"))
	w.create(newClaim("b", "waits", "p", "3"))
	w.use("a", "3")
	w.wantUse("a", "c", "InUse")
	edit := func(pods string) {
		c := w.claim("a", "c")
		c.Generation++
		c.Spec.Pool, c.Spec.Claim["pods"] = "q", resource.MustParse(pods)
		w.must(w.Update(t.Context(), c))
	}
	edit("3")
	w.settle()
	w.wantHolding("a", "c", "p")
	edit("5")
	w.settle()
	w.wantHolding("b", "waits", "p")
	w.wantHolding("a", "c", "q")
	edit("4") // Now it is a claim of its new pool.
	w.settle()
	w.wantHolding("a", "c", "q")
}

// A release makes room for claims that wait, and then for the claim itself.
func TestRelease(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	w.use("a", "3")
	release := func(name string) {
		claim := w.claim("a", name)
		claim.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		w.must(w.Update(t.Context(), claim))
		w.settle()
		if w.claim("a", name).Released() {
			t.Errorf("%s still asks to be released", name)
		}
	}
	release("has")
	w.wantHolding("b", "waits", "p")
	w.wantClaim("a", "has", "p", "PoolExhausted", "requested: pods=3, available: pods=1")
	w.wantQuota("a", "0")
	w.wantQuota("b", "0") // The pods in a still run.
	w.use("a", "1")
	w.wantQuota("b", "2")

	w.create(newClaim("a", "alone", "p", "1"))
	release("alone")
	w.wantHolding("a", "alone", "p")
	w.wantQuota("a", "1")
}

// A release that was asked for while a claim held nothing does not take what it is granted later, wherever the process is killed.
func TestReleaseOfAClaimThatWaits(t *testing.T) {
	held := 0
	for kill := range 10 {
		w := sun(t)
		w.killIn = kill
		claim := newClaim("a", "asks", "p", "3")
		claim.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		w.create(claim)
		if w.claim("a", "asks").Holding() {
			held++
		}
		w.restart()
		recorder := events.NewFakeRecorder(100)
		w.claims.Recorder = recorder
		w.settle()
		w.wantHolding("a", "asks", "p")
		if w.claim("a", "asks").Released() {
			t.Errorf("killed at write %d: still asks to be released", kill)
		}
		close(recorder.Events)
		for event := range recorder.Events {
			if strings.Contains(event, "Released") {
				t.Errorf("killed at write %d: %s", kill, event)
			}
		}
	}
	if held < 3 {
		t.Errorf("the claim held something %d times", held)
	}
}

func TestDeletedClaim(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	w.must(w.Delete(t.Context(), w.claim("a", "has")))
	w.add(w.claims, types.NamespacedName{Namespace: "a", Name: "has"})
	w.settle()
	w.wantHolding("b", "waits", "p")
	w.wantQuota("a", "0")
}

// A stale version of a claim causes no decision.
func TestStaleRelease(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	old := w.claim("a", "has")
	old.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	newer := w.claim("a", "has")
	newer.Labels = map[string]string{"newer": "yes"}
	w.must(w.Update(t.Context(), newer))
	pools, err := listPools(t.Context(), w)
	w.must(err)
	if err := w.claims.reconcile(t.Context(), old, newNamespace("a", "sun"), pools); !apierrors.IsConflict(err) {
		t.Errorf("%v", err)
	}
	w.settle()
	w.wantHolding("a", "has", "p")
}

// Events say what was decided, once, and not each time that a message changes.
func TestEvents(t *testing.T) {
	w := sun(t)
	recorder := events.NewFakeRecorder(100)
	w.claims.Recorder = recorder
	w.create(newClaim("a", "has", "p", "2"))
	w.create(newClaim("b", "waits", "p", "3"))
	w.edit("a", "has", "1")
	w.create(newClaim("b", "lost", "q", "3"))
	claim := w.claim("a", "has")
	claim.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	w.must(w.Update(t.Context(), claim))
	w.settle()
	close(recorder.Events)
	var got []string
	for event := range recorder.Events {
		got = append(got, event)
	}
	want := []string{
		"Normal Bound resource claimable from pool",
		"Warning PoolExhausted requested: pods=3, available: pods=1",
		`Warning Failed ResourcePool.capsule.clastix.io "q" not found`,
		"Normal Released Gave back what it had of resourcepool p",
		"Normal Bound resource claimable from pool",
		"Warning PoolExhausted requested: pods=1, available: pods=0",
	}
	slices.Sort(got[4:])
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A claim may outlive its namespace for a moment.
func TestClaimWithoutNamespace(t *testing.T) {
	w := sun(t)
	w.create(newClaim("gone", "c", "p", "1"))
	w.wantClaim("gone", "c", "", "Failed", "resourcepool not available")
}
