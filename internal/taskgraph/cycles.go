package taskgraph

import (
	"cmp"
	"slices"
)

// cycles returns, for each group of tasks that run after each other, the shortest cycle through
// the first task by name, from that task back to it. Of several shortest cycles, it is the first
// by task names. In the result, each task runs after the next.
func cycles(tasks []Task, known map[string]int) (found [][]string) {
	g := dependencies{tasks: tasks, before: make([][]int, len(tasks))}
	for i, task := range tasks {
		for _, name := range task.RunAfter {
			if at, ok := known[name]; ok {
				g.before[i] = append(g.before[i], at)
			}
		}
	}
	for _, group := range g.components() {
		if len(group) == 1 && !slices.Contains(g.before[group[0]], group[0]) {
			continue // a task that does not run after itself
		}
		found = append(found, g.shortestCycle(group))
	}
	slices.SortFunc(found, slices.Compare)
	return found
}

// dependencies is the graph of tasks and those that they run after.
type dependencies struct {
	tasks  []Task
	before [][]int // by index of the task
}

func (g *dependencies) byName(a, b int) int { return cmp.Compare(g.tasks[a].Name, g.tasks[b].Name) }

// shortestCycle returns the shortest path from the first task of a group back to it, within
// the group.
func (g *dependencies) shortestCycle(group []int) []string {
	start := slices.MinFunc(group, g.byName)
	from := map[int]int{} // the task that runs after it, on the shortest path
	within := map[int]bool{}
	for _, task := range group {
		within[task] = true
	}
	queue := []int{start}
	for at := 0; ; at++ { // a component has a cycle through each of its tasks
		for _, next := range slices.SortedFunc(slices.Values(g.before[queue[at]]), g.byName) {
			if _, seen := from[next]; seen || !within[next] {
				continue
			}
			from[next] = queue[at]
			if next == start {
				return g.pathTo(start, from)
			}
			queue = append(queue, next)
		}
	}
}

func (g *dependencies) pathTo(start int, from map[int]int) []string {
	path := []string{g.tasks[start].Name}
	for at := from[start]; at != start; at = from[at] {
		path = append(path, g.tasks[at].Name)
	}
	path = append(path, g.tasks[start].Name)
	slices.Reverse(path)
	return path
}

// components returns the strongly connected components by R. Tarjan's algorithm: a task completes
// a component if none of its dependencies leads back to an earlier task.
func (g *dependencies) components() (components [][]int) {
	entered, low := make([]int, len(g.tasks)), make([]int, len(g.tasks))
	open := make([]bool, len(g.tasks))
	var stack []int
	count := 0
	var visit func(task int)
	visit = func(task int) {
		count++
		entered[task], low[task] = count, count
		stack, open[task] = append(stack, task), true
		for _, next := range g.before[task] {
			if entered[next] == 0 {
				visit(next)
			}
			if open[next] {
				low[task] = min(low[task], low[next])
			}
		}
		if low[task] < entered[task] {
			return
		}
		var component []int
		for open[task] {
			last := len(stack) - 1
			open[stack[last]] = false
			component, stack = append(component, stack[last]), stack[:last]
		}
		components = append(components, component)
	}
	for task := range g.tasks {
		if entered[task] == 0 {
			visit(task)
		}
	}
	return components
}
