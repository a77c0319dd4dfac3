package measure

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print writes results as a table and reports whether every row meets at least the
// lower of its targets.
func Print(w io.Writer, results []Result) (met bool, err error) {
	met = true
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "kernel\tours\ttheirs\tratio\tat least\taim\tfloor\tours/floor\tallocs\ttheirs\tmet\t  rival")
	for _, r := range results {
		floor, over := "-", "-"
		if r.Floor > 0 {
			floor, over = nanos(r.Floor), fmt.Sprintf("%.2f", r.OverFloor)
			if r.FloorWithin > 0 {
				over += fmt.Sprintf(" (≤%.1f)", r.FloorWithin)
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.1f×\t%.0f×\t%.0f×\t%s\t%s\t%.0f (≤%d)\t%.0f\t%s\t  %s\n",
			r.Kernel, nanos(r.Ours), nanos(r.Theirs), r.Ratio, r.AtLeast, r.Aim, floor, over,
			r.OurAllocs, r.OurAllocsAtMost, r.TheirAllocs, r.Met(), r.Rival)
		met = met && r.Met() != "missed"
	}
	return met, table.Flush()
}

// nanos writes a time in a suitable unit.
func nanos(ns float64) string {
	if ns >= 1e9 {
		return fmt.Sprintf("%.2f s", ns/1e9)
	}
	if ns >= 1e6 {
		return fmt.Sprintf("%.2f ms", ns/1e6)
	}
	if ns >= 1e4 {
		return fmt.Sprintf("%.1f µs", ns/1e3)
	}
	return fmt.Sprintf("%.0f ns", ns)
}
