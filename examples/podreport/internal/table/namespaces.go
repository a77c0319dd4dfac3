package table

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

// writeNamespaces says which LimitRanges and ResourceQuotas count, and what is odd about them.
func writeNamespaces(b *strings.Builder, namespaces []report.Namespace) {
	for i := range namespaces {
		n := &namespaces[i]
		title := "Namespace " + n.Name
		if n.Home {
			title += " (also of objects that state none)"
		}
		b.WriteString(title + "\n")
		var ranges, quotas []string
		for _, r := range n.LimitRanges {
			ranges = append(ranges, r.Name)
		}
		for _, q := range n.ResourceQuotas {
			quotas = append(quotas, q.Name)
		}
		writeNames(b, "  LimitRanges: ", ranges)
		writeNames(b, "  ResourceQuotas: ", quotas)
		for _, c := range n.Conflicts {
			writeWrapped(b, "  Conflict: ", wording.Printable(c.Words))
		}
		for _, a := range n.Alternatives {
			writeWrapped(b, "  Either of: ", wording.Printable(a.Words()))
		}
		b.WriteString("\n")
	}
}

func writeNames(b *strings.Builder, prefix string, names []string) {
	if len(names) > 0 {
		writeWrapped(b, prefix, wording.Printable(strings.Join(names, ", ")))
	}
}
