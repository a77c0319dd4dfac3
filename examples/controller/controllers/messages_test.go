package controllers

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

// Messages are written for some claims at a time, and those of another pool do not wait for them.
func TestMessagesThatAreDue(t *testing.T) {
	names := make([]types.NamespacedName, messagesAtOnce+1)
	for i := range names {
		names[i].Name = fmt.Sprint(i)
	}
	m, start := &Messages{}, time.Unix(1e9, 0)
	for _, test := range []struct {
		what       string
		pool       string
		claims, at int
		want       int
		again      time.Duration
	}{
		{"nothing", "p", 0, 0, 0, 0},
		{"all but one", "p", messagesAtOnce + 1, 0, messagesAtOnce, messageDelay},
		{"too early", "p", 1, 2, 0, messageDelay - 2*time.Second},
		{"another pool", "q", 1, 2, 1, 0},
		{"in time", "p", 1, 5, 1, 0},
		{"too early again", "p", 2, 9, 0, time.Second},
	} {
		got, again := m.due(test.pool, names[:test.claims], start.Add(time.Duration(test.at)*time.Second))
		if !slices.Equal(got, names[:test.want]) || again != test.again {
			t.Errorf("%s: %d claims, again after %v, want %d, %v", test.what, len(got), again, test.want, test.again)
		}
	}
	m.forget("p")
	if got, _ := m.due("p", names[:1], start.Add(6*time.Second)); len(got) != 1 {
		t.Error("a pool of the same name waits for one that is gone")
	}
}

// While claims come and go, the messages of claims that wait are rewritten only from time to time, and in the end they are right.
func TestWritesOfAnEventAreBounded(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "base", "p", "1"))
	const waits = 20
	for i := range waits {
		w.create(newClaim("b", fmt.Sprintf("waits-%02d", i), "p", "3"))
	}
	w.frozen = true
	w.writes = nil
	for i := range 10 {
		w.create(newClaim("a", fmt.Sprint("small-", i), "p", "1"))
		w.must(w.Delete(t.Context(), w.claim("a", fmt.Sprint("small-", i))))
		w.add(w.claims, types.NamespacedName{Namespace: "a", Name: fmt.Sprint("small-", i)})
		w.settle()
	}
	// Each of the 20 events writes the pool and a quota, and each creation two statuses and once more marks of quotas. Without a
	// limit, there are 400 messages.
	if n := len(w.writes); n > 2*20+2*10+2+waits {
		t.Errorf("%d writes of 20 events", n)
	}
	w.frozen = false
	w.create(newClaim("a", "last", "p", "1"))
	for i := range waits {
		w.wantClaim("b", fmt.Sprintf("waits-%02d", i), "p", "PoolExhausted", "requested: pods=3, available: pods=1")
	}
}

// If a pool changes its size, all claims that wait are looked at. The messages of some of them are rewritten at once, and the others
// have their turn later; a claim that is edited, or waits for another reason, does not wait for that.
func TestWritesOfAResizeAreBounded(t *testing.T) {
	w := sun(t)
	const waits = 3*messagesAtOnce - 10
	names := make([]string, waits)
	for i := range waits {
		names[i] = fmt.Sprintf("waits-%03d", i)
		w.must(w.Create(t.Context(), newClaim("b", names[i], "p", "9")))
	}
	w.settle()
	w.now = w.now.Add(time.Minute)
	w.frozen = true
	for step, test := range []struct {
		pods string
		want int // claims that are written
	}{{"4", messagesAtOnce}, {"5", 0}, {"6", 0}} {
		w.writes = nil
		w.change("p", func(p *pool.ResourcePool) { p.Spec.Quota.Hard["pods"] = resource.MustParse(test.pods) })
		if got := w.claimsWritten(); got != test.want {
			t.Errorf("resize %d: %d claims are written, want %d", step, got, test.want)
		}
	}
	w.writes = nil
	w.edit("b", names[waits-1], "8")
	w.wantClaim("b", names[waits-1], "p", "PoolExhausted", "requested: pods=8, available: pods=6")
	w.change("p", func(p *pool.ResourcePool) { p.Spec.Config.OrderedQueue = true })
	w.wantClaim("b", names[waits-1], "p", "QueueExhausted", "requested: pods=8, queued: pods=9")
	w.frozen = false
	w.settle()
	for _, name := range names[1 : waits-1] {
		w.wantClaim("b", name, "p", "QueueExhausted", "requested: pods=9, queued: pods=9")
	}
	w.wantClaim("b", names[0], "p", "PoolExhausted", "requested: pods=9, available: pods=6")
}

// claimsWritten is how many statuses of claims have been written.
func (w *world) claimsWritten() (n int) {
	for _, write := range w.writes {
		if write == "status claim" {
			n++
		}
	}
	return n
}
