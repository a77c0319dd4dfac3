package table

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// writeNamespaces lists the LimitRanges and ResourceQuotas that count, and what is unusual about them.
func writeNamespaces(b *page, namespaces []report.Namespace) {
	for i := range namespaces {
		n := &namespaces[i]
		title := "Namespace " + n.Name
		if n.Home {
			title += " (also of objects without a namespace)"
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
				writeWrapped(b, "  Not evaluated: ", wording.Printable(strings.Join(names, ", ")+" of ResourceQuota "+q.Name+": not used by any object in the input"))
			}
		}
		for _, c := range n.Conflicts {
			writeWrapped(b, "  Conflict: ", wording.Printable(c.Error()))
		}
		for _, a := range n.Ambiguities {
			writeWrapped(b, "  Ambiguous: ", wording.Printable(a.String()+"; the API server may apply any of them, this report applies the first"))
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
