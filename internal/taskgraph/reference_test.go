package taskgraph_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/internal/taskgraph"
)

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
