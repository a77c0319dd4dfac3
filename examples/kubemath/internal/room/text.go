package room

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// mostNodes is how many nodes of a workload are named.
const mostNodes = 10

func (r *Report) write(s *command.Session) {
	for i := range r.Workloads {
		r.Workloads[i].write(s)
	}
	for _, problem := range r.Problems {
		s.Wrap("note: ", problem)
	}
}

// rows returns a row for each workload.
func (r *Report) rows() *listing.List {
	l := &listing.List{Columns: []string{"NAMESPACE", "KIND", "NAME", "ROOM", "NODES", "NEXT"}}
	for i := range r.Workloads {
		w, room := &r.Workloads[i], any("unlimited")
		if w.Pods != nil {
			room = *w.Pods
		}
		l.Add(listing.NameOf(w.Kind, w.Name), w.Namespace, w.Kind, w.Name, room, len(w.On), listing.Text(w.Next))
	}
	return l
}

func (w *Workload) write(s *command.Session) {
	more := "any number of pods: no nodes are known, and no quota limits them"
	if w.Pods != nil {
		more = wording.Count(*w.Pods, "more pod")
	}
	s.Wrap(w.Kind+" "+wording.Printable(w.Namespace+"/"+w.Name)+": ", more)
	if len(w.On) > 0 {
		s.Wrap("  on ", w.nodes())
	}
	if w.Next != "" {
		s.Wrap("  the next: ", wording.Printable(w.Next))
	}
	if w.Depends {
		s.Wrap("  ", "the API server may decide otherwise, because it uses LimitRanges in no fixed order")
	}
	if len(w.NotConsidered) > 0 {
		s.Wrap("  not considered: ", wording.Printable(strings.Join(w.NotConsidered, ", ")))
	}
	s.Line("")
}

// nodes returns the nodes with their pods, those with the most pods first.
func (w *Workload) nodes() string {
	names := slices.Sorted(maps.Keys(w.On))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(w.On[b], w.On[a]) })
	var parts []string
	for _, name := range names[:min(len(names), mostNodes)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", wording.Printable(name), w.On[name]))
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}
