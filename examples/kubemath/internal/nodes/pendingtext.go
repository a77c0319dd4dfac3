package nodes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The pending pods as text, those of one owner together.

// group is the pending pods of one owner that request the same.
type group struct {
	title    string
	requests string
	pods     int
	nodes    []string // where they are placed, with repetitions
	messages []string // why not
	remain   []*Pending
}

func (s *sheet) pending(r *Report) {
	placed := 0
	for i := range r.Pending {
		if r.Pending[i].Node != "" {
			placed++
		}
	}
	if len(r.Pending) == 0 {
		return
	}
	fmt.Fprintf(s, "%s: %d fit, %d wait\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), placed, len(r.Pending)-placed)
	for _, g := range groupsOf(r.Pending) {
		title, each := g.title, ""
		if g.pods > 1 {
			title, each = fmt.Sprintf("%s, %d pods", title, g.pods), " each"
		}
		s.wrapped(gap, wording.Printable(title)+": "+g.requests+each)
		if len(g.nodes) > 0 {
			s.wrapped(gap+gap, placesOf(g.nodes, "placed on "))
		}
		for i, message := range g.messages {
			count := ""
			if g.pods > 1 {
				count = wording.Count(int64(len(g.messagesOf(message))), "pod") + ": "
			}
			s.wrapped(gap+gap, count+wording.Printable(message))
			if i == len(g.messages)-1 {
				s.waits(g.remain[len(g.remain)-1])
			}
		}
	}
	s.WriteString("\n")
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

// drained writes where the pods of a drained node go.
func (s *sheet) drained(d *Drain) {
	if d == nil {
		return
	}
	evicted, preempted, waiting, rest := 0, 0, 0, []string(nil)
	for i := range d.Pods {
		p := &d.Pods[i]
		switch {
		case p.From == d.Node:
			evicted++
		case p.Preempted:
			preempted++
		}
		switch {
		case p.Gone:
		case p.To != "":
			rest = append(rest, wording.Printable(p.Pod)+" on "+wording.Printable(p.To))
		case p.Message != "":
			waiting++
			rest = append(rest, wording.Printable(p.Pod)+" waits: "+wording.Printable(p.Message))
		}
	}
	others := ""
	if preempted > 0 {
		others = fmt.Sprintf(", and %s are preempted for others", wording.Count(int64(preempted), "pod"))
	}
	s.wrapped("", fmt.Sprintf("Draining %s evicts %s%s; of those that are created instead, %d wait:", wording.Printable(d.Node), wording.Count(int64(evicted), "pod"), others, waiting))
	for _, line := range slices.Concat(rest, d.Missing) {
		s.wrapped(gap, wording.Printable(line))
	}
	if len(rest) == 0 {
		s.wrapped(gap, "none: the input has no controller of them")
	}
	s.WriteString("\n")
}

// messagesOf returns the pods with a message.
func (g *group) messagesOf(message string) (pods []*Pending) {
	for _, p := range g.remain {
		if p.Message == message {
			pods = append(pods, p)
		}
	}
	return pods
}

func groupsOf(pending []Pending) []*group {
	var groups []*group
	known := map[[3]string]*group{}
	for i := range pending {
		p := &pending[i]
		key := [3]string{p.Namespace, cmp.Or(p.Owner, p.Name), p.Requests.inWords()}
		g := known[key]
		if g == nil {
			g = &group{title: p.Namespace + "/" + key[1], requests: key[2]}
			known[key] = g
			groups = append(groups, g)
		}
		g.pods++
		if p.Node != "" {
			g.nodes = append(g.nodes, p.Node)
			continue
		}
		g.remain = append(g.remain, p)
		if !slices.Contains(g.messages, p.Message) {
			g.messages = append(g.messages, p.Message)
		}
	}
	return groups
}

// placesOf returns "placed on worker-1 (2), worker-2".
func placesOf(nodes []string, prefix string) string {
	count := map[string]int{}
	var distinct []string
	for _, name := range nodes {
		if count[name]++; count[name] == 1 {
			distinct = append(distinct, name)
		}
	}
	for i, name := range distinct {
		distinct[i] = wording.Printable(name)
		if count[name] > 1 {
			distinct[i] += fmt.Sprintf(" (%d)", count[name])
		}
	}
	return prefix + strings.Join(distinct, ", ")
}
