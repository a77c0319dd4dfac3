package peak

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/taskgraph"
)

// DemandOf returns for each resource the largest sum of requests of tasks of a run that can run at the
// same time, for any durations. Finally tasks run after all Tasks. It is exact at any scale. Tasks that are
// skipped or fail may lower the actual peak. The error, if any, wraps each *field.Error of the tasks, as
// affinity.Validate returns them, and of the names in Only that the run does not have.
//
// Cost: for n tasks and e edges, sorting e, n bits for each edge that does not follow from others, and a maximum flow
// for each resource. See the package comment for how that grows. Amounts whose sum does not fit 64 bits take several
// times as long.
func DemandOf(run *affinity.Run, opts Options) (Demand, error) {
	if run == nil {
		return Demand{}, aggregate.Of([]*field.Error{field.Required(field.NewPath("run"), "")})
	}
	tasks, last := nodesOf("tasks", run.Tasks), nodesOf("finally", run.Finally)
	all, only := slices.Concat(run.Tasks, run.Finally), sets.New(opts.Only...)
	faults := append(taskgraph.Validate(tasks, last), checkOnly(all, opts.Only)...)
	if err := aggregate.Of(faults); err != nil {
		return Demand{}, err
	}
	before := lastOf(run.Tasks)
	for i := range last {
		last[i].RunAfter = before
	}
	graph := append(tasks, last...)
	for i := range all {
		task := &all[i]
		graph[i].FanOut = max(task.FanOut, 1)
		if opts.OverlapRetries && task.Retries > 0 {
			graph[i].FanOut *= 2
		}
		if task.NoPod || opts.Only != nil && !only.Has(task.Name) {
			graph[i].FanOut = 0 // it requests nothing, but keeps its place in the order
		}
	}
	return demandOf(graph), nil
}

// nodesOf returns tasks of a run with what is validated of them. It shares their lists.
func nodesOf(name string, tasks []affinity.Task) []taskgraph.Task {
	nodes := make([]taskgraph.Task, len(tasks))
	for i := range tasks {
		t := &tasks[i]
		nodes[i] = taskgraph.Task{
			Path: field.NewPath(name).Index(i), Name: t.Name, RunAfter: t.RunAfter,
			Requests: t.Requests, Retries: t.Retries, FanOut: t.FanOut,
		}
	}
	return nodes
}

func checkOnly(tasks []affinity.Task, only []string) (faults field.ErrorList) {
	known := sets.New[string]()
	for i := range tasks {
		known.Insert(tasks[i].Name)
	}
	for i, name := range only {
		if !known.Has(name) {
			faults = append(faults, field.NotFound(field.NewPath("options", "only").Index(i), name))
		}
	}
	return faults
}

// lastOf returns the names of the tasks that no other runs after.
func lastOf(tasks []affinity.Task) (last []string) {
	before := sets.New[string]()
	for i := range tasks {
		before.Insert(tasks[i].RunAfter...)
	}
	for i := range tasks {
		if !before.Has(tasks[i].Name) {
			last = append(last, tasks[i].Name)
		}
	}
	return last
}
