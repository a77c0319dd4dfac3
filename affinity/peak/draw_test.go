package peak_test

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// runs draws runs of up to the given number of tasks, in any order, sparse and dense, with up to
// three finally tasks.
func runs(tasks int, quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*affinity.Run] {
	notNegative := quantities.Filter(func(q resource.Quantity) bool { return q.Sign() >= 0 })
	return rapid.Custom(func(t *rapid.T) *affinity.Run {
		run := &affinity.Run{Name: "run", UID: "uid"}
		n := rapid.IntRange(0, tasks).Draw(t, "tasks")
		density := rapid.IntRange(1, 8).Draw(t, "density")
		for i := range n {
			task := drawTask(t, fmt.Sprintf("t-%02d", rapid.IntRange(0, 9).Draw(t, "name")*100+i), notNegative)
			for before := range i {
				if rapid.IntRange(0, density).Draw(t, "edge") == 0 {
					task.RunAfter = append(task.RunAfter, run.Tasks[before].Name)
				}
			}
			run.Tasks = append(run.Tasks, task)
		}
		run.Tasks = rapid.Permutation(run.Tasks).Draw(t, "order")
		for i := range rapid.IntRange(0, 3).Draw(t, "finally") {
			run.Finally = append(run.Finally, drawTask(t, fmt.Sprintf("f-%d", i), notNegative))
		}
		return run
	})
}

func drawTask(t *rapid.T, name string, quantities *rapid.Generator[resource.Quantity]) affinity.Task {
	task := affinity.Task{Name: name, Retries: rapid.IntRange(0, 2).Draw(t, "retries"), Requests: testkit.ResourceList(quantities).Draw(t, "requests")}
	if rapid.IntRange(0, 3).Draw(t, "fans out") == 0 {
		task.FanOut = rapid.IntRange(0, 3).Draw(t, "fan-out")
	}
	task.NoPod = rapid.IntRange(0, 7).Draw(t, "no pod") == 0
	return task
}

// rooms are all answers about a node.
var rooms = []peak.Room{peak.Holds, peak.Waits, peak.Never}

// options draws options for a run.
func options(run *affinity.Run) *rapid.Generator[peak.Options] {
	return rapid.Custom(func(t *rapid.T) peak.Options {
		opts := peak.Options{OverlapRetries: rapid.Bool().Draw(t, "overlap")}
		if names := names(run); len(names) > 0 && rapid.IntRange(0, 2).Draw(t, "only") == 0 {
			opts.Only = rapid.SliceOf(rapid.SampledFrom(names)).Draw(t, "some")
		}
		return opts
	})
}

func names(run *affinity.Run) (names []string) {
	for _, task := range slices.Concat(run.Tasks, run.Finally) {
		names = append(names, task.Name)
	}
	return names
}

// resources are those that tasks of a run request, and pods.
func resources(run *affinity.Run) []corev1.ResourceName {
	all := map[corev1.ResourceName]bool{corev1.ResourcePods: true}
	for _, task := range slices.Concat(run.Tasks, run.Finally) {
		for name := range task.Requests {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
