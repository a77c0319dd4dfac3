package controllers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

// The controller is killed repeatedly during a thousand events: before a write, after it, or
// between two calls. Its grants survive, and once no work is left, the book of the new process
// equals that of the old one.
func TestKilledInTheMiddleOfAThousandEvents(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := randomWorld(t, seed)
			kills, held := 0, 0
			for number := range 1000 {
				w.happen(number)
				switch w.random.IntN(8) {
				case 0: // The next event comes before this one is looked at.
				case 1, 2:
					w.killIn = 1 + w.random.IntN(5)
				default:
					w.settle()
					continue
				}
				w.settle()
				if !w.killed {
					w.killIn = 0
					continue
				}
				kills++
				before := w.holdings()
				held += len(before)
				w.restart()
				w.settle()
				w.wantHeld(before)
				w.wantSameBookAfterRestart()
			}
			w.settle()
			w.wantAllocated("p")
			w.wantAllocated("q")
			if kills < 30 || held < kills { // some 60, which vary from run to run
				t.Errorf("only %d kills, with %d claims that held something", kills, held)
			}
		})
	}
}

// holdings returns what each claim is recorded to hold, by what is stored.
func (w *world) holdings() map[types.NamespacedName]corev1.ResourceList {
	w.Helper()
	claims, err := listClaims(w.Context(), w)
	w.must(err)
	pools, err := listPools(w.Context(), w)
	w.must(err)
	held := map[types.NamespacedName]corev1.ResourceList{}
	for _, p := range pools {
		record := pool.RecordOf(p)
		for _, claim := range claims {
			namespace, err := namespaceOf(w.Context(), w, claim.Namespace)
			w.must(err)
			holds, is := record.Holds(claim)
			// Events that are not processed yet may take resources from a claim: an edit, a
			// release, a namespace that the pool no longer selects.
			if is && equality.Semantic.DeepEqual(holds, claim.Spec.Claim) && !claim.Released() && selects(p, namespace) {
				held[claim.Key()] = holds
			}
		}
	}
	return held
}

func (w *world) wantHeld(before map[types.NamespacedName]corev1.ResourceList) {
	w.Helper()
	after := w.holdings()
	for name, holds := range before {
		if !equality.Semantic.DeepEqual(holds, after[name]) || !w.claim(name.Namespace, name.Name).Holding() {
			w.Errorf("%s held %v, and holds %v after a restart", name, holds, after[name])
		}
	}
}

// wantSameBookAfterRestart checks that a new process builds the same book, and has nothing to
// write.
func (w *world) wantSameBookAfterRestart() {
	w.Helper()
	before := w.dump()
	w.writes = nil
	w.restart()
	w.settle()
	if after := w.dump(); after != before {
		w.Errorf("the book after a restart:\n%s\nbefore:\n%s", after, before)
	}
	if len(w.writes) > 0 {
		w.Errorf("writes after a restart: %v", w.writes)
	}
}

// dump returns all that the book answers: its drafts and decisions, and what namespaces have.
func (w *world) dump() string {
	w.Helper()
	var text strings.Builder
	for _, name := range []string{"p", "q"} {
		draft, recorded, open := w.book.Draft(name, []string{"a", "b", "c"}, time.Unix(1e9, 0))
		fmt.Fprintln(&text, name, open, recorded.ClaimCount, draft.Status.ClaimCount, amounts(draft.Status.Allocation.Available))
		for _, namespace := range []string{"a", "b", "c"} {
			claimed, known := w.book.Claimed(name, namespace)
			fmt.Fprintln(&text, namespace, amounts(claimed), known)
			for _, claim := range draft.Status.Claims[namespace] {
				fmt.Fprintln(&text, claim.Name, claim.UID, amounts(claim.Claims))
			}
		}
		for _, d := range draft.Decisions {
			is, use, known := w.book.Decision(d.Claim)
			fmt.Fprintln(&text, d.Claim, d.State, d.Message(), is.State, is.Message(), use != nil, use != nil && *use, known)
		}
	}
	return text.String()
}

func amounts(list corev1.ResourceList) string {
	var all []string
	for name, q := range list {
		all = append(all, fmt.Sprintf("%s=%d", name, q.Value()))
	}
	slices.SortFunc(all, cmp.Compare)
	return strings.Join(all, ",")
}

