package controllers

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/pool"
)

// poolSum is what the quotas of a pool allow of a resource in the store, or what its status records, and what the pool has.
type poolSum struct{ sum, most int64 }

// quotaSums returns the sums of the quotas and of the records in the store, by pool and resource.
func (w *world) quotaSums() map[string]poolSum {
	w.Helper()
	var pools pool.ResourcePoolList
	var quotas corev1.ResourceQuotaList
	w.must(w.List(w.Context(), &pools))
	w.must(w.List(w.Context(), &quotas))
	sums := map[string]poolSum{}
	for _, p := range pools.Items {
		for name, most := range p.Spec.Quota.Hard {
			s := poolSum{most: most.MilliValue()}
			for _, q := range quotas.Items {
				if ownerOf(&q) == p.Name {
					hard, byDefault := q.Spec.Hard[name], p.Spec.Defaults[name]
					s.sum, s.most = s.sum+hard.MilliValue(), s.most+byDefault.MilliValue()
				}
			}
			sums[fmt.Sprintf("the quotas of %s allow %s:", p.Name, name)] = s
			recorded := poolSum{most: most.MilliValue()}
			for _, claims := range p.Status.Claims {
				for _, c := range claims {
					has := c.Claims[name]
					recorded.sum += has.MilliValue()
				}
			}
			sums[fmt.Sprintf("the status of %s records %s:", p.Name, name)] = recorded
		}
	}
	return sums
}

// wantWithinPools checks after a write of the reconcilers that it has not made the quotas of a pool
// allow more than the pool, nor its status record more. Others may have made them before.
func (w *world) wantWithinPools(before map[string]poolSum) {
	w.Helper()
	for name, now := range w.quotaSums() {
		if now.sum > now.most && now.sum > before[name].sum {
			w.Errorf("%v: %s %d of %d, and %d before", w.writes[len(w.writes)-1], name, now.sum, now.most, before[name].sum)
		}
	}
}

// listLate lists quotas as a cache does that is sometimes late, and tells of them once more after that. In a
// world that is not random, it is late for ever.
func (w *world) listLate(ctx context.Context, quotas *corev1.ResourceQuotaList, opts []client.ListOption) error {
	key := fmt.Sprint((&client.ListOptions{}).ApplyOptions(opts).LabelSelector)
	if late := w.late[key]; late != nil && (w.random == nil || w.random.IntN(2) == 0) {
		late.DeepCopyInto(quotas)
		if w.random == nil {
			return nil
		}
		for kind := range w.versions {
			if kind[0] == 'q' {
				delete(w.versions, kind)
			}
		}
		w.watch()
		return nil
	}
	if err := w.WithWatch.List(ctx, quotas, opts...); err != nil {
		return err
	}
	if w.late == nil {
		w.late = map[string]*corev1.ResourceQuotaList{}
	}
	w.late[key] = quotas.DeepCopy()
	return nil
}

// In any order of events, with a cache that is late and a process that is killed, no write makes the
// quotas of a pool allow more than the pool, and in the end all of them are what they should be.
func TestQuotasStayWithinThePool(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := randomWorld(t, 100+seed)
			w.lags = true
			for number := range 40 {
				w.happen(number)
				switch w.random.IntN(6) {
				case 0:
					w.killIn = 1 + w.random.IntN(4)
					w.settle()
					w.restart()
				case 1, 2: // The next event comes in between.
				default:
					w.settle()
				}
			}
			w.settle()
			w.useLess()
			w.wantAllocated("p")
			w.wantAllocated("q")
		})
	}
}

// useLess makes all namespaces use no more than their quotas allow, so that no quota has to wait.
func (w *world) useLess() {
	w.Helper()
	var quotas corev1.ResourceQuotaList
	w.must(w.List(w.Context(), &quotas))
	for _, q := range quotas.Items {
		for name, used := range q.Status.Used {
			if hard := q.Spec.Hard[name]; used.Cmp(hard) > 0 {
				q.Status.Used[name] = hard
			}
		}
		w.must(w.Status().Update(w.Context(), &q))
	}
	w.settle()
}

// A quota that somebody has raised is lowered before another one rises.
func TestQuotaWaitsForOneThatIsTooHigh(t *testing.T) {
	w := sun(t)
	q := &corev1.ResourceQuota{}
	w.must(w.Get(t.Context(), types.NamespacedName{Namespace: "b", Name: "capsule-pool-p"}, q))
	q.Spec.Hard["pods"] = resource.MustParse("3")
	w.must(w.Update(t.Context(), q))
	w.create(newClaim("a", "has", "p", "3")) // a is looked at first
	w.wantQuota("a", "3")
	w.wantQuota("b", "0")
}

