package nodes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// How many nodes are enough, and what is not counted, as text.

func (s *sheet) packings(r *Report) {
	for i := range r.Packings {
		p := &r.Packings[i]
		s.wrapped("Nodes ", p.title())
		s.wrapped(gap, p.answer())
		for _, g := range groupsOf(p.TooLarge) {
			count := wording.Count(int64(len(g.waiting)), "pod")
			s.wrapped(gap+gap, wording.Printable(g.title+": "+count+" too large for such a node: "+g.waiting[0].Message))
		}
		kept := map[string][]string{}
		for _, pod := range p.Refused {
			kept[pod.Message] = append(kept[pod.Message], pod.Namespace+"/"+cmp.Or(pod.Owner, pod.Name))
		}
		for _, why := range slices.Sorted(maps.Keys(kept)) {
			count := wording.Count(int64(len(kept[why])), "pod")
			s.wrapped(gap+gap, wording.Printable(count+" may not be on such a node: "+why+": "+wording.Tally(kept[why])))
		}
		s.WriteString("\n")
	}
}

// title returns "like worker-1, of which there are 2: cpu 8, memory 32Gi", or "of cpu 8, memory 32Gi".
func (p *Packing) title() string {
	switch n := len(p.Like); n {
	case 0:
		return "of " + p.Allocatable.inWords()
	case 1:
		return "like " + wording.Printable(p.Like[0]) + ": " + p.Allocatable.inWords()
	default:
		return fmt.Sprintf("like %s, of which there are %d: %s", wording.Printable(p.Like[0]), n, p.Allocatable.inWords())
	}
}

// answer returns how many nodes are enough.
func (p *Packing) answer() string {
	daemons, be := wording.Count(int64(p.PerNode), "pod")+" of DaemonSets on each", map[bool]string{true: "is", false: "are"}
	text := fmt.Sprintf("%s %s enough for %s, in addition to %s; at least %d %s needed", wording.Count(int64(p.Nodes), "node"), be[p.Nodes == 1],
		wording.Count(int64(p.Pods), "pod"), daemons, p.LowerBound, be[p.LowerBound == 1])
	if p.Pods == 0 {
		text = "no pod goes to such a node, but " + daemons
	}
	if p.PerNode == 0 {
		text = strings.NewReplacer(", in addition to "+daemons, "", ", but "+daemons, "").Replace(text)
	}
	return text
}

func (s *sheet) remarks(r *Report) {
	var cordoned []string
	for i := range r.Nodes {
		if r.Nodes[i].Unschedulable {
			cordoned = append(cordoned, wording.Printable(r.Nodes[i].Name))
		}
	}
	if slices.ContainsFunc(r.Nodes, func(n Node) bool { return len(n.Usage) > 0 }) {
		s.wrapped("", "Used: of the allocatable amounts. It includes what the system uses, so it may exceed 100%.")
	}
	for _, object := range r.NotComputed {
		s.wrapped("", "Not computed: "+wording.Printable(object))
	}
	if len(cordoned) > 0 {
		s.wrapped("", "Cordoned: "+strings.Join(cordoned, ", "))
	}
	for i := range r.Nodes {
		if n := &r.Nodes[i]; len(n.Taints) > 0 {
			s.wrapped("", "Taints of "+wording.Printable(n.Name)+": "+wording.Printable(strings.Join(n.Taints, ", ")))
		}
	}
	if r.Ended > 0 {
		s.wrapped("", "Not counted, because they have ended or were deleted before they had a node: "+wording.Count(int64(r.Ended), "pod")+".")
	}
	if len(r.Elsewhere) > 0 {
		pods := 0
		for _, n := range r.Elsewhere {
			pods += n
		}
		s.wrapped("", fmt.Sprintf("Not counted: %s on %s that are not in the input.", wording.Count(int64(pods), "pod"),
			wording.Count(int64(len(r.Elsewhere)), "node")))
	}
	unknown := map[string]int{}
	for i := range r.Pending {
		for _, field := range r.Pending[i].Unknown {
			unknown[field]++
		}
	}
	for _, field := range slices.Sorted(maps.Keys(unknown)) {
		s.wrapped("", fmt.Sprintf("Not considered: %s of %s.", wording.Printable(field),
			wording.Count(int64(unknown[field]), "pending pod")))
	}
}
