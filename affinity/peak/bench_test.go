package peak_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// runOf returns a run of n tasks with some cpu and memory. The function decides whether a task runs
// after an earlier one.
func runOf(n int, after func(r *rand.Rand, before, task int) bool) *affinity.Run {
	r := rand.New(rand.NewPCG(1, 2))
	run := &affinity.Run{}
	for i := range n {
		task := affinity.Task{Name: fmt.Sprintf("task-%04d", i), Requests: corev1.ResourceList{
			corev1.ResourceCPU:    *resource.NewMilliQuantity(r.Int64N(4000), resource.DecimalSI),
			corev1.ResourceMemory: *resource.NewQuantity(r.Int64N(1<<33), resource.BinarySI),
		}}
		for before := range i {
			if after(r, before, i) {
				task.RunAfter = append(task.RunAfter, run.Tasks[before].Name)
			}
		}
		run.Tasks = append(run.Tasks, task)
	}
	return run
}

// The time as the number of tasks grows, for the shapes of pipelines, chains and layers, and for
// random graphs with a few edges for each task.
func BenchmarkGrowth(b *testing.B) {
	for _, shape := range []struct {
		name  string
		after func(*rand.Rand, int) []int
	}{
		{"without edges", func(*rand.Rand, int) []int { return nil }},
		{"a chain", func(_ *rand.Rand, task int) []int { return earlier(task, 1) }},
		{"chains of ten", func(_ *rand.Rand, task int) []int {
			if task%10 == 0 {
				return nil
			}
			return earlier(task, 1)
		}},
		{"layers of ten", func(_ *rand.Rand, task int) (before []int) {
			for i := range 10 {
				before = append(before, earlier(task/10*10, i+1)...)
			}
			return before
		}},
		{"two near ones at random", func(r *rand.Rand, task int) []int {
			return append(earlier(task, 1+r.IntN(50)), earlier(task, 1+r.IntN(50))...)
		}},
		{"two of all at random", func(r *rand.Rand, task int) []int {
			return append(earlier(task, 1+r.IntN(task+1)), earlier(task, 1+r.IntN(task+1))...)
		}},
	} {
		for _, n := range []int{100, 1_000, 10_000} {
			run := graphOf(n, shape.after)
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				b.ReportAllocs()
				demandOf(b, run)
			})
		}
	}
}

// earlier returns the task that is the given number of places before another, if there is one.
func earlier(task, by int) []int {
	if task < by {
		return nil
	}
	return []int{task - by}
}

// graphOf returns a run of n tasks with some cpu and memory. The function returns the tasks that each
// runs after.
func graphOf(n int, after func(*rand.Rand, int) []int) *affinity.Run {
	run := runOf(n, func(*rand.Rand, int, int) bool { return false })
	r := rand.New(rand.NewPCG(3, 4))
	for i := range run.Tasks {
		for _, before := range after(r, i) {
			run.Tasks[i].RunAfter = append(run.Tasks[i].RunAfter, run.Tasks[before].Name)
		}
	}
	return run
}

func demandOf(b *testing.B, run *affinity.Run) {
	for b.Loop() {
		result, err := peak.DemandOf(run, peak.Options{})
		if err != nil {
			b.Fatal(err)
		}
		testkit.Keep(result)
	}
}
