package nodes

import (
	"fmt"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// drained writes where the pods of a drained node go, the verdict first.
func (s *sheet) drained(d *Drain) {
	if d == nil {
		return
	}
	node, verdict := wording.Printable(d.Node), "leaves no pod waiting"
	n := d.waiting()
	switch {
	case n > 0:
		verdict = "leaves " + wording.Count(int64(n), "pod") + " waiting"
	case len(d.Missing) > 0:
		verdict = "some are not replaced"
	case len(d.Protected) > 0:
		verdict = "does not end"
	}
	text := fmt.Sprintf("Draining %s evicts %s, and %s.", node, wording.Count(int64(len(d.Evicted)), "pod"), verdict)
	s.Verdict(d.fails(), func() { s.Hang("", text) })
	if len(d.Protected) > 0 {
		s.Hang(gap, wording.Count(int64(len(d.Protected)), "pod")+" may not be evicted, so that kubectl drain goes on trying:")
	}
	for _, p := range d.Protected {
		s.Hang(gap+gap, wording.Printable(p.Pod+": "+p.Message))
	}
	for _, list := range []struct {
		pods []string
		what string
	}{
		{d.Bare, "without a controller, which kubectl drain deletes with --force only, and nothing replaces"},
		{d.Local, "with an emptyDir, which kubectl drain deletes with --delete-emptydir-data only, and the data with them"},
		{d.Preempted, "preempted for others"},
	} {
		if len(list.pods) > 0 {
			s.Hang(gap, wording.Printable(wording.Count(int64(len(list.pods)), "pod")+" "+list.what+": "+wording.Tally(list.pods)))
		}
	}
	lines := d.Missing
	for _, g := range groupsOf(d.Pods) {
		count := wording.Count(int64(len(g.nodes)+len(g.waiting)), "pod")
		if len(g.nodes) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s on %s", g.title, count, wording.Tally(g.nodes)))
		} else {
			lines = append(lines, fmt.Sprintf("%s: %s waiting: %s", g.title, count, g.waiting[0].Message))
		}
	}
	if len(lines) == 0 && len(d.Evicted) > len(d.Bare) {
		lines = []string{"the input has no controller of the others, which may replace them"}
	}
	for _, line := range lines {
		s.Hang(gap, wording.Printable(line))
	}
	s.choices(gap, d.Pods)
	s.WriteString("\n")
}
