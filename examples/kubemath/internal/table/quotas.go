package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The table of quotas: a block for each quota, and in it a row for each resource that the
// object may use.

const unknown = "unknown"

// writeQuotaTable writes the table of a workload or of another object.
func writeQuotaTable(b *page, what string, uses []report.QuotaUse) {
	if len(uses) == 0 {
		return
	}
	var s sheet
	s.add(0, "ResourceQuota", "used", "this "+what, "hard", "left")
	for _, u := range uses {
		s.add(0, wording.Printable(u.Name))
		for _, name := range slices.Sorted(maps.Keys(u.Hard)) {
			s.add(1, wording.Printable(string(name)),
				cmp.Or(u.Used.Short(name), unknown), u.Asked.Short(name), u.Hard.Short(name), cmp.Or(u.Left.Short(name), unknown))
		}
	}
	s.write(b)
	for _, u := range uses {
		if u.Unknown != "" {
			// The message is on one line, so a search finds it.
			fmt.Fprintf(b, "  %s\n", wording.Printable(u.Unknown))
		}
	}
}

// writeFit writes how many replicas fit, and why the next does not.
func writeFit(b *page, f *report.Fit) {
	if f == nil {
		return
	}
	title := strings.ToUpper(f.Unit[:1]) + f.Unit[1:] + "s that fit"
	if f.Exist {
		title = "More " + f.Unit + "s that fit"
	}
	writeWrapped(b, "  "+title+": ", wording.Printable(f.Words()))
}
