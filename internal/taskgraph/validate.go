// Package taskgraph validates tasks that run after each other.
package taskgraph

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Task is what is validated of a task.
type Task struct {
	Path     *field.Path // of the task
	Name     string
	RunAfter []string
	Requests corev1.ResourceList
	Retries  int
	FanOut   int
}

// Validate returns the errors in tasks, and in those that run when all of them are done, in their
// order: missing and duplicate names, tasks that run after one that is not in tasks, last tasks that
// run after another, negative retries and fan-outs, and requests that are negative or have more
// than 1000 decimal places. At the end, for each strongly connected component of the graph, it
// returns the shortest cycle through its first task by name.
//
// Cost: proportional to the number of tasks and of what they run after; where there are
// cycles, times the logarithm of it.
func Validate(tasks, last []Task) (faults field.ErrorList) {
	known := map[string]int{} // indices of tasks
	for i := range tasks {
		if _, twice := known[tasks[i].Name]; !twice {
			known[tasks[i].Name] = i
		}
	}
	seen := map[string]bool{}
	for i := range tasks {
		t := &tasks[i]
		faults = append(faults, validateTask(t, seen)...)
		for j, name := range t.RunAfter {
			if _, ok := known[name]; !ok {
				faults = append(faults, field.NotFound(t.Path.Child("runAfter").Index(j), name))
			}
		}
	}
	for i := range last {
		t := &last[i]
		faults = append(faults, validateTask(t, seen)...)
		if len(t.RunAfter) > 0 {
			faults = append(faults,
				field.Forbidden(t.Path.Child("runAfter"), "finally tasks must not declare runAfter"))
		}
	}
	for _, cycle := range cycles(tasks, known) {
		text := strings.Join(cycle, " -> ")
		faults = append(faults,
			field.Invalid(tasks[known[cycle[0]]].Path.Child("runAfter"), text, "the tasks run after each other"))
	}
	return faults
}

// maxFanOut is above the number of pods of any cluster.
const maxFanOut = 1 << 30

func validateTask(task *Task, seen map[string]bool) (faults field.ErrorList) {
	path := task.Path
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
	at := path.Child("fanOut")
	switch {
	case task.FanOut < 0:
		faults = append(faults, field.Invalid(at, task.FanOut, "must be greater than or equal to 0"))
	case task.FanOut > maxFanOut:
		faults = append(faults, field.Invalid(at, task.FanOut, fmt.Sprintf("must be less than or equal to %d", maxFanOut)))
	}
	return append(faults, ValidateRequests(path.Child("requests"), task.Requests)...)
}

// maxExponent is the largest number of digits before or after the decimal point of an amount.
// Real amounts have at most 40.
const maxExponent = 1000

// ValidateRequests finds amounts that are not valid requests.
func ValidateRequests(path *field.Path, requests corev1.ResourceList) (faults field.ErrorList) {
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		q := requests[name].DeepCopy()
		places := q.AsDec().Scale()
		switch {
		case places > maxExponent || places < -maxExponent:
			faults = append(faults,
				field.Invalid(path.Key(string(name)), fmt.Sprintf("1e%d", -places), "has too many digits to be added up"))
		case q.Sign() < 0:
			faults = append(faults, field.Invalid(path.Key(string(name)), q.String(), "must be greater than or equal to 0"))
		}
	}
	return faults
}
