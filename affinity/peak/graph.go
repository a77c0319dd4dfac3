package peak

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
)

// Graph is a set of tasks and their order: the tasks of a run, the jobs of a workflow, or anything
// else that starts when others are done.
type Graph struct{ Tasks []GraphTask }

// GraphTask is a task of a Graph. The zero value of FanOut and NoPod is one pod.
type GraphTask struct {
	Name string
	// RunAfter are the tasks that are done before this one begins.
	RunAfter []string
	// Requests is what one pod of the task requests.
	Requests corev1.ResourceList
	// FanOut is the number of pods that the task runs at the same time. 0 means 1.
	FanOut int
	// NoPod means that the task has no pod: it requests nothing, but keeps its place in the order.
	NoPod bool
}

// pods returns how many pods a task runs at the same time.
func (t *GraphTask) pods() int64 {
	if t.NoPod {
		return 0
	}
	return int64(max(t.FanOut, 1))
}

// GraphOf returns the graph of a run that DemandOf uses: its Finally tasks run after all Tasks.
// Nothing is validated, and the result owns its memory. A nil run has no tasks.
//
// Cost: proportional to the number of edges. There is one for each pair of a task that no other runs
// after, and one of Finally.
func GraphOf(run *affinity.Run, opts Options) Graph {
	g := graphOf(run, opts)
	for i := range g.Tasks {
		t := &g.Tasks[i]
		t.RunAfter, t.Requests = slices.Clone(t.RunAfter), t.Requests.DeepCopy()
	}
	return g
}

// graphOf is GraphOf, but shares the lists of the tasks.
func graphOf(run *affinity.Run, opts Options) Graph {
	if run == nil {
		return Graph{}
	}
	only := map[string]bool{}
	for _, name := range opts.Only {
		only[name] = true
	}
	g := Graph{Tasks: make([]GraphTask, 0, len(run.Tasks)+len(run.Finally))}
	add := func(task *affinity.Task, after []string) {
		t := GraphTask{
			Name: task.Name, RunAfter: after, Requests: task.Requests, FanOut: max(task.FanOut, 1),
			NoPod: task.NoPod || opts.Only != nil && !only[task.Name],
		}
		if opts.OverlapRetries && task.Retries > 0 {
			t.FanOut *= 2
		}
		g.Tasks = append(g.Tasks, t)
	}
	for i := range run.Tasks {
		add(&run.Tasks[i], run.Tasks[i].RunAfter)
	}
	last := lastOf(run.Tasks)
	for i := range run.Finally {
		add(&run.Finally[i], last)
	}
	return g
}

// lastOf returns the names of the tasks that no other runs after.
func lastOf(tasks []affinity.Task) (last []string) {
	before := map[string]bool{}
	for i := range tasks {
		for _, name := range tasks[i].RunAfter {
			before[name] = true
		}
	}
	for i := range tasks {
		if !before[tasks[i].Name] {
			last = append(last, tasks[i].Name)
		}
	}
	return last
}

// Demand returns for each resource the largest sum of requests of tasks that can run at the same
// time, for any durations. It is exact at any scale. Tasks that are skipped or fail may lower the
// actual peak. The error, if any, is an *affinity.InvalidRunError with the errors of
// affinity.ValidateTasks.
//
// For each resource, the greatest weight of a set of tasks of which none runs after
// another (an antichain) is found as the cheapest cut of a network (R. P. Dilworth; L. R.
// Ford and D. R. Fulkerson). Cost: for n tasks and e edges, sorting e, n bits for each
// edge that does not follow from others, and a maximum flow for each resource. See the package
// comment for how that grows. Amounts whose sum, in the smallest unit that occurs, does not fit
// 64 bits take several times as long.
func (g Graph) Demand() (Demand, error) {
	run := &affinity.Run{Tasks: make([]affinity.Task, len(g.Tasks))}
	for i, t := range g.Tasks {
		run.Tasks[i] = affinity.Task{Name: t.Name, RunAfter: t.RunAfter, Requests: t.Requests, FanOut: t.FanOut, NoPod: t.NoPod}
	}
	if faults := affinity.ValidateTasks(run); len(faults) > 0 {
		return nil, &affinity.InvalidRunError{Errors: faults}
	}
	return g.demand(), nil
}

// DemandOf returns what a run requests at its peaks: the Demand of GraphOf. The error, if any, is
// an *affinity.InvalidRunError with what affinity.ValidateTasks returns, and the names in Only that
// the run does not have.
func DemandOf(run *affinity.Run, opts Options) (Demand, error) {
	faults := affinity.ValidateTasks(run)
	faults = append(faults, checkOnly(run, opts.Only)...)
	if len(faults) > 0 {
		return nil, &affinity.InvalidRunError{Errors: faults}
	}
	return graphOf(run, opts).demand(), nil
}

func checkOnly(run *affinity.Run, only []string) (faults field.ErrorList) {
	if run == nil || len(only) == 0 {
		return nil
	}
	known := map[string]bool{}
	for _, tasks := range [...][]affinity.Task{run.Tasks, run.Finally} {
		for i := range tasks {
			known[tasks[i].Name] = true
		}
	}
	for i, name := range only {
		if !known[name] {
			faults = append(faults, field.NotFound(field.NewPath("options", "only").Index(i), name))
		}
	}
	return faults
}
