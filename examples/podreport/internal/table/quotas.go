package table

import (
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

// The table of quotas: a block for each quota, and in it a row for each resource that the
// object may be charged for.

const unknown = "unknown"

// writeQuotas writes the table of an object that is not a workload.
func writeQuotas(b *strings.Builder, what string, r *report.QuotaReport) {
	if r.Fit == nil {
		return
	}
	writeQuotaTable(b, what, r.Quotas)
	writeFit(b, r.Fit)
	b.WriteString("\n")
}

// writeQuotaTable writes the table of something: a workload, a claim, a service.
func writeQuotaTable(b *strings.Builder, what string, uses []report.QuotaUse) {
	if len(uses) == 0 {
		return
	}
	var s sheet
	s.add(0, "ResourceQuota", "used", "this "+what, "hard", "left")
	for _, u := range uses {
		s.add(0, wording.Printable(u.Name))
		for _, r := range u.Resources {
			s.add(1, wording.Printable(string(r.Resource)), cellsOf(&r)...)
		}
	}
	s.write(b)
	for _, u := range uses {
		if u.Unknown != "" {
			// On one line, so that a search finds it.
			fmt.Fprintf(b, "  %s\n", wording.Printable(u.Unknown))
		}
	}
}

func cellsOf(r *report.ResourceUse) []string {
	cells := []string{r.Used, r.Asked, r.Hard, r.Left}
	for i, amount := range cells {
		if amount == "" {
			cells[i] = unknown
		}
	}
	return cells
}

// writeFit says how many replicas fit, and what stops the next.
func writeFit(b *strings.Builder, f *report.Fit) {
	if f == nil {
		return
	}
	title := strings.ToUpper(f.Unit[:1]) + f.Unit[1:] + "s that fit"
	if f.Exist {
		title = "More " + f.Unit + "s that fit"
	}
	writeWrapped(b, "  "+title+": ", wording.Printable(f.Words()))
}
