package table

import (
	"fmt"
	"io"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/kubemath/internal/trace"
)

// WriteTraces writes traces as text, each from the first step to the last.
func WriteTraces(to io.Writer, traces []trace.Trace, columns int) error {
	b := newPage(to, columns)
	for i := range traces {
		if i > 0 {
			b.WriteString("\n")
		}
		writeTrace(b, &traces[i])
		b.flush()
	}
	return b.end()
}

func writeTrace(b *page, t *trace.Trace) {
	b.WriteString(wording.Printable(t.Title) + "\n")
	if t.Source.File != "" {
		from := t.Source.String()
		if t.Pod != "" {
			from += ", " + t.Pod
		}
		fmt.Fprintf(b, "  from %s\n", wording.Printable(from))
	}
	b.WriteString("\n")
	// Steps of one column share it.
	var shared sheet
	for _, step := range t.Steps {
		s := &shared
		if len(step.Columns) > 0 {
			shared.write(b)
			shared, s = sheet{}, &sheet{}
		}
		s.add(0, step.Heading, step.Columns...)
		for _, r := range step.Rows {
			s.add(1, wording.Printable(r.Label), r.Amounts...).note = wording.Printable(r.Note)
		}
		if s != &shared {
			s.write(b)
		}
	}
	shared.write(b)
}
