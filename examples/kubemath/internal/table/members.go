package table

import (
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// mostNodes is how many nodes of a workload are named.
const mostNodes = 5

// writeMembers writes the objects of a workload, its owner, and the nodes of its pods.
func writeMembers(b *page, w *report.Workload) {
	if w.Unread {
		b.WriteString("  not in the input: known only from its pods\n")
	}
	if w.Owner != nil {
		fmt.Fprintf(b, "  owned by %s\n", wording.Printable(w.Owner.Kind+" "+w.Owner.Name))
	}
	if words := membersInWords(w); words != "" {
		writeWrapped(b, "  with ", words)
	}
	if a := w.Autoscaler; a != nil {
		writeWrapped(b, "  scaled ", fmt.Sprintf("from %d to %s by HorizontalPodAutoscaler %s", a.Min, wording.Count(a.Max, "replica"), wording.Printable(a.Name)))
	}
	if len(w.Nodes) == 0 || len(w.Members) == 0 && w.OnNode.Node == "" {
		return
	}
	var on []string
	for i, n := range w.Nodes {
		if i == mostNodes && len(w.Nodes) > mostNodes+1 {
			on = append(on, wording.Count(int64(len(w.Nodes)-i), "other node"))
			break
		}
		on = append(on, fmt.Sprintf("%s (%d)", wording.Printable(n.Node), n.Pods))
	}
	writeWrapped(b, "  on ", wording.Enumerate(on))
}

// membersInWords returns "1 ReplicaSet, 3 pods, of which 1 ended".
func membersInWords(w *report.Workload) string {
	var kinds []string
	counts, pods, ended := map[string]int64{}, int64(0), int64(0)
	for _, m := range w.Members {
		switch {
		case m.Kind == "Pod" && m.Ended:
			pods++
			ended++
		case m.Kind == "Pod":
			pods++
		default:
			if counts[m.Kind]++; counts[m.Kind] == 1 {
				kinds = append(kinds, m.Kind)
			}
		}
	}
	var words []string
	for _, kind := range kinds {
		words = append(words, wording.Count(counts[kind], wording.Printable(kind)))
	}
	if pods > 0 {
		text := wording.Count(pods, "pod")
		if ended > 0 {
			text += fmt.Sprintf(", of which %d ended", ended)
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}
