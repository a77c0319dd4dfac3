package peak

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/taskgraph"
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

// graphOf returns the graph of a run: its Finally tasks run after all Tasks. It shares the lists of the
// tasks.
func graphOf(run *affinity.Run, opts Options) Graph {
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
// actual peak. The error, if any, wraps each *field.Error of the tasks: those that affinity.Validate
// returns for the tasks of a run.
//
// For each resource, the peak is the maximum weight of a set of tasks that do not run after
// each other (an antichain). It is found as a minimum cut of a network (R. P. Dilworth; L. R.
// Ford and D. R. Fulkerson). Cost: for n tasks and e edges, sorting e, n bits for each
// edge that does not follow from others, and a maximum flow for each resource. See the package
// comment for how that grows. Amounts whose sum, in the smallest unit that occurs, does not fit
// 64 bits take several times as long.
func (g Graph) Demand() (Demand, error) {
	nodes := make([]taskgraph.Task, len(g.Tasks))
	for i := range g.Tasks {
		t := &g.Tasks[i]
		nodes[i] = taskgraph.Task{
			Path: field.NewPath("tasks").Index(i), Name: t.Name, RunAfter: t.RunAfter,
			Requests: t.Requests, FanOut: t.FanOut,
		}
	}
	if err := aggregate.Of(taskgraph.Validate(nodes, nil)); err != nil {
		return nil, err
	}
	return g.demand(), nil
}

// DemandOf returns what a run requests at its peaks: the Demand of a Graph of its tasks, in which the
// Finally tasks run after all Tasks. The error, if any, wraps each *field.Error of the tasks, as
// affinity.Validate returns them, and of the names in Only that the run does not have.
func DemandOf(run *affinity.Run, opts Options) (Demand, error) {
	if run == nil {
		return nil, aggregate.Of([]*field.Error{field.Required(field.NewPath("run"), "")})
	}
	faults := taskgraph.Validate(nodesOf("tasks", run.Tasks), nodesOf("finally", run.Finally))
	if err := aggregate.Of(append(faults, checkOnly(run, opts.Only)...)); err != nil {
		return nil, err
	}
	return graphOf(run, opts).demand(), nil
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
