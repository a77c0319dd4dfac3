package taskgraph_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/taskgraph"
	"github.com/kubemath/kubemath/internal/testkit"
)

// validate returns each error as a line.
func validate(tasks, last []taskgraph.Task) (lines []string) {
	for i := range tasks {
		tasks[i].Path = field.NewPath("tasks").Index(i)
	}
	for i := range last {
		last[i].Path = field.NewPath("finally").Index(i)
	}
	for _, e := range taskgraph.Validate(tasks, last) {
		lines = append(lines, e.Error())
	}
	return lines
}

func TestValidate(t *testing.T) {
	type tasks = []taskgraph.Task
	task := func(name string, after ...string) taskgraph.Task { return taskgraph.Task{Name: name, RunAfter: after} }
	scaled := func(value int64, scale resource.Scale) corev1.ResourceList {
		return corev1.ResourceList{"cpu": *resource.NewScaledQuantity(value, scale)}
	}
	for _, test := range []struct {
		name        string
		tasks, last tasks
		want        []string
	}{
		{"nothing", nil, nil, nil},
		{"in any order", tasks{task("c", "b", "a", "a"), task("b", "a"), task("a")}, tasks{task("d")}, nil},
		{"names", tasks{task(""), task("a"), task("a"), task("")}, tasks{task("a"), task("b"), task("")}, []string{
			"tasks[0].name: Required value", `tasks[2].name: Duplicate value: "a"`, "tasks[3].name: Required value",
			`finally[0].name: Duplicate value: "a"`, "finally[2].name: Required value",
		}},
		{"the first task of a name is the one that others run after", tasks{task("a", "b"), task("b", "a"), task("a")}, nil, []string{
			`tasks[2].name: Duplicate value: "a"`, `tasks[0].runAfter: Invalid value: "a -> b -> a": the tasks run after each other`,
		}},
		{"runs after an unknown task", tasks{task("a", "b", "x", "y"), task("b")}, tasks{task("y")}, []string{
			`tasks[0].runAfter[1]: Not found: "x"`, `tasks[0].runAfter[2]: Not found: "y"`,
		}},
		{"after the others", tasks{task("a")}, tasks{task("b", "a")}, []string{
			"finally[0].runAfter: Forbidden: finally tasks must not declare runAfter",
		}},
		{"numbers", tasks{{Name: "a", Retries: -1, FanOut: -1}, {Name: "b", Retries: 1, FanOut: 1 << 30}, {Name: "c", FanOut: 1<<30 + 1}}, nil, []string{
			"tasks[0].retries: Invalid value: -1: must be greater than or equal to 0",
			"tasks[0].fanOut: Invalid value: -1: must be greater than or equal to 0",
			"tasks[2].fanOut: Invalid value: 1073741825: must be less than or equal to 1073741824",
		}},
		{"requests", tasks{{Name: "a", Requests: testkit.List("memory", "-1.5Gi", "cpu", "1", "b", "-1n", "none", "0")}}, nil, []string{
			`tasks[0].requests[b]: Invalid value: "-1n": must be greater than or equal to 0`,
			`tasks[0].requests[memory]: Invalid value: "-1536Mi": must be greater than or equal to 0`,
		}},
		{"digits that can be added", tasks{{Name: "a", Requests: scaled(1, 1000)}, {Name: "b", Requests: scaled(1, -1000)}}, nil, nil},
		{"too many digits", tasks{{Name: "a", Requests: scaled(1, 1001)}, {Name: "b", Requests: scaled(1, -1001)}, {Name: "c", Requests: scaled(7, math.MinInt32+1)}}, nil, []string{
			`tasks[0].requests[cpu]: Invalid value: "1e1001": has too many digits to be added up`,
			`tasks[1].requests[cpu]: Invalid value: "1e-1001": has too many digits to be added up`,
			`tasks[2].requests[cpu]: Invalid value: "1e-2147483647": has too many digits to be added up`,
		}},
		{"cycles", tasks{task("z", "y", "a"), task("y", "z"), task("a", "c"), task("b", "c"), task("c", "b", "a", "b"), task("e", "e")}, nil, []string{
			`tasks[2].runAfter: Invalid value: "a -> c -> a": the tasks run after each other`,
			`tasks[5].runAfter: Invalid value: "e -> e": the tasks run after each other`,
			`tasks[1].runAfter: Invalid value: "y -> z -> y": the tasks run after each other`,
		}},
		{"the first of the shortest cycles", tasks{task("a", "d", "c"), task("d", "b"), task("b", "a"), task("c", "b", "e"), task("e", "a")}, nil, []string{
			`tasks[0].runAfter: Invalid value: "a -> c -> b -> a": the tasks run after each other`,
		}},
	} {
		testkit.NoDiff(t, validate(test.tasks, test.last), test.want, test.name)
	}
}

// Cycles are found where the slow twin finds them.
func TestCyclesEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tasks []taskgraph.Task
		n := rapid.IntRange(0, 8).Draw(t, "tasks")
		for i := range n {
			task := taskgraph.Task{Name: string(rune('a' + i))}
			for before := range n {
				if rapid.IntRange(0, n).Draw(t, "edge") == 0 {
					task.RunAfter = append(task.RunAfter, string(rune('a'+before)))
				}
			}
			tasks = append(tasks, task)
		}
		tasks = rapid.Permutation(tasks).Draw(t, "order")
		testkit.NoDiff(t, validate(tasks, nil), slowCycles(tasks))
	})
}

// slowCycles is the slow twin of the search for cycles. For each task that is in a cycle, it
// tries all paths of growing length back to the task. Of the cycles that share a group of tasks,
// it keeps the one through the first task.
func slowCycles(tasks []taskgraph.Task) (errors []string) {
	waitsFor, places := map[string][]string{}, map[string]int{}
	var names []string
	for i, task := range tasks {
		names, places[task.Name] = append(names, task.Name), i
		waitsFor[task.Name] = slices.Sorted(slices.Values(task.RunAfter))
	}
	slices.Sort(names)
	done := map[string]bool{}
	for _, name := range names {
		if done[name] || !leads(waitsFor, name, name) {
			continue
		}
		cycle := strings.Join(shortest(waitsFor, name), " -> ")
		errors = append(errors, fmt.Sprintf("tasks[%d].runAfter: Invalid value: %q: the tasks run after each other", places[name], cycle))
		for _, other := range names {
			if leads(waitsFor, name, other) && leads(waitsFor, other, name) {
				done[other] = true
			}
		}
	}
	return errors
}

// leads reports whether a task waits for another, directly or through other tasks.
func leads(waitsFor map[string][]string, from, to string) bool {
	seen := map[string]bool{}
	var visit func(string) bool
	visit = func(task string) bool {
		for _, next := range waitsFor[task] {
			if next == to {
				return true
			}
			if !seen[next] {
				seen[next] = true
				if visit(next) {
					return true
				}
			}
		}
		return false
	}
	return visit(from)
}

// shortest tries all paths of one step, in order, then all paths of two steps, and so on.
func shortest(waitsFor map[string][]string, name string) []string {
	for length := 1; ; length++ {
		var try func(way []string) []string
		try = func(way []string) []string {
			last := way[len(way)-1]
			if len(way) == length+1 {
				if last == name {
					return way
				}
				return nil
			}
			for _, next := range waitsFor[last] {
				if found := try(append(slices.Clone(way), next)); found != nil {
					return found
				}
			}
			return nil
		}
		if found := try([]string{name}); found != nil {
			return found
		}
	}
}
