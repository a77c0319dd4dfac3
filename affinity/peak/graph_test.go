package peak_test

import (
	"slices"
	"testing"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
)

func TestGraphRejects(t *testing.T) {
	for _, test := range []struct {
		name  string
		tasks []peak.GraphTask
		want  string
	}{
		{"an unknown task", []peak.GraphTask{{Name: "a", RunAfter: []string{"b"}}}, `tasks[0].runAfter[0]: Not found: "b"`},
		{"a negative request", []peak.GraphTask{{Name: "a", Requests: list("cpu", "-1")}}, `tasks[0].requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`},
		{"negative fan-out", []peak.GraphTask{{Name: "a", FanOut: -1}}, `tasks[0].fanOut: Invalid value: -1: must be greater than or equal to 0`},
	} {
		if _, err := (peak.Graph{Tasks: test.tasks}).Demand(); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// asGraph returns a run as a graph: its Finally tasks run after all others.
func asGraph(run *affinity.Run, opts peak.Options) (g peak.Graph) {
	var all []string
	for _, tasks := range [][]affinity.Task{run.Tasks, run.Finally} {
		before := all
		for _, task := range tasks {
			node := peak.GraphTask{Name: task.Name, RunAfter: slices.Concat(task.RunAfter, before), Requests: task.Requests, FanOut: task.FanOut}
			node.NoPod = task.NoPod || opts.Only != nil && !slices.Contains(opts.Only, task.Name)
			if opts.OverlapRetries && task.Retries > 0 {
				node.FanOut = 2 * max(task.FanOut, 1)
			}
			g.Tasks = append(g.Tasks, node)
			all = append(all, task.Name)
		}
	}
	return g
}
