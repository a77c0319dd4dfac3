package affinity

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateTasks returns the errors in the tasks of a run, in the order of Tasks and Finally:
// missing and duplicate names, tasks that run after one that is not in Tasks, tasks of Finally that
// run after another, negative retries and fan-outs, and requests that are negative or have more
// than 1000 decimal places. Last, for each strongly connected component of the graph, it returns
// the shortest cycle through its first task by name.
//
// Cost: proportional to the number of tasks and of what they run after; where there are
// cycles, times the logarithm of it.
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
	for _, cycle := range cycles(run.Tasks, known) {
		text := strings.Join(cycle, " -> ")
		faults = append(faults, field.Invalid(field.NewPath("tasks").Index(known[cycle[0]]).Child("runAfter"), text, "the tasks run after each other"))
	}
	return faults
}

// maxFanOut is above the number of pods of any cluster.
const maxFanOut = 1 << 30

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
	switch at := path.Child("fanOut"); {
	case task.FanOut < 0:
		faults = append(faults, field.Invalid(at, task.FanOut, "must be greater than or equal to 0"))
	case task.FanOut > maxFanOut:
		faults = append(faults, field.Invalid(at, task.FanOut, fmt.Sprintf("must be less than or equal to %d", maxFanOut)))
	}
	return append(faults, validateRequests(path.Child("requests"), task.Requests)...)
}
