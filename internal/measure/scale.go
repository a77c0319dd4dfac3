package measure

import (
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"
)

// Scale is one line of the table of large inputs: a function, the yardstick that its time is compared
// with, and the largest ratio of the two.
type Scale struct {
	Subject   string
	Yardstick string
	AtMost    float64 // subject ÷ yardstick
	// Prepare creates the input of both, which is dropped before the next line. The yardstick is a
	// function or, if that is nil, the given time.
	Prepare func() (subject, yardstick func(), limit time.Duration)
}

// ScaleResult is a Scale as measured. Times are medians, in nanoseconds a call.
type ScaleResult struct {
	Subject, Yardstick string
	Took, Beside       float64
	Ratio, AtMost      float64 // took ÷ beside
}

// Met reports whether the subject keeps within its target.
func (r ScaleResult) Met() bool { return r.Ratio <= r.AtMost }

// RunScale measures one line after the other, over a number of rounds of one call of each
// function, or of some milliseconds.
func RunScale(rows []Scale, rounds int) []ScaleResult {
	const slice = 15 * time.Millisecond
	results := make([]ScaleResult, len(rows))
	for i, row := range rows {
		runtime.GC()
		subject, yardstick, limit := row.Prepare()
		times := [2][]float64{{}, {}}
		functions := [2]func(){subject, yardstick}
		calls := [2]int{callsWithin(subject, slice), callsWithin(yardstick, slice)}
		for range rounds {
			for j, f := range functions {
				if f != nil {
					times[j] = append(times[j], nanoseconds(f, calls[j]))
				}
			}
		}
		took, beside := median(times[0]), median(times[1])
		if yardstick == nil {
			beside = float64(limit.Nanoseconds())
		}
		results[i] = ScaleResult{
			Subject: row.Subject, Yardstick: row.Yardstick, AtMost: row.AtMost,
			Took: took, Beside: beside, Ratio: took / beside,
		}
	}
	return results
}

// PrintScale writes results as a table and reports whether all keep within their targets.
func PrintScale(w io.Writer, results []ScaleResult) (met bool, err error) {
	met = true
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "at scale\ttakes\tbeside\tratio\tat most\tmet\t  yardstick")
	for _, r := range results {
		verdict := "yes"
		if !r.Met() {
			verdict, met = "missed", false
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t  %s\n",
			r.Subject, nanos(r.Took), nanos(r.Beside), times(r.Ratio), times(r.AtMost), verdict, r.Yardstick)
	}
	return met, table.Flush()
}

// times writes a ratio with two significant digits.
func times(ratio float64) string { return fmt.Sprintf("%.2g×", ratio) }
