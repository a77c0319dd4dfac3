package affinity

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateTasks returns all that is wrong with the tasks of a run as a graph, in the
// order of Tasks and Finally: names that are missing or used twice, tasks that run after
// one that is not among Tasks, tasks of Finally that run after any, negative retries,
// and requests that are negative or of more than 1000 decimal places; and last, for each
// group of tasks that wait for each other in a circle, the shortest circle through the
// first of them by name.
//
// Cost: proportional to the number of tasks and of what they run after; where there are
// circles, times the logarithm of it.
func ValidateTasks(run *Run) (faults field.ErrorList) {
	if run == nil {
		return field.ErrorList{field.Required(field.NewPath("run"), "")}
	}
	known := map[string]int{} // places of Tasks
	for i, task := range run.Tasks {
		if _, twice := known[task.Name]; !twice {
			known[task.Name] = i
		}
	}
	seen := map[string]bool{}
	for i := range run.Tasks {
		path := field.NewPath("tasks").Index(i)
		faults = append(faults, validateTask(path, &run.Tasks[i], seen)...)
		for j, name := range run.Tasks[i].RunAfter {
			if _, ok := known[name]; !ok {
				faults = append(faults, field.NotFound(path.Child("runAfter").Index(j), name))
			}
		}
	}
	for i := range run.Finally {
		path := field.NewPath("finally").Index(i)
		faults = append(faults, validateTask(path, &run.Finally[i], seen)...)
		if len(run.Finally[i].RunAfter) > 0 {
			faults = append(faults, field.Forbidden(path.Child("runAfter"), "these tasks run after all others, and all at once"))
		}
	}
	for _, circle := range circles(run.Tasks, known) {
		text := strings.Join(circle, " -> ")
		faults = append(faults, field.Invalid(field.NewPath("tasks").Index(known[circle[0]]).Child("runAfter"), text, "the tasks run after each other"))
	}
	return faults
}

func validateTask(path *field.Path, task *Task, seen map[string]bool) (faults field.ErrorList) {
	switch {
	case task.Name == "":
		faults = append(faults, field.Required(path.Child("name"), ""))
	case seen[task.Name]:
		faults = append(faults, field.Duplicate(path.Child("name"), task.Name))
	}
	seen[task.Name] = true
	if task.Retries < 0 {
		faults = append(faults, field.Invalid(path.Child("retries"), task.Retries, "must be greater than or equal to 0"))
	}
	return append(faults, validateRequests(path.Child("requests"), task.Requests)...)
}

// circles returns, for each group of tasks that wait for each other, the shortest circle
// through the first of them by name, from that task back to it, and of several the first
// by their names. Each task waits for the next.
func circles(tasks []Task, known map[string]int) (found [][]string) {
	g := waits{tasks: tasks, before: make([][]int, len(tasks))}
	for i, task := range tasks {
		for _, name := range task.RunAfter {
			if at, ok := known[name]; ok {
				g.before[i] = append(g.before[i], at)
			}
		}
	}
	for _, group := range g.groups() {
		if len(group) == 1 && !slices.Contains(g.before[group[0]], group[0]) {
			continue // a task that waits for others only
		}
		found = append(found, g.circle(group))
	}
	slices.SortFunc(found, slices.Compare)
	return found
}

// waits is the graph of tasks and those that they wait for.
type waits struct {
	tasks  []Task
	before [][]int
}

func (g *waits) byName(a, b int) int { return cmp.Compare(g.tasks[a].Name, g.tasks[b].Name) }

// circle returns the shortest way from the first task of a group back to it, within the
// group.
func (g *waits) circle(group []int) []string {
	start := slices.MinFunc(group, g.byName)
	from := map[int]int{} // the task that waits for it, on the shortest way
	within := map[int]bool{}
	for _, task := range group {
		within[task] = true
	}
	queue := []int{start}
	for at := 0; ; at++ { // a group has a circle through each of its tasks
		for _, next := range slices.SortedFunc(slices.Values(g.before[queue[at]]), g.byName) {
			if _, seen := from[next]; seen || !within[next] {
				continue
			}
			from[next] = queue[at]
			if next == start {
				return g.wayTo(start, from)
			}
			queue = append(queue, next)
		}
	}
}

func (g *waits) wayTo(start int, from map[int]int) []string {
	way := []string{g.tasks[start].Name}
	for at := from[start]; at != start; at = from[at] {
		way = append(way, g.tasks[at].Name)
	}
	way = append(way, g.tasks[start].Name)
	slices.Reverse(way)
	return way
}

// groups returns the strongly connected components, as R. Tarjan finds them: a task
// closes a group if nothing that it waits for leads back beyond it.
func (g *waits) groups() (groups [][]int) {
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
		var group []int
		for open[task] {
			last := len(stack) - 1
			open[stack[last]] = false
			group, stack = append(group, stack[last]), stack[:last]
		}
		groups = append(groups, group)
	}
	for task := range g.tasks {
		if entered[task] == 0 {
			visit(task)
		}
	}
	return groups
}
