package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// explain prints in words what is planned, what the runs need, and where there is room.
func explain(b *strings.Builder, in *input, all []planned, o options) {
	fmt.Fprintf(b, "behavior: %v\n", o.behavior)
	for i := range all {
		p := &all[i]
		fmt.Fprintf(b, "\n%s\n", p.title())
		for _, note := range p.notes {
			fmt.Fprintf(b, "  note: %s\n", note)
		}
		explainWorkspaces(b, p)
		for _, g := range groupsOf(p) {
			explainGroup(b, p, g, roomsOf(in, p.run))
		}
		if podless := podlessOf(p); len(podless) > 0 {
			fmt.Fprintf(b, "  without a pod: %s\n", strings.Join(podless, ", "))
		}
		if gone := slices.Concat(p.plan.DeleteStatefulSets, p.plan.DeleteClaims); len(gone) > 0 {
			fmt.Fprintf(b, "  deleted when it is completed: %s\n", strings.Join(gone, ", "))
		}
	}
	explainPlaceholders(b, in)
}

func explainWorkspaces(b *strings.Builder, p *planned) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, binding := range p.plan.Workspaces {
		claim := "no claim"
		if binding.Claim != "" {
			claim = "claim " + binding.Claim + ", " + originOf(p, binding)
		}
		fmt.Fprintf(w, "  workspace %s\t%s\n", binding.Workspace, claim)
	}
	w.Flush() // to memory
}

// originOf says who makes a claim.
func originOf(p *planned, binding affinity.Binding) string {
	byName := func(claim corev1.PersistentVolumeClaim) bool { return claim.Name == binding.Claim }
	switch {
	case slices.ContainsFunc(p.plan.Claims, byName):
		return "to be created"
	case slices.ContainsFunc(p.plan.Provisioned, byName):
		return "made by the StatefulSet"
	default:
		return "there already"
	}
}

// group is the tasks of a run that are held together, or, without a placeholder, those that
// are not held.
type group struct {
	assistant string
	pod       *corev1.PodSpec     // of the placeholder
	least     corev1.ResourceList // what is left of its requests when it has made way
	tasks     []string
}

// groupsOf returns the placeholders of a run with their tasks, and then the other tasks.
func groupsOf(p *planned) (groups []group) {
	tasks := map[string][]string{}
	for _, t := range p.plan.Tasks {
		if t.Refused == nil && p.hasPod(t) {
			tasks[t.Assistant] = append(tasks[t.Assistant], t.Task)
		}
	}
	for _, set := range p.plan.StatefulSets {
		groups = append(groups, group{set.Name, &set.Spec.Template.Spec, p.least[set.Name], tasks[set.Name]})
	}
	if free := tasks[""]; free != nil {
		groups = append(groups, group{tasks: free})
	}
	return groups
}

// podlessOf returns the tasks of a run that have no pod.
func podlessOf(p *planned) (tasks []string) {
	for _, t := range p.plan.Tasks {
		if !p.hasPod(t) {
			tasks = append(tasks, t.Task)
		}
	}
	return tasks
}

func explainGroup(b *strings.Builder, p *planned, g group, nodes rooms) {
	who := strings.Join(g.tasks, ", ")
	switch {
	case p.tasksUnknown:
		who = "tasks that are not known"
	case len(g.tasks) == 0:
		who = "no task"
	}
	if g.assistant == "" {
		fmt.Fprintf(b, "  on any nodes: %s\n", who)
	} else {
		fmt.Fprintf(b, "  on the node of %s: %s\n", g.assistant, who)
	}
	demand, err := peak.DemandOf(p.run, peak.Options{Only: append([]string{}, g.tasks...)})
	if err != nil {
		fmt.Fprintf(b, "    %v\n", err) // no plan has such tasks
		return
	}
	for _, d := range demand {
		fmt.Fprintf(b, "    %s at once: %s, by %s\n", d.Resource, d.Amount.String(), strings.Join(d.Tasks, ", "))
	}
	if g.assistant == "" {
		return
	}
	placeholder := noderesources.RequestOfSpec(g.pod, computeresources.Options{})
	requests := g.pod.Containers[0].Resources.Requests
	for _, v := range peak.Nodes(demand.WithShrinking(requests, g.least), nodes.candidates) {
		fmt.Fprintf(b, "    node %s: %s\n", v.Node, verdicts[v.Room])
		for i := range v.Deficits {
			fmt.Fprintf(b, "      %v\n", &v.Deficits[i])
		}
		explainPlaceholder(b, v.Room, nodes.ledgers[v.Node].Fit(placeholder, noderesources.FitOptions{}))
	}
}

// explainPlaceholder describes what the scheduler does, which only sees the placeholder.
func explainPlaceholder(b *strings.Builder, room peak.Room, shortages noderesources.Shortages) {
	switch err := shortages.Err(); {
	case err != nil:
		fmt.Fprintf(b, "      the scheduler does not put the placeholder there: %v\n", err)
	case room != peak.Holds:
		b.WriteString("      the scheduler may put the placeholder there\n")
	}
}

var verdicts = map[peak.Room]string{
	peak.Holds: "has room for it and the placeholder",
	peak.Waits: "has room for one after the other",
	peak.Never: "has no room for some task",
}
