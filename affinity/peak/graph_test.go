package peak_test

import (
	"slices"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
)

// asTasks returns a run without Finally tasks: they run after all others.
func asTasks(run *affinity.Run, opts peak.Options) *affinity.Run {
	var own affinity.Run
	var all []string
	for _, tasks := range [][]affinity.Task{run.Tasks, run.Finally} {
		before := all
		for _, task := range tasks {
			node := affinity.Task{Name: task.Name, RunAfter: slices.Concat(task.RunAfter, before), Requests: task.Requests, FanOut: task.FanOut}
			node.NoPod = task.NoPod || opts.Only != nil && !slices.Contains(opts.Only, task.Name)
			if opts.OverlapRetries && task.Retries > 0 {
				node.FanOut = 2 * max(task.FanOut, 1)
			}
			own.Tasks = append(own.Tasks, node)
			all = append(all, task.Name)
		}
	}
	return &own
}
