package table

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// writeNamespaces says which LimitRanges and ResourceQuotas count, and what is unusual about them.
func writeNamespaces(b *page, namespaces []report.Namespace) {
	for i := range namespaces {
		n := &namespaces[i]
		title := "Namespace " + n.Name
		if n.Home {
			title += " (also of objects that state none)"
		}
		b.WriteString(title + "\n")
		writeNames(b, "  LimitRanges: ", n.LimitRanges)
		writeNames(b, "  ResourceQuotas: ", n.ResourceQuotas)
		for _, q := range n.ResourceQuotas {
			var names []string
			for _, name := range q.Unevaluated {
				names = append(names, string(name))
			}
			if len(names) > 0 {
				writeWrapped(b, "  Not evaluated: ", wording.Printable(strings.Join(names, ", ")+" of ResourceQuota "+q.Name+": nothing was read that uses it"))
			}
		}
		for _, c := range n.Conflicts {
			writeWrapped(b, "  Conflict: ", wording.Printable(c.String()))
		}
		for _, a := range n.Ambiguities {
			writeWrapped(b, "  Either of: ", wording.Printable(a.String()+"; the API server takes any, this report the first"))
		}
		b.WriteString("\n")
	}
}

func writeNames(b *page, prefix string, policies []report.Policy) {
	var names []string
	for _, p := range policies {
		names = append(names, p.Name)
	}
	if len(names) > 0 {
		writeWrapped(b, prefix, wording.Printable(strings.Join(names, ", ")))
	}
}
