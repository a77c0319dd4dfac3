package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// remarks writes what is not counted, and what keeps pods away.
func (s *sheet) remarks(r *Report) {
	var cordoned []string
	for i := range r.Nodes {
		if r.Nodes[i].Unschedulable {
			cordoned = append(cordoned, wording.Printable(r.Nodes[i].Name))
		}
	}
	if slices.ContainsFunc(r.Nodes, func(n Node) bool { return len(n.Usage) > 0 }) {
		s.Hang("", "Used: of the allocatable amounts. It includes what the system uses, so it may exceed 100%.")
	}
	for _, object := range r.NotComputed {
		s.Hang("", "Not computed: "+wording.Printable(object))
	}
	if len(cordoned) > 0 {
		s.Hang("", "Cordoned: "+wording.Tally(cordoned))
	}
	tainted := map[string][]string{}
	for i := range r.Nodes {
		if n := &r.Nodes[i]; len(n.Taints) > 0 {
			taints := strings.Join(n.Taints, ", ")
			tainted[taints] = append(tainted[taints], n.Name)
		}
	}
	for _, taints := range slices.Sorted(maps.Keys(tainted)) {
		s.Hang("", wording.Printable("Taints of "+wording.Tally(tainted[taints])+": "+taints))
	}
	if r.Ended > 0 {
		s.Hang("", "Not counted, because they have ended or were deleted before they had a node: "+wording.Count(int64(r.Ended), "pod")+".")
	}
	if len(r.Elsewhere) > 0 {
		pods := 0
		for _, n := range r.Elsewhere {
			pods += n
		}
		s.Hang("", fmt.Sprintf("Not counted: %s on %s that are not in the input.", wording.Count(int64(pods), "pod"),
			wording.Count(int64(len(r.Elsewhere)), "node")))
	}
	s.notConsidered(r.Pending, "pending pod", "")
	if r.Drain != nil {
		s.notConsidered(r.Drain.Pods, "pod", " of the drain")
	}
}

// notConsidered writes which fields of pods decide where they go, and were not considered.
func (s *sheet) notConsidered(pods []Pending, what, of string) {
	unknown := map[string]int{}
	for i := range pods {
		for _, field := range pods[i].Unknown {
			unknown[field]++
		}
	}
	for _, field := range slices.Sorted(maps.Keys(unknown)) {
		s.Hang("", fmt.Sprintf("Not considered: %s of %s%s.", wording.Printable(field), wording.Count(int64(unknown[field]), what), of))
	}
}