// A cache that never saw what b had does not make a rise before b has fallen.
func TestQuotaRisesByWhatIsStored(t *testing.T) {
	w := sun(t)
	w.lags = true
	w.must(w.process.List(t.Context(), &corev1.ResourceQuotaList{}, client.MatchingLabels{pool.PoolLabel: "p"}))
	w.create(newClaim("b", "has", "p", "3"))
	w.create(newClaim("a", "waits", "p", "3"))
	w.wantQuota("b", "3")
	w.must(w.Delete(t.Context(), w.claim("b", "has")))
	w.add(w.claims, types.NamespacedName{Namespace: "b", Name: "has"})
	w.settle() // a is looked at first
	w.wantQuota("a", "3")
	w.wantQuota("b", "0")
}

// A leader that is paused before it writes a raise must not write it later, when another leader has given the room to
// another namespace.
func TestPausedLeader(t *testing.T) {
	w := sun(t)
	pauses := 0
	w.paused = func(object client.Object) {
		q, is := object.(*corev1.ResourceQuota)
		if !is || q.Namespace != "a" || q.Spec.Hard.Pods().Value() != 3 {
			return
		}
		w.paused = nil
		pauses++
		w.restart()
		w.must(w.Delete(t.Context(), w.claim("a", "has")))
		w.add(w.claims, types.NamespacedName{Namespace: "a", Name: "has"})
		w.create(newClaim("b", "next", "p", "3"))
		w.wantQuota("a", "0")
		w.wantQuota("b", "3")
	}
	w.create(newClaim("a", "has", "p", "3"))
	w.wantQuota("a", "0")
	w.wantQuota("b", "3")
	if pauses != 1 {
		t.Errorf("%d pauses", pauses)
	}
}

// A raise of which it is not known whether it has arrived may arrive later: the next one takes a new mark.
func TestLateRaise(t *testing.T) {
	w := sun(t)
	w.create(newClaim("b", "small", "p", "1"))
	before := w.quotas.mark
	r := w.quotas
	r.written(nil)
	if r.mark != before || before == "" {
		t.Errorf("mark %q after a write, %q before", r.mark, before)
	}
	r.written(context.DeadlineExceeded)
	if r.mark != "" {
		t.Errorf("mark %q though the write may arrive", r.mark)
	}
	w.create(newClaim("b", "other", "p", "1"))
	w.wantQuota("b", "2")
	q := &corev1.ResourceQuota{}
	w.must(w.Get(t.Context(), types.NamespacedName{Namespace: "a", Name: "capsule-pool-p"}, q))
	if q.Annotations[markAnnotation] != r.mark || r.mark == before {
		t.Errorf("the quota of a has the mark %q, want %q", q.Annotations[markAnnotation], r.mark)
	}
}

// Every namespace has the defaults of the pool beside what it claims, those without a quota too.
func TestShareWithDefaults(t *testing.T) {
	p := newPool("p", "sun", "3")
	p.Spec.Defaults = corev1.ResourceList{"pods": resource.MustParse("1")}
	quotaOf := func(namespace, pods string) *corev1.ResourceQuota {
		return pool.Quota(p, namespace, corev1.ResourceList{"pods": resource.MustParse(pods)})
	}
	for _, test := range []struct {
		claimed, want string // by a
		waits         bool
	}{
		{"0", "pods=1", false}, {"1", "pods=2", false}, {"2", "pods=1", true},
	} {
		hard, waits := share(p, []*corev1.ResourceQuota{quotaOf("b", "2")}, nil, quotaOf("a", test.claimed))
		if got := amounts(hard); got != test.want || waits != test.waits {
			t.Errorf("%s claimed: %s, waits: %t, want %s, %t", test.claimed, got, waits, test.want, test.waits)
		}
	}
}

// Namespaces that wait are woken by each new version of a quota of their pool, until they wait no longer.
func TestWaiting(t *testing.T) {
	var w waiting
	w.set("p", "a", true)
	w.set("p", "b", true)
	w.set("q", "c", true)
	w.set("p", "b", false)
	version := func(v string) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{}
		q.ResourceVersion = v
		return q
	}
	of := types.NamespacedName{Namespace: "b", Name: "p"}
	for i, test := range []struct {
		have *corev1.ResourceQuota
		want string
	}{
		{nil, "[]"}, {version("1"), "[a]"}, {version("1"), "[]"}, {version("2"), "[a]"}, {nil, "[a]"}, {nil, "[]"}, {version("2"), "[a]"},
	} {
		if got := fmt.Sprint(w.wake(of, test.have)); got != test.want {
			t.Errorf("step %d: %s, want %s", i, got, test.want)
		}
	}
	w.set("p", "a", false)
	if got := w.wake(of, version("3")); len(got) > 0 || len(w.rises) != 1 {
		t.Errorf("%v are woken, %v wait", got, w.rises)
	}
	if got := w.wake(of, nil); len(got) > 0 || len(w.seen) > 0 {
		t.Errorf("%v are woken, and %v is remembered of a quota that is gone", got, w.seen)
	}
}
