package measure

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Markdown writes both tables as Markdown, and below the first what the time above the floor is spent
// on, for each kernel that takes more than twice its floor. Of lines at scale that differ in numbers alone, the
// second table has the last.
func Markdown(w io.Writer, results []Result, scale []ScaleResult) error {
	var b strings.Builder
	b.WriteString("| kernel | ours | theirs | ratio | floor | ours ÷ floor | allocations | theirs | rival |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, r := range results {
		floor, above := "–", "–"
		if r.Floor > 0 {
			floor, above = nanos(r.Floor), fmt.Sprintf("%.1f", r.OverFloor)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | **%.1f×** | %s | %s | %.0f | %.0f | %s |\n",
			r.Kernel, nanos(r.Ours), nanos(r.Theirs), r.Ratio, floor, above, r.OurAllocs, r.TheirAllocs, r.Rival)
	}
	writeAbove(&b, results)
	if len(scale) > 0 {
		b.WriteString("\n| at scale | takes | yardstick | takes | ratio | at most |\n|---|--:|---|--:|--:|--:|\n")
	}
	for i, r := range scale {
		if slices.ContainsFunc(scale[i+1:], r.isLike) {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | **%s** | %s |\n",
			r.Subject, nanos(r.Took), r.Yardstick, nanos(r.Beside), times(r.Ratio), times(r.AtMost))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var number = regexp.MustCompile(`\d+`)

// isLike reports whether the subjects of two results differ in numbers alone.
func (r ScaleResult) isLike(other ScaleResult) bool {
	return number.ReplaceAllString(r.Subject, "") == number.ReplaceAllString(other.Subject, "")
}

// writeAbove writes one line for each reason, with the kernels that have it.
func writeAbove(b *strings.Builder, results []Result) {
	var reasons []string
	kernels := map[string][]string{}
	for _, r := range results {
		if math.Round(10*r.OverFloor) <= 20 { // it is printed as 2.0
			continue
		}
		reason := cmp.Or(r.Above, "not explained")
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
		if !slices.Contains(kernels[reason], r.Kernel) {
			kernels[reason] = append(kernels[reason], r.Kernel)
		}
	}
	if len(reasons) > 0 {
		b.WriteString("\nMore than twice their floor, and what the remaining time is spent on:\n\n")
	}
	for _, reason := range reasons {
		fmt.Fprintf(b, "- %s: %s\n", strings.Join(kernels[reason], "; "), reason)
	}
}
