package main

import (
	"strings"
)

// writeNamespaces says which LimitRanges and ResourceQuotas count, and what is odd about them.
func writeNamespaces(b *strings.Builder, namespaces []Namespace) {
	for i := range namespaces {
		n := &namespaces[i]
		title := "Namespace " + n.Name
		if n.home {
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
			writeWrapped(b, "  Conflict: ", printable(c.words))
		}
		for _, a := range n.Alternatives {
			writeWrapped(b, "  Either of: ", printable(a.words()))
		}
		b.WriteString("\n")
	}
}

func writeNames(b *strings.Builder, prefix string, names []string) {
	if len(names) > 0 {
		writeWrapped(b, prefix, printable(strings.Join(names, ", ")))
	}
}
