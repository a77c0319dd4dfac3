package measure_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/measure"
)

func TestRunEvents(t *testing.T) {
	drawn, done := 0, 0
	work := measure.Event{Name: "work", Draw: func() func() int {
		drawn++
		return func() int {
			for range 10_000 {
				done++
			}
			return 3
		}
	}}
	results := measure.RunEvents([]measure.Events{{Subject: "s", Prepare: func() []measure.Event {
		return []measure.Event{work, {Name: "none", Draw: func() func() int { return func() int { return 0 } }}}
	}}}, 200)
	if len(results) != 2 || drawn != 200 || done != 200*10_000 {
		t.Fatalf("%d results, drawn %d times, done %d times", len(results), drawn, done)
	}
	r := results[0]
	if r.Subject != "s" || r.Event != "work" || r.P50 <= 0 || r.P50 > r.P99 || r.P99 > r.Worst {
		t.Errorf("%+v", r)
	}
	if r.P99ByDecision != float64(int(r.P99)/4) || r.MostChanged != 3 {
		t.Errorf("by decision: %+v", r)
	}
	if results[1].Event != "none" || results[1].P99ByDecision != results[1].P99 || results[1].MostChanged != 0 {
		t.Errorf("second: %+v", results[1])
	}
}

func TestMarkdownEvents(t *testing.T) {
	var b strings.Builder
	err := measure.MarkdownEvents(&b, "events", []measure.EventResult{{Subject: "many", Event: "create", P50: 900, P99: 20_000, Worst: 3e6, P99ByDecision: 5_000, MostChanged: 7}})
	want := "\n| events | of | p50 | p99 | worst | p99 by decision | most changed |\n|---|---|--:|--:|--:|--:|--:|\n| create | many | 900 ns | 20.0 µs | 3.00 ms | 5000 ns | 7 |\n"
	if err != nil || b.String() != want {
		t.Errorf("%v, wrote\n%s, want\n%s", err, b.String(), want)
	}
}
