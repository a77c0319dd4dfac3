package measure_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/measure"
)

func TestRunEvents(t *testing.T) {
	drawn, done := 0, 0
	work := measure.Event{Name: "work", Draw: func() func() {
		drawn++
		return func() {
			for range 10_000 {
				done++
			}
		}
	}}
	results := measure.RunEvents([]measure.Events{{Subject: "s", Prepare: func() []measure.Event {
		return []measure.Event{work, {Name: "none", Draw: func() func() { return func() {} }}}
	}}}, 200)
	if len(results) != 2 || drawn != 200 || done != 200*10_000 {
		t.Fatalf("%d results, drawn %d times, done %d times", len(results), drawn, done)
	}
	r := results[0]
	if r.Subject != "s" || r.Event != "work" || r.P50 <= 0 || r.P50 > r.P99 || r.P99 > r.Worst {
		t.Errorf("%+v", r)
	}
	if results[1].Event != "none" {
		t.Errorf("second: %+v", results[1])
	}
}

func TestMarkdownEvents(t *testing.T) {
	var b strings.Builder
	err := measure.MarkdownEvents(&b, "events", []measure.EventResult{{Subject: "many", Event: "create", P50: 900, P99: 20_000, Worst: 3e6}})
	want := "\n| events | of | p50 | p99 | worst |\n|---|---|--:|--:|--:|\n| create | many | 900 ns | 20.0 µs | 3.00 ms |\n"
	if err != nil || b.String() != want {
		t.Errorf("%v, wrote\n%s, want\n%s", err, b.String(), want)
	}
}
