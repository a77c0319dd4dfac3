package affinity_test

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// largeRun has n tasks, each of which runs after all earlier ones, and one claim for each ten tasks.
func largeRun(tasks int) *affinity.Run {
	run := &affinity.Run{Name: "large", UID: "uid"}
	for i := range tasks {
		task := affinity.Task{Name: fmt.Sprintf("task-%04d", i), Workspaces: []string{fmt.Sprintf("w-%d", i/10)}}
		for before := range run.Tasks {
			task.RunAfter = append(task.RunAfter, run.Tasks[before].Name)
		}
		run.Tasks = append(run.Tasks, task)
		if i%10 == 0 {
			run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: task.Workspaces[0], ClaimTemplate: template("")})
		}
	}
	return run
}

func BenchmarkPlanFor(b *testing.B) {
	for _, behavior := range []affinity.Behavior{affinity.PerWorkspace, affinity.PerRun} {
		for _, run := range []*affinity.Run{buildRun(), largeRun(1000)} {
			b.Run(fmt.Sprintf("%v, %d tasks", behavior, len(run.Tasks)), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					result, err := affinity.PlanFor(run, with(behavior))
					if err != nil {
						b.Fatal(err)
					}
					testkit.Keep(result)
				}
			})
		}
	}
}
