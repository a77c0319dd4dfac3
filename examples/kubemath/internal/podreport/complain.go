package podreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// complain writes one line for each problem of the input, and one line for what was skipped.
func (o *options) complain(in *manifest.Input, r *report.Report, to io.Writer) {
	if o.ci {
		io.WriteString(to, annotations(r))
	}
	for _, p := range in.Problems {
		if o.ci && p.Grade != objects.Skipped {
			continue
		}
		fmt.Fprintf(to, "kubemath: %v\n", p)
	}
	if len(r.Skipped) == 0 {
		return
	}
	var counts []string
	for _, s := range r.Skipped {
		counts = append(counts, fmt.Sprintf("%d %s", s.Count, wording.Printable(s.Kind)))
	}
	fmt.Fprintf(to, "kubemath: skipped: %s\n", strings.Join(counts, ", "))
}

// annotations returns the problems as annotations of GitHub Actions, which shows them next to the lines.
func annotations(r *report.Report) string {
	var b strings.Builder
	for _, f := range r.Errors {
		annotate(&b, "error", f.Source.File, f.Line, f.Object, withField(f.Field, f.Text))
	}
	for _, f := range r.Warnings {
		annotate(&b, "warning", f.Source.File, f.Line, f.Object, withField(f.Field, f.Text))
	}
	for _, o := range r.All() {
		for i := 0; o.Rejection != nil && i < len(o.Rejection.Reasons); i++ {
			reason := &o.Rejection.Reasons[i]
			text := withField(reason.Path, reason.What)
			if reason.Remedy != "" {
				text += ": " + reason.Remedy
			}
			annotate(&b, "error", o.Source.File, o.Line, o.Title(), text)
		}
	}
	return b.String()
}

func withField(field, text string) string {
	if field == "" {
		return text
	}
	return field + ": " + text
}

// An annotation is one line, whose properties end with a comma or a colon.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(b *strings.Builder, level, file string, line int, title, message string) {
	var properties []string
	if file != "-" {
		properties = append(properties, "file="+escapeProperty.Replace(file))
		if line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", line))
		}
	}
	if title != "" {
		properties = append(properties, "title="+escapeProperty.Replace(title))
	}
	fmt.Fprintf(b, "::%s %s::%s\n", level, strings.Join(properties, ","), escapeMessage.Replace(message))
}
