package coschedule

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Explanation is the plan in words: what the runs need, and which nodes have room.
type Explanation struct {
	Behavior string // in the words of TEP-0135
	Runs     []ExplainedRun
	ToMove   []string // the placeholders that have to move, with the reason
}

// ExplainedRun is what is planned for a run.
type ExplainedRun struct {
	Title      string
	Notes      []string // what is unknown
	Workspaces []ExplainedWorkspace
	Groups     []Group
	Podless    []string // tasks without a pod
	Deleted    []string // objects that are deleted when the run is completed
	OverTime   string   // what becomes of its pods, as kubemath tekton writes it
}

// ExplainedWorkspace is a workspace of a run, and its claim in words.
type ExplainedWorkspace struct{ Name, Claim string }

// Group is the tasks of a run that are kept on one node, or, without a placeholder, the others.
type Group struct {
	Placeholder string
	Tasks       string // in words
	Demand      peak.Demand
	Err         error            // why there is no demand
	Nodes       []GroupCandidate // for the placeholder
}

// GroupCandidate is a node that a group may be kept on.
type GroupCandidate struct {
	Node      string
	Room      string   // in words
	Shortages []string // none if it has room for all at once
	Scheduler string   // the decision of the scheduler, if it is another one
}

func explain(in *input, all []planned, behavior affinity.Behavior) Explanation {
	e := Explanation{Behavior: inWords(behavior), ToMove: placeholdersToMove(in)}
	for i := range all {
		e.Runs = append(e.Runs, explainRun(in, &all[i]))
	}
	return e
}

// inWords returns a behavior in the words of TEP-0135.
func inWords(b affinity.Behavior) string {
	switch b {
	case affinity.PerWorkspace:
		return "coschedule workspaces"
	case affinity.PerRun:
		return "coschedule pipelineruns"
	case affinity.PerRunIsolated:
		return "isolate pipelineruns"
	case affinity.Disabled:
		return "disabled"
	}
	return string(b)
}

func explainRun(in *input, p *planned) ExplainedRun {
	r := ExplainedRun{
		Title: p.title(), Notes: p.notes, Podless: podlessOf(p),
		Deleted: slices.Concat(p.plan.DeleteStatefulSets, p.plan.DeleteClaims),
	}
	for _, binding := range p.plan.Workspaces {
		claim := "no claim"
		if binding.Claim != "" {
			claim = "claim " + binding.Claim + ", " + originOf(p, binding)
		}
		r.Workspaces = append(r.Workspaces, ExplainedWorkspace{binding.Workspace, claim})
	}
	for _, g := range groupsOf(p) {
		r.Groups = append(r.Groups, explainGroup(p, g, roomsOf(in, p.run)))
	}
	return r
}

// originOf returns who creates a claim.
func originOf(p *planned, binding affinity.Binding) string {
	byName := func(claim corev1.PersistentVolumeClaim) bool { return claim.Name == binding.Claim }
	switch {
	case slices.ContainsFunc(p.plan.Claims, byName):
		return "to be created"
	case slices.ContainsFunc(p.plan.Provisioned, byName):
		return "created by the StatefulSet"
	default:
		return "exists already"
	}
}

// group is the tasks of a run that are kept on one node, or, without a placeholder, the others.
type group struct {
	assistant string
	pod       *corev1.PodSpec // of the placeholder
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
		groups = append(groups, group{set.Name, &set.Spec.Template.Spec, tasks[set.Name]})
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

func explainGroup(p *planned, g group, nodes map[string]*noderesources.Ledger) Group {
	e := Group{Placeholder: g.assistant, Tasks: strings.Join(g.tasks, ", ")}
	switch {
	case p.tasksUnknown:
		e.Tasks = "unknown tasks"
	case len(g.tasks) == 0:
		e.Tasks = "no task"
	}
	e.Demand, e.Err = peak.DemandOf(p.run, peak.Options{Only: append([]string{}, g.tasks...)}) // cannot fail: no plan has such tasks
	if g.assistant == "" || e.Err != nil {
		return e
	}
	placeholder := noderesources.SpecRequest(g.pod, computeresources.Options{})
	requests := g.pod.Containers[0].Resources.Requests
	demand := e.Demand.With(requests, requests)
	for _, v := range peak.Nodes(demand, nodes) {
		c := GroupCandidate{Node: v.Node, Room: verdicts[v.Room]}
		for i := range v.Shortages {
			c.Shortages = append(c.Shortages, explainShortage(demand, &v.Shortages[i]))
		}
		c.Scheduler = explainPlaceholder(v.Room, nodes[v.Node].Shortages(placeholder, noderesources.FitOptions{}))
		e.Nodes = append(e.Nodes, c)
	}
	return e
}

// explainShortage describes a shortage: what which tasks want together, and what is free.
func explainShortage(demand peak.Demand, s *noderesources.Shortage) string {
	wanted, _ := demand.Peak(s.Resource)
	tasks := ""
	if len(wanted.Tasks) > 0 {
		tasks = " by " + strings.Join(wanted.Tasks, ", ")
	}
	free := resourcelist.Quantity(s.Resource, s.Capacity-s.Used)
	return fmt.Sprintf("%v: %v wanted at once%s, %v free", s, &wanted.Amount, tasks, &free)
}

// explainPlaceholder describes the decision of the scheduler, which only sees the placeholder.
func explainPlaceholder(room peak.Room, shortages noderesources.Shortages) string {
	err := shortages.Err()
	switch {
	case err != nil:
		return "the scheduler does not put the placeholder there: " + err.Error()
	case room != peak.Holds:
		return "the scheduler may put the placeholder there"
	}
	return ""
}

var verdicts = map[peak.Room]string{
	peak.Holds: "has room for the run and the placeholder",
	peak.Waits: "has room for tasks one at a time",
	peak.Never: "has no room for at least one task",
}
