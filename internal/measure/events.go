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

// Event is a kind of event. Draw prepares the next event and returns a function that performs it;
// only that function is measured. It returns the number of decisions on other objects that the
// event has changed.
type Event struct {
	Name string
	Draw func() (event func() (changed int))
}

// EventResult has the median, the 99th percentile and the maximum of the time of a kind of event, in nanoseconds of CPU
// time of the thread, and the 99th percentile of the time by decision, which is the time of an event divided by one plus
// the number of other decisions that it changed.
type EventResult struct {
	Subject, Event  string
	P50, P99, Worst float64
	P99ByDecision   float64
	MostChanged     int // other decisions, by one event
}

// RunEvents measures subjects, one after the other, over a number of rounds of one event of each kind.
func RunEvents(all []Events, rounds int) (results []EventResult) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, subject := range all {
		runtime.GC()
		events := subject.Prepare()
		took, byDecision := make([][]time.Duration, len(events)), make([][]time.Duration, len(events))
		most := make([]int, len(events))
		for range rounds {
			for i, e := range events {
				do := e.Draw()
				start := ThreadTime()
				changed := do()
				spent := ThreadTime() - start
				took[i], byDecision[i] = append(took[i], spent), append(byDecision[i], spent/time.Duration(1+changed))
				most[i] = max(most[i], changed)
			}
		}
		for i, e := range events {
			slices.Sort(took[i])
			slices.Sort(byDecision[i])
			at := func(all []time.Duration, place int) float64 { return float64(all[place].Nanoseconds()) }
			results = append(results, EventResult{
				Subject: subject.Subject, Event: e.Name,
				P50: at(took[i], rounds/2), P99: at(took[i], rounds*99/100), Worst: at(took[i], rounds-1),
				P99ByDecision: at(byDecision[i], rounds*99/100), MostChanged: most[i],
			})
		}
	}
	return results
}

// MarkdownEvents writes results as a table, under a title.
func MarkdownEvents(w io.Writer, title string, results []EventResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | of | p50 | p99 | worst | p99 by decision | most changed |\n|---|---|--:|--:|--:|--:|--:|\n", title)
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %d |\n", r.Event, r.Subject, nanos(r.P50), nanos(r.P99), nanos(r.Worst), nanos(r.P99ByDecision), r.MostChanged)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
