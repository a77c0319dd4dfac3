package allocator_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/testkit/pooltest"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

var (
	midnight = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

	// states are all values of the enumeration.
	states = []pool.State{pool.Holding, pool.PoolExhausted, pool.QueueExhausted, pool.Invalid, pool.Released}
)

// events returns the number of random events of TestEventsEqualAllocate: the value of the environment
// variable KUBEMATH_EVENTS, or a number that is small enough for every run.
func events() int {
	if n, err := strconv.Atoi(os.Getenv("KUBEMATH_EVENTS")); err == nil {
		return n
	}
	if testing.Short() {
		return 2_000
	}
	return 8_000
}

// world is an allocator next to the objects of an API server. A controller allocates these anew
// after every event, and applies the whole result to them.
type world struct {
	*rand.Rand
	options pool.Options
	live    *allocator.Allocator
	pool    *pool.ResourcePool
	claims  map[types.NamespacedName]*pool.ResourcePoolClaim
	last    *pool.Allocation // of the controller
	serial  int
	seen    map[string]int
}

func newWorld(seed uint64, o pool.Options) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 21)), options: o, claims: map[types.NamespacedName]*pool.ResourcePoolClaim{}, seen: map[string]int{}}
	w.pool = newPool("sampler", w.amounts(12))
	w.pool.UID = "pool"
	w.pool.Spec.Config.OrderedQueue = seed%2 == 1
	w.live = allocator.New(w.pool, nil, o)
	w.reconcile()
	return w
}

// amounts draws a list of few resources with few different amounts, in many notations.
func (w *world) amounts(most int) corev1.ResourceList {
	list := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{"limits.cpu", "pods", "requests.memory", "requests.storage", "example.com/other"} {
		if w.IntN(5) > 2 || name == "example.com/other" && w.IntN(20) > 0 {
			continue
		}
		n := w.IntN(most)
		text := strconv.Itoa(n)
		switch w.IntN(12) {
		case 0:
			text += "e0"
		case 1:
			text += "000m"
		case 2:
			text += "500m"
		case 3:
			text = strconv.Itoa(n*1024) + "m"
		case 4:
			text = "1E3"
		case 5:
			text = "1Ki"
		case 6:
			text = "-1"
			if w.IntN(4) > 0 {
				text = "1.5Gi"
			}
		case 7:
			text = "9E"
		}
		list[name] = resource.MustParse(text)
	}
	return list
}

// update returns amounts that differ from a list: in one resource, which is added, changed or removed, or in all.
func (w *world) update(list corev1.ResourceList, most int) corev1.ResourceList {
	drawn := w.amounts(most)
	names := slices.Sorted(maps.Keys(drawn))
	if w.IntN(3) > 0 || len(names) == 0 {
		return drawn
	}
	changed := list.DeepCopy()
	if changed == nil {
		changed = corev1.ResourceList{}
	}
	if name := names[w.IntN(len(names))]; w.IntN(3) == 0 {
		delete(changed, name)
	} else {
		changed[name] = drawn[name]
	}
	return changed
}

// updateMeta changes what no decision depends on.
func (w *world) updateMeta(meta *metav1.ObjectMeta) {
	switch w.IntN(12) {
	case 0:
		meta.Labels = map[string]string{"team": "solar"}
	case 1:
		meta.Annotations = map[string]string{"team": "solar"}
	case 2:
		meta.DeletionTimestamp = &meta.CreationTimestamp
	}
}

func (w *world) list() (list []*pool.ResourcePoolClaim) {
	for _, c := range w.claims {
		list = append(list, c)
	}
	return list
}

// one returns the claim with a drawn name, or nil if it does not exist.
func (w *world) one() (types.NamespacedName, *pool.ResourcePoolClaim) {
	name := types.NamespacedName{Namespace: fmt.Sprint("ns-", w.IntN(3)), Name: fmt.Sprint("claim-", w.IntN(8))}
	return name, w.claims[name]
}

// reconcile allocates until nothing changes, and returns which claims were granted, in their order.
func (w *world) reconcile() (granted []types.NamespacedName) {
	for {
		list, before := w.list(), w.pool.Status.Claims
		a := pool.Allocate(w.pool, list, w.options)
		w.last = a
		changed := false
		for _, d := range a.Decisions {
			c := w.claims[d.Claim]
			switch {
			case d.State == pool.Holding && !c.Holding():
				granted = append(granted, d.Claim)
				changed = true
			case d.State == pool.Released:
				w.seen["Released"]++
				changed = true
			case d.State != pool.Holding && c.Holding():
				w.seen["evicted: "+string(d.State)]++
				changed = true
			}
		}
		a.Apply(w.pool, list, []string{"ns-0", "ns-1", "ns-2"}, midnight, w.options)
		if !changed && equality.Semantic.DeepEqual(before, w.pool.Status.Claims) {
			return granted
		}
	}
}

