package nodes

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The pending pods as text, those of one owner together.

// group is the pending pods of one owner that request the same, and fit or wait for the same reason.
type group struct {
	title, requests string
	nodes           []string   // where they are placed, with repetitions
	waiting         []*Pending // or those that wait
}

func (s *sheet) pending(r *Report) {
	if len(r.Pending) == 0 {
		return
	}
	placed, groups := 0, groupsOf(r.Pending)
	for _, g := range groups {
		placed += len(g.nodes)
	}
	verdict := fmt.Sprintf("%d fit, %d wait", placed, len(r.Pending)-placed)
	if r.Pending[0].Message == noNode {
		verdict = noNode
	}
	fmt.Fprintf(s, "%s: %s\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), verdict)
	for _, g := range groups {
		title, each := g.title, ""
		if n := len(g.nodes) + len(g.waiting); n > 1 {
			title, each = fmt.Sprintf("%s, %d pods", title, n), " each"
		}
		s.wrapped(gap, wording.Printable(title)+": "+g.requests+each)
		if len(g.nodes) > 0 {
			s.wrapped(gap+gap, wording.Printable("placed on "+wording.Tally(g.nodes)))
			continue
		}
		s.wrapped(gap+gap, wording.Printable(g.waiting[0].Message))
		s.waits(g.waiting[len(g.waiting)-1])
	}
	s.WriteString("\n")
}

func groupsOf(pending []Pending) []*group {
	var groups []*group
	known := map[[4]string]*group{}
	for i := range pending {
		p := &pending[i]
		key := [4]string{p.Namespace, cmp.Or(p.Owner, p.Name), p.Requests.inWords(), p.Message}
		g := known[key]
		if g == nil {
			g = &group{title: p.Namespace + "/" + key[1], requests: key[2]}
			known[key] = g
			groups = append(groups, g)
		}
		if p.Node != "" {
			g.nodes = append(g.nodes, p.Node)
		} else {
			g.waiting = append(g.waiting, p)
		}
	}
	return groups
}

// waits writes what would help a pod that waits.
func (s *sheet) waits(p *Pending) {
	var words []string
	for _, n := range p.Nearest {
		var lacks []string
		for _, name := range names(n.Lacks) {
			lacks = append(lacks, n.Lacks.of(name)+" of "+wording.Printable(string(name)))
		}
		words = append(words, wording.Printable(n.Node)+" lacks "+wording.Enumerate(lacks))
	}
	if len(words) > 0 {
		s.wrapped(gap+gap+gap, strings.Join(words, "; "))
	}
	if p.Preempts != nil {
		var victims []string
		for _, name := range p.Preempts.Victims {
			victims = append(victims, wording.Printable(name))
		}
		s.wrapped(gap+gap+gap, "would preempt on "+wording.Printable(p.Preempts.Node)+": "+strings.Join(victims, ", "))
	}
}

// drained writes where the pods of a drained node go, the verdict first.
func (s *sheet) drained(d *Drain) {
	if d == nil {
		return
	}
	node, verdict := wording.Printable(d.Node), "leaves no pod waiting"
	switch n := d.waiting(); {
	case n > 0:
		verdict = "leaves " + wording.Count(int64(n), "pod") + " waiting"
	case len(d.Missing) > 0:
		verdict = "some are not replaced"
	}
	s.wrapped("", fmt.Sprintf("Draining %s evicts %s, and %s.", node, wording.Count(int64(len(d.Evicted)), "pod"), verdict))
	for _, list := range []struct {
		pods []string
		what string
	}{
		{d.Protected, "may not be evicted now, so that kubectl drain does not end"},
		{d.Bare, "without a controller, which kubectl drain deletes with --force only, and nothing replaces"},
		{d.Preempted, "preempted for others"},
	} {
		if len(list.pods) > 0 {
			s.wrapped(gap, wording.Printable(wording.Count(int64(len(list.pods)), "pod")+" "+list.what+": "+strings.Join(list.pods, ", ")))
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
		s.wrapped(gap, wording.Printable(line))
	}
	s.WriteString("\n")
}
