package affinity_test

import (
	"slices"
	"strings"

	"github.com/kubemath/kubemath/affinity"
)

// slowCycles is the slow twin of the search for cycles. For each task that is in a cycle, it
// tries all paths of growing length back to the task. Of the cycles that share a group of tasks,
// it keeps the one through the first task.
func slowCycles(tasks []affinity.Task) (cycles []string) {
	waitsFor := map[string][]string{}
	var names []string
	for _, task := range tasks {
		names = append(names, task.Name)
		waitsFor[task.Name] = slices.Sorted(slices.Values(task.RunAfter))
	}
	slices.Sort(names)
	done := map[string]bool{}
	for _, name := range names {
		if done[name] || !leads(waitsFor, name, name) {
			continue
		}
		cycles = append(cycles, strings.Join(shortest(waitsFor, name), " -> "))
		for _, other := range names {
			if leads(waitsFor, name, other) && leads(waitsFor, other, name) {
				done[other] = true
			}
		}
	}
	return cycles
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