func (w *world) newcomer(name types.NamespacedName) *pool.ResourcePoolClaim {
	w.serial++
	c := newClaim(name.Namespace, name.Name, 0, w.amounts(5))
	c.UID = types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", w.serial, w.IntN(1000)))
	if w.IntN(9) == 0 {
		c.UID = types.UID(fmt.Sprint("uid-", w.serial))
	}
	c.CreationTimestamp = metav1.NewTime(midnight.Add(time.Duration(w.IntN(9)) * time.Second / 2))
	w.updateMeta(&c.ObjectMeta)
	switch w.IntN(12) {
	case 0:
		c.Spec.Pool = "other"
	case 1: // which has no effect on a claim that holds nothing
		c.Annotations = map[string]string{pool.ReleaseAnnotation: "True"}
	}
	return c
}

// event applies one random event. It returns the event, and the claims that the allocator and the
// controller grant because of it.
func (w *world) event() (what string, live, batch []types.NamespacedName) {
	name, old := w.one()
	draw := w.IntN(20)
	switch {
	case old == nil || draw == 0: // another claim of that name, if there was one
		c := w.newcomer(name)
		live, _ = w.live.Set(c)
		if old != nil {
			delete(w.claims, name)
			batch = w.reconcile()
		}
		if c.ClaimsFrom(w.pool) {
			w.claims[name] = c
		}
		return "create", live, append(batch, w.reconcile()...)
	case draw < 4:
		delete(w.claims, name)
		return "delete", w.live.Delete(name), w.reconcile()
	case draw < 11:
		return w.edit(name, old)
	case draw < 13:
		live = w.live.Release(name)
		if old.Holding() {
			old.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		}
		return "release", live, w.reconcile()
	case draw < 15:
		w.pool = w.pool.DeepCopy()
		w.pool.Spec.Quota.Hard = w.update(w.pool.Spec.Quota.Hard, 14)
		w.pool.Spec.Selectors = append(w.pool.Spec.Selectors[:0:0], metav1.LabelSelector{MatchLabels: map[string]string{"team": strconv.Itoa(w.IntN(9))}})
		w.updateMeta(&w.pool.ObjectMeta)
		if w.IntN(8) == 0 {
			w.pool.Spec.Config.OrderedQueue = !w.pool.Spec.Config.OrderedQueue
		}
		return "change the pool", w.live.SetPool(w.pool), w.reconcile()
	case draw < 16:
		if use := w.IntN(3); use > 0 {
			pool.ApplyUse(old, use == 1, midnight)
		}
		return "use", nil, w.reconcile()
	case draw < 17:
		if w.options.Documented || !old.Holding() {
			return "nothing", nil, nil
		}
		old.Spec.Claim = w.amounts(6)
		live, _ = w.live.Set(old)
		return "evict", live, w.reconcile()
	case draw < 18: // many edits, which the allocator sees after a restart
		for range 5 {
			if _, c := w.one(); c != nil {
				c.Spec.Claim = w.update(c.Spec.Claim, 5)
			}
		}
		w.live = allocator.New(w.pool, w.list(), w.options)
		w.reconcile()
		return "edits and a restart", nil, nil
	default:
		w.live = allocator.New(w.pool, w.list(), w.options)
		return "restart", nil, w.reconcile()
	}
}