// After a restart, holding claims keep holding, and nothing is written twice.
func TestRestart(t *testing.T) {
	w := sun(t)
	w.create(newClaim("b", "z-has", "p", "3"))
	w.create(newClaim("a", "a-waits", "p", "3"))
	w.restart()
	// As long as the pool is not open, its quotas stay.
	request := requestFor("p")
	request.Namespace = "b"
	if _, err := w.quotas.Reconcile(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	w.wantQuota("b", "3")
	w.settle()
	w.wantHolding("b", "z-has", "p")
	w.wantClaim("a", "a-waits", "p", "PoolExhausted", "requested: pods=3, available: pods=0")
	w.wantQuota("b", "3")
	w.wantSameBookAfterRestart()
}

// While the record of a pool cannot be written, its decisions are not published.
func TestDecisionsArePublishedOnceRecorded(t *testing.T) {
	w := sun(t)
	w.must(w.Create(t.Context(), newClaim("a", "c", "p", "2")))
	claim := requestFor("c")
	claim.Namespace = "a"
	for range 2 { // is assigned, and taken into the book
		_, err := w.claims.Reconcile(t.Context(), claim)
		w.must(err)
	}
	w.killIn = 1
	if _, err := w.pools.Reconcile(t.Context(), requestFor("p")); !errors.Is(err, errKilled) {
		t.Fatalf("%v", err)
	}
	w.killed, w.queue = false, nil
	_, err := w.claims.Reconcile(t.Context(), claim)
	w.must(err)
	quota := requestFor("p")
	quota.Namespace = "a"
	_, err = w.quotas.Reconcile(t.Context(), quota)
	w.must(err)
	if w.claim("a", "c").Holding() || len(w.queue) > 0 {
		t.Errorf("told %+v, and %v are to be told", w.claim("a", "c").Status, w.queue)
	}
	w.wantQuota("a", "0")
	w.add(w.pools, requestFor("p").NamespacedName)
	w.settle()
	w.wantHolding("a", "c", "p")
	w.wantQuota("a", "2")
}

// A claim that is released while its pool still records what it had does not get it back.
func TestKilledAfterARelease(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	claim := w.claim("a", "has")
	claim.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	w.must(w.Update(t.Context(), claim))
	w.killIn = 3 // the status, the annotation, and the record of the pool
	w.settle()
	if !w.killed || w.claim("a", "has").Released() {
		t.Fatalf("killed %t", w.killed)
	}
	w.restart()
	w.random = nil
	// The claim is looked at before the pool is opened.
	for _, name := range []string{"has", "has"} {
		w.add(w.claims, types.NamespacedName{Namespace: "a", Name: name})
	}
	slices.Reverse(w.queue)
	w.settle()
	w.wantHolding("b", "waits", "p")
	w.wantClaim("a", "has", "p", "PoolExhausted", "requested: pods=3, available: pods=1")
}

// A claim does not lose its record if the cache does not yet have its assignment to the pool, or the edit after which it was
// recorded: the pool is not opened until the cache does.
func TestOpeningWaitsForTheCache(t *testing.T) {
	for what, age := range map[string]func(*pool.ResourcePoolClaim){
		"assignment": func(claim *pool.ResourcePoolClaim) { claim.Status = pool.ResourcePoolClaimStatus{} },
		"edit": func(claim *pool.ResourcePoolClaim) {
			claim.Generation = 1
			claim.Spec.Claim = corev1.ResourceList{"pods": resource.MustParse("4")}
		},
	} {
		w := sun(t)
		w.create(newClaim("a", "has", "p", "4"))
		w.edit("a", "has", "3")
		w.create(newClaim("b", "waits", "p", "2"))
		behind := true
		w.process = interceptor.NewClient(w.process, interceptor.Funcs{
			List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
				if err := c.List(ctx, list, opts...); err != nil || !behind {
					return err
				}
				if claims, is := list.(*pool.ResourcePoolClaimList); is {
					for _, claim := range computeresources.Pointers(claims.Items) {
						if claim.Name == "has" {
							age(claim)
						}
					}
				}
				return nil
			},
		})
		w.restart()
		result, err := w.pools.Reconcile(t.Context(), requestFor("p"))
		if err != nil || result.RequeueAfter == 0 || w.book.IsOpen(newPool("p", "sun", "3")) {
			t.Errorf("opened with a cache that lacks the %s: %v, %v", what, result, err)
		}
		behind = false
		w.settle()
		w.wantHolding("a", "has", "p")
		w.wantClaim("b", "waits", "p", "PoolExhausted", "requested: pods=2, available: pods=0")
	}
}

// Claims are listed after the record was read, which may take long.
func TestOpeningListsClaimsLast(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.restart()
	w.pools.Reader = interceptor.NewClient(w.WithWatch, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
			if _, is := object.(*pool.ResourcePool); is {
				w.must(client.IgnoreNotFound(w.Delete(ctx, newClaim("a", "has", "p", "3"))))
			}
			return c.Get(ctx, key, object, opts...)
		},
	})
	if _, err := w.pools.Reconcile(t.Context(), requestFor("p")); err != nil || !w.book.IsOpen(newPool("p", "sun", "3")) {
		t.Fatal(err)
	}
	p := &pool.ResourcePool{}
	w.must(w.Get(t.Context(), types.NamespacedName{Name: "p"}, p))
	if p.Status.ClaimCount != 0 {
		t.Errorf("a claim that was deleted while the record was read is recorded: %+v", p.Status.Claims)
	}
}

