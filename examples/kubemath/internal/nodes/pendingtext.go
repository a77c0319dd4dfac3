package nodes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/terminal"
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
	verdict := fmt.Sprintf("%d fit, %d wait", placed, len(r.Pending)-placed)
	if r.Pending[0].Message == noNode {
		verdict = noNode
	}
	fmt.Fprintf(s, "%s: %s\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), verdict)
	groups = merged(groups)
	for i, g := range groups {
		if i == mostGroups && !s.all {
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
		s.In(terminal.Red, func() { s.Hang(gap+gap, wording.Printable(g.waiting[0].Message)) })
		for _, line := range help(g.waiting[len(g.waiting)-1]) {
			s.Hang(gap+gap+gap, line)
		}
	}
	s.choices(gap, r.Pending)
	s.WriteString("\n")
}

// mostGroups is how many groups of pending pods are written.
const mostGroups = 5

// merged returns the groups, those that wait first. Those that request the same and wait for the same are one.
func merged(groups []*group) (all []*group) {
	known, titles := map[string]*group{}, map[*group][]string{}
	for _, g := range groups {
		if len(g.waiting) == 0 {
			continue
		}
		last := g.waiting[len(g.waiting)-1]
		key := strings.Join(append(help(last), g.requests, last.Message), "\n")
		if known[key] == nil {
			known[key] = g
			all = append(all, g)
		} else {
			known[key].waiting = append(known[key].waiting, g.waiting...)
		}
		titles[known[key]] = append(titles[known[key]], g.title)
	}
	for _, g := range all {
		g.title = wording.Tally(titles[g])
	}
	return append(all, slices.DeleteFunc(groups, func(g *group) bool { return len(g.waiting) > 0 })...)
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

// help returns what would help a pod that waits.
func help(p *Pending) (lines []string) {
	var words []string
	for _, n := range p.Nearest {
		var lacks []string
		for _, name := range n.Lacks.Names() {
			lacks = append(lacks, short(n.Lacks, name)+" of "+wording.Printable(string(name)))
		}
		words = append(words, wording.Printable(n.Node)+" lacks "+wording.Enumerate(lacks))
	}
	if len(words) > 0 {
		lines = append(lines, strings.Join(words, "; "))
	}
	if p.Preempts != nil {
		var victims []string
		for _, name := range p.Preempts.Victims {
			victims = append(victims, wording.Printable(name))
		}
		lines = append(lines, "would preempt on "+wording.Printable(p.Preempts.Node)+": "+strings.Join(victims, ", "))
	}
	return lines
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
