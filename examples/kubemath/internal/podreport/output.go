package podreport

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/kubemath/internal/table"
	"github.com/kubemath/kubemath/examples/kubemath/internal/trace"
)

// write writes the output that the options request.
func (o *options) write(r *report.Report, to io.Writer) error {
	switch {
	case o.explain != nil:
		return writeText(to, trace.Format(r, *o.explain, terminal.Width(to)))
	case o.Format == "json":
		return writeJSON(to, r)
	default:
		return writeText(to, table.Format(r, terminal.Width(to), o.all))
	}
}

func writeText(to io.Writer, text string) error {
	_, err := io.WriteString(to, text)
	return err
}

// explainable returns an error for a resource that nothing in the report has, such as mem.
func (o *options) explainable(r *report.Report) error {
	if o.explain == nil {
		return nil
	}
	stated := map[string]bool{"cpu": true, "memory": true}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for _, list := range []report.Amounts{w.Pod.Requests, w.Pod.Limits, w.Overhead} {
			for name := range list {
				stated[string(name)] = true
			}
		}
	}
	if stated[string(o.explain.Resource)] {
		return nil
	}
	return fmt.Errorf("-explain %v: no pod states %s; there are %s",
		*o.explain, o.explain.Resource, wording.Enumerate(slices.Sorted(maps.Keys(stated))))
}
