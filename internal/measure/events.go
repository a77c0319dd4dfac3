package measure

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Events are events that happen to one subject in turn, again and again.
type Events struct {
	Subject string
	Prepare func() []Event
}

// Event is a kind of event. Draw makes ready what the next one is about, and returns it; only what it returns is measured.
type Event struct {
	Name string
	Draw func() func()
}

// EventResult says what half of the events of a kind take at most, what 99 of 100 do, and what the worst one does, in
// nanoseconds of CPU time of the thread.
type EventResult struct {
	Subject, Event  string
	P50, P99, Worst float64
}

// RunEvents measures subjects, one after the other, over a number of rounds of one event of each kind.
func RunEvents(all []Events, rounds int) (results []EventResult) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, subject := range all {
		runtime.GC()
		events := subject.Prepare()
		took := make([][]time.Duration, len(events))
		for range rounds {
			for i, e := range events {
				do := e.Draw()
				start := ThreadTime()
				do()
				took[i] = append(took[i], ThreadTime()-start)
			}
		}
		for i, e := range events {
			slices.Sort(took[i])
			at := func(place int) float64 { return float64(took[i][place].Nanoseconds()) }
			results = append(results, EventResult{subject.Subject, e.Name, at(rounds / 2), at(rounds * 99 / 100), at(rounds - 1)})
		}
	}
	return results
}

// MarkdownEvents writes results as a table, under a title.
func MarkdownEvents(w io.Writer, title string, results []EventResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | of | p50 | p99 | worst |\n|---|---|--:|--:|--:|\n", title)
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Event, r.Subject, nanos(r.P50), nanos(r.P99), nanos(r.Worst))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
