package controllers

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Messages are written for some claims at a time, and those of another pool do not wait for them.
func TestMessagesThatAreDue(t *testing.T) {
	names := make([]types.NamespacedName, messagesAtOnce+1)
	for i := range names {
		names[i].Name = fmt.Sprint(i)
	}
	m, start := &messages{}, time.Unix(1e9, 0)
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
	if got, _ := m.due("p", names[:1], start.Add(10*time.Second)); len(got) != 1 {
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
