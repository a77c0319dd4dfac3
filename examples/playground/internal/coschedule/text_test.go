package coschedule

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// textOf returns an answer as text.
func textOf(a Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "behavior: %s\n", a.Behavior)
	for i := range a.Runs {
		writeRun(&b, &a.Runs[i])
	}
	if len(a.ToMove) > 0 {
		fmt.Fprintf(&b, "\nplaceholders to move\n  %s\n", strings.Join(a.ToMove, "\n  "))
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "note, line %d: %s\n", n.Line, n.Text)
	}
	for _, p := range a.Problems {
		fmt.Fprintf(&b, "problem, line %d: %s\n", p.Line, p.Text)
	}
	return b.String() + a.Manifests
}

func writeRun(b *strings.Builder, r *ExplainedRun) {
	fmt.Fprintf(b, "\n%s\n", r.Title)
	for _, note := range r.Notes {
		fmt.Fprintf(b, "  note: %s\n", note)
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, workspace := range r.Workspaces {
		fmt.Fprintf(w, "  workspace %s\t%s\n", workspace.Name, workspace.Claim)
	}
	w.Flush() // to memory
	for i := range r.Groups {
		writeGroup(b, &r.Groups[i])
	}
	fmt.Fprintf(b, "  over time:\n%s", r.OverTime)
	if len(r.Podless) > 0 {
		fmt.Fprintf(b, "  without a pod: %s\n", strings.Join(r.Podless, ", "))
	}
	if len(r.Deleted) > 0 {
		fmt.Fprintf(b, "  deleted when it is completed: %s\n", strings.Join(r.Deleted, ", "))
	}
}

func writeGroup(b *strings.Builder, g *Group) {
	if g.Placeholder == "" {
		fmt.Fprintf(b, "  on any nodes: %s\n", g.Tasks)
	} else {
		fmt.Fprintf(b, "  on the node of %s: %s\n", g.Placeholder, g.Tasks)
	}
	if g.Err != nil {
		fmt.Fprintf(b, "    %v\n", g.Err)
		return
	}
	for _, d := range g.Demand.Peaks {
		fmt.Fprintf(b, "    %s at once: %s, by %s\n", d.Resource, d.Amount.String(), strings.Join(d.Tasks, ", "))
	}
	for _, n := range g.Nodes {
		fmt.Fprintf(b, "    node %s: %s\n", n.Node, n.Room)
		for _, shortage := range n.Shortages {
			fmt.Fprintf(b, "      %s\n", shortage)
		}
		if n.Scheduler != "" {
			fmt.Fprintf(b, "      %s\n", n.Scheduler)
		}
	}
}
