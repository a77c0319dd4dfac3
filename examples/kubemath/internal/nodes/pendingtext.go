package nodes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// group is the pending pods of one owner that request the same, and fit or wait for the same reason.
type group struct {
	title, requests string
	nodes           []string   // where they are placed, with repetitions
	waiting         []*Pending // or those that wait
}

// pending writes the pending pods, those of one owner together.
func (s *sheet) pending(r *Report) {
	if len(r.Pending) == 0 {
		return
	}
	placed, groups := 0, groupsOf(r.Pending)
	for _, g := range groups {
		placed += len(g.nodes)
	}
	waits := func(g *group) int { return min(len(g.waiting), 1) }
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(waits(b), waits(a)) }) // these first
	verdict := fmt.Sprintf("%d fit, %d wait", placed, len(r.Pending)-placed)
	if r.Pending[0].Message == noNode {
		verdict = noNode
	}
	fmt.Fprintf(s, "%s: %s\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), verdict)
	for i, g := range groups {
		if i == mostRows && !s.all {
			s.Line(fmt.Sprintf("%sand %d more groups: -all shows them", gap, len(groups)-i))
			break
		}
		title, each := g.title, ""
		if n := len(g.nodes) + len(g.waiting); n > 1 {
			title, each = fmt.Sprintf("%s, %d pods", title, n), " each"
		}
		s.Hang(gap, wording.Printable(title)+": "+g.requests+each)
		if len(g.nodes) > 0 {
			s.Hang(gap+gap, wording.Printable("placed on "+wording.Tally(g.nodes)))
			continue
		}
		s.Hang(gap+gap, wording.Printable(g.waiting[0].Message))
		s.waits(g.waiting[len(g.waiting)-1])
	}
	s.choices(gap, r.Pending)
	s.WriteString("\n")
}

func groupsOf(pending []Pending) []*group {
	var groups []*group
	known := map[[4]string]*group{}
	for i := range pending {
		p := &pending[i]
		key := [4]string{p.Namespace, cmp.Or(p.Owner, p.Name), inWords(p.Requests), p.Message}
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
			lacks = append(lacks, short(n.Lacks, name)+" of "+wording.Printable(string(name)))
		}
		words = append(words, wording.Printable(n.Node)+" lacks "+wording.Enumerate(lacks))
	}
	if len(words) > 0 {
		s.Hang(gap+gap+gap, strings.Join(words, "; "))
	}
	if p.Preempts != nil {
		var victims []string
		for _, name := range p.Preempts.Victims {
			victims = append(victims, wording.Printable(name))
		}
		s.Hang(gap+gap+gap, "would preempt on "+wording.Printable(p.Preempts.Node)+": "+strings.Join(victims, ", "))
	}
}

// choices writes of which nodes the scheduler draws one.
func (s *sheet) choices(indent string, pods []Pending) {
	var placed []wording.Placed
	for i := range pods {
		if p := &pods[i]; p.Node != "" {
			owner := p.Namespace + "/" + cmp.Or(p.Owner, p.Name)
			placed = append(placed, wording.Placed{Owner: owner, Node: p.Node, Choice: p.Choice})
		}
	}
	for _, line := range wording.Choices(placed) {
		s.Hang(indent, line)
	}
}