// edit changes the amounts of a claim, its pool, or whether it is to be released, as far as a
// webhook allows it.
func (w *world) edit(name types.NamespacedName, old *pool.ResourcePoolClaim) (what string, live, batch []types.NamespacedName) {
	c := old.DeepCopy()
	w.updateMeta(&c.ObjectMeta)
	if w.IntN(4) > 0 {
		c.Spec.Claim = w.update(c.Spec.Claim, 5)
	}
	switch w.IntN(6) {
	case 0:
		c.Spec.Pool = "other"
	case 1:
		c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	}
	o := pool.AdmissionOptions{Documented: w.options.Documented}
	if len(pool.ValidateClaim(old, c, o)) > 0 {
		w.seen["refused by the webhook"]++
		switch {
		case !w.options.Documented || !old.Holding():
		case c.Released(): // only the annotation counts
			live, _ = w.live.Set(c)
			old.Annotations = c.Annotations
			return "release", live, w.reconcile()
		default:
			if _, err := w.live.Set(c); err != nil {
				w.seen["refused"]++
			} else { // it differs by zeros, which the allocator ignores
				live, _ = w.live.Set(old)
			}
		}
		return "nothing", live, nil
	}
	live, err := w.live.Set(c)
	if err != nil {
		// By the documented API, the allocator also refuses an edit back to what the spec said
		// before.
		return "nothing", nil, nil
	}
	w.claims[name] = c
	if !c.ClaimsFrom(w.pool) {
		delete(w.claims, name)
	}
	return "edit", live, w.reconcile()
}

// After any events, the allocator gives exactly the results of allocating everything again. Each event, each
// state and each cause of an eviction is drawn, by each API and in both queues.
func TestEventsEqualAllocate(t *testing.T) {
	for _, documented := range []bool{false, true} {
		for ordered := range uint64(2) {
			t.Run(fmt.Sprint("documented=", documented, ", ordered=", ordered == 1), func(t *testing.T) {
				w := newWorld(ordered, pool.Options{Documented: documented})
				for n := range events() / 4 {
					what, live, batch := w.event()
					if diff := cmp.Diff(batch, live); diff != "" {
						t.Fatalf("event %d, %s: holding (-batch +live):\n%s", n, what, diff)
					}
					w.seen[what]++
					w.compare(t, n, what)
				}
				want := []string{"create", "delete", "edit", "release", "change the pool", "use", "restart", "edits and a restart"}
				for _, state := range states {
					want = append(want, string(state))
					if !documented && !testing.Short() && state != pool.Holding && state != pool.Released {
						want = append(want, "evicted: "+string(state))
					}
				}
				if !documented && !testing.Short() {
					want = append(want, "evict", "refused by the webhook")
				} else if !testing.Short() {
					want = append(want, "refused", "refused by the webhook")
				}
				for _, what := range want {
					if w.seen[what] == 0 {
						t.Errorf("never seen: %s", what)
					}
				}
				t.Log(w.seen)
			})
		}
	}
}

func (w *world) compare(t *testing.T, n int, what string) {
	t.Helper()
	want := w.last
	if n%16 > 0 { // the most likely failures, and the cheapest to check
		d := pool.Decision{}
		if len(want.Decisions) > 0 {
			d = want.Decisions[w.IntN(len(want.Decisions))]
		}
		got, known := w.live.Decision(d.Claim)
		if d.Claim.Name != "" && (!known || d.State != got.State || d.Message() != got.Message()) {
			t.Fatalf("event %d, %s: %s, %s; live %s, %s", n, what, d.State, d.Message(), got.State, got.Message())
		}
		if holding, waiting := allocator.Counts(w.live); holding != want.Holding || holding+waiting != len(want.Decisions) {
			t.Fatalf("event %d, %s: %d holding and %d waiting, want %d of %d", n, what, holding, waiting, want.Holding, len(want.Decisions))
		}
		return
	}
	for _, d := range want.Decisions {
		w.seen[string(d.State)]++
	}
	if diff := pooltest.Allocate(w.pool, w.list(), w.options).Diff(w.live.Allocation()); diff != "" {
		t.Fatalf("event %d, %s: (-slow +live):\n%s", n, what, diff)
	}
	for _, ns := range []string{"ns-0", "ns-1", "ns-2"} {
		testkit.NoDiff(t, w.live.Claimed(ns), want.Namespaces[ns], testkit.AsWritten(), "event", n, what, "claimed by", ns)
	}
	if diff := cmp.Diff(want, w.live.Allocation(), testkit.AsWritten()); diff != "" {
		t.Fatalf("event %d, %s: (-batch +live):\n%s", n, what, diff)
	}
	messages := func(a *pool.Allocation) (all []string) {
		for _, d := range a.Decisions {
			all = append(all, fmt.Sprint(d.Claim, d.State, d.Message()))
		}
		for name, e := range a.Exhaustions {
			all = append(all, fmt.Sprint(name, e.Available.String(), " ", e.Requesting.String()))
		}
		slices.Sort(all)
		return all
	}
	testkit.NoDiff(t, messages(w.live.Allocation()), messages(want), "event", n, what, "messages")
}
