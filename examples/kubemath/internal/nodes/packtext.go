package nodes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// packings writes how many nodes of each shape are enough.
func (s *sheet) packings(r *Report) {
	for i := range r.Packings {
		p := &r.Packings[i]
		s.Hang("Nodes ", p.title())
		s.Hang(gap, p.answer())
		for _, g := range groupsOf(p.TooLarge) {
			count := wording.Count(int64(len(g.waiting)), "pod")
			s.Hang(gap+gap, wording.Printable(g.title+": "+count+" too large for such a node: "+g.waiting[0].Message))
		}
		kept := map[string][]string{}
		for _, pod := range p.Refused {
			kept[pod.Message] = append(kept[pod.Message], pod.Namespace+"/"+cmp.Or(pod.Owner, pod.Name))
		}
		for _, why := range slices.Sorted(maps.Keys(kept)) {
			count := wording.Count(int64(len(kept[why])), "pod")
			s.Hang(gap+gap, wording.Printable(count+" may not be on such a node: "+why+": "+wording.Tally(kept[why])))
		}
		s.WriteString("\n")
	}
}

// title returns "like worker-1, of which there are 2: cpu 8, memory 32Gi", or "of cpu 8, memory 32Gi".
func (p *Packing) title() string {
	switch n := len(p.Like); n {
	case 0:
		return "of " + inWords(p.Allocatable)
	case 1:
		return "like " + wording.Printable(p.Like[0]) + ": " + inWords(p.Allocatable)
	default:
		return fmt.Sprintf("like %s, of which there are %d: %s", wording.Printable(p.Like[0]), n, inWords(p.Allocatable))
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
