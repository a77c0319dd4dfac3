package peak

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/taskgraph"
)

// graphTask is a task in the graph of a run.
type graphTask struct {
	Name     string
	RunAfter []string // the tasks that are done before this one begins
	Requests corev1.ResourceList
	FanOut   int  // at least 1
	NoPod    bool // it requests nothing, but keeps its place in the order
}

// pods returns how many pods a task runs at the same time.
func (t *graphTask) pods() int64 {
	if t.NoPod {
		return 0
	}
	return int64(t.FanOut)
}

// graphOf returns the tasks of a run in one graph: its Finally tasks run after all Tasks. It shares the lists of
// the tasks.
func graphOf(run *affinity.Run, opts Options) []graphTask {
	only := map[string]bool{}
	for _, name := range opts.Only {
		only[name] = true
	}
	graph := make([]graphTask, 0, len(run.Tasks)+len(run.Finally))
	add := func(task *affinity.Task, after []string) {
		t := graphTask{
			Name: task.Name, RunAfter: after, Requests: task.Requests, FanOut: max(task.FanOut, 1),
			NoPod: task.NoPod || opts.Only != nil && !only[task.Name],
		}
		if opts.OverlapRetries && task.Retries > 0 {
			t.FanOut *= 2
		}
		graph = append(graph, t)
	}
	for i := range run.Tasks {
		add(&run.Tasks[i], run.Tasks[i].RunAfter)
	}
	last := lastOf(run.Tasks)
	for i := range run.Finally {
		add(&run.Finally[i], last)
	}
	return graph
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

// DemandOf returns for each resource the largest sum of requests of tasks of a run that can run at the
// same time, for any durations. Finally tasks run after all Tasks. It is exact at any scale. Tasks that are
// skipped or fail may lower the actual peak. The error, if any, wraps each *field.Error of the tasks, as
// affinity.Validate returns them, and of the names in Only that the run does not have.
//
// For each resource, the peak is the maximum weight of a set of tasks that do not run after
// each other (an antichain). It is found as a minimum cut of a network (R. P. Dilworth; L. R.
// Ford and D. R. Fulkerson). Cost: for n tasks and e edges, sorting e, n bits for each
// edge that does not follow from others, and a maximum flow for each resource. See the package
// comment for how that grows. Amounts whose sum, in the smallest unit that occurs, does not fit
// 64 bits take several times as long.
func DemandOf(run *affinity.Run, opts Options) (Demand, error) {
	if run == nil {
		return nil, aggregate.Of([]*field.Error{field.Required(field.NewPath("run"), "")})
	}
	faults := taskgraph.Validate(nodesOf("tasks", run.Tasks), nodesOf("finally", run.Finally))
	if err := aggregate.Of(append(faults, checkOnly(run, opts.Only)...)); err != nil {
		return nil, err
	}
	return demandOf(graphOf(run, opts)), nil
}

// nodesOf returns what is validated of the tasks of a run.
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

func checkOnly(run *affinity.Run, only []string) (faults field.ErrorList) {
	if len(only) == 0 {
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