// A conflict of the record: if the API server still has what was recorded last, the record is
// written to the newer version; if another writer has changed the record, the pool is reopened.
func TestConflictOfTheRecord(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "first", "p", "1"))
	stored := func() *pool.ResourcePool {
		p := &pool.ResourcePool{}
		w.must(w.Get(t.Context(), types.NamespacedName{Name: "p"}, p))
		return p
	}
	cached := stored()
	newer := stored()
	newer.Labels = map[string]string{"newer": "yes"}
	w.must(w.Update(t.Context(), newer))
	recorded, status := stored().Status, stored().Status
	status.NamespaceCount = 7
	if err := w.pools.write(t.Context(), cached, recorded, status); err != nil || stored().Status.NamespaceCount != 7 {
		t.Errorf("%v, %d namespaces", err, stored().Status.NamespaceCount)
	}
	if cached.Status.NamespaceCount != recorded.NamespaceCount {
		t.Errorf("the object of the cache was written to: %d namespaces", cached.Status.NamespaceCount)
	}
	// Somebody else has changed one thing.
	w.book.Open(stored(), []*pool.ResourcePoolClaim{w.claim("a", "first")})
	if err := w.pools.write(t.Context(), cached, recorded, recorded); err != nil || !w.book.IsOpen(cached) {
		t.Errorf("%v, although nothing is to be written", err)
	}
	status.NamespaceCount = 8
	if err := w.pools.write(t.Context(), cached, recorded, status); !apierrors.IsConflict(err) || w.book.IsOpen(cached) {
		t.Errorf("%v; the pool is open: %t", err, w.book.IsOpen(cached))
	}
	status.NamespaceCount = 7

	// Another leader has granted a claim that this one does not know as holding.
	w.must(w.pools.write(t.Context(), stored(), status, recorded))
	other := book.New()
	other.Open(stored(), []*pool.ResourcePoolClaim{w.claim("a", "first")})
	theirs := newClaim("b", "theirs", "p", "2")
	w.must(w.Create(t.Context(), theirs))
	pool.ApplyAssignment(theirs, stored(), w.claims.Now(), pool.Options{})
	w.must(w.Status().Update(t.Context(), theirs))
	if _, err := other.SetClaim("p", theirs); err != nil {
		t.Fatal(err)
	}
	draft, _, _ := other.Draft("p", []string{"a", "b"}, w.claims.Now())
	p := stored()
	p.Status = draft.Status
	cached = stored()
	w.must(w.Status().Update(t.Context(), p))
	status.NamespaceCount = 8
	for what, p := range map[string]*pool.ResourcePool{"does not know it": cached, "knows it": stored()} {
		w.book.Open(cached, []*pool.ResourcePoolClaim{w.claim("a", "first")})
		if err := w.pools.write(t.Context(), p, recorded, status); !apierrors.IsConflict(err) || w.book.IsOpen(p) {
			t.Errorf("the cache %s: %v; the pool is open: %t", what, err, w.book.IsOpen(p))
		}
	}
	w.poolChanged("p")
	w.settle()
	w.wantHolding("b", "theirs", "p")
	w.wantHolding("a", "first", "p")
	w.wantSameBookAfterRestart()
}

// A pool that was made smaller while a grant was to be recorded does not record it.
func TestConflictOfTheRecordWithASmallerPool(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "first", "p", "2"))
	cached := &pool.ResourcePool{}
	w.must(w.Get(t.Context(), types.NamespacedName{Name: "p"}, cached))
	late := newClaim("b", "late", "p", "1")
	w.must(w.Create(t.Context(), late))
	pool.ApplyAssignment(late, cached, w.claims.Now(), pool.Options{})
	w.must(w.Status().Update(t.Context(), late))
	if _, err := w.book.SetClaim("p", late); err != nil {
		t.Fatal(err)
	}
	smaller := cached.DeepCopy()
	smaller.Spec.Quota.Hard["pods"] = resource.MustParse("2")
	smaller.Generation++
	w.must(w.Update(t.Context(), smaller))
	if _, err := w.pools.record(t.Context(), cached, []string{"a", "b"}); !apierrors.IsConflict(err) {
		t.Errorf("%v, want a conflict", err)
	}
	w.poolChanged("p")
	w.settle()
	w.wantHolding("a", "first", "p")
	w.wantClaim("b", "late", "p", "PoolExhausted", "requested: pods=1, available: pods=0")
}
