package measure

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes both tables as Markdown.
func Markdown(w io.Writer, results []Result, scale []ScaleResult) error {
	var b strings.Builder
	b.WriteString("| kernel | ours | theirs | ratio | floor | ours ÷ floor | allocations | theirs | rival |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, r := range results {
		floor, above := "–", "–"
		if r.Floor > 0 {
			floor, above = nanos(r.Floor), fmt.Sprintf("%.1f", float64(r.Ours)/float64(r.Floor))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | **%.1f×** | %s | %s | %.0f | %.0f | %s |\n",
			r.Kernel, nanos(r.Ours), nanos(r.Theirs), r.Ratio, floor, above, r.OurAllocs, r.TheirAllocs, r.Rival)
	}
	if len(scale) > 0 {
		b.WriteString("\n| at scale | takes | yardstick | takes | ratio | at most |\n|---|--:|---|--:|--:|--:|\n")
	}
	for _, r := range scale {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | **%s** | %s |\n",
			r.Subject, nanos(r.Took), r.Yardstick, nanos(r.Beside), times(r.Ratio), times(r.AtMost))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
