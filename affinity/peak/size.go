package peak

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/placeholder"
)

// PlacedDemand is the demand of the tasks that are kept on one node.
type PlacedDemand struct {
	// Assistant is the placeholder on whose node they run, and empty for tasks that may run on
	// any node.
	Assistant string
	Tasks     []string // sorted by name
	Demand    Demand
}

// DemandsOf returns the demands of the tasks of a plan by placeholder: one for each StatefulSet,
// even without tasks, and one for the tasks without a placeholder, sorted by assistant. Tasks that are refused request
// nothing. Options.Only is ignored. The error, if any, is that of DemandOf, or reports that the
// plan is for another run. A nil plan has no tasks.
func DemandsOf(plan *affinity.Plan, run *affinity.Run, opts Options) ([]PlacedDemand, error) {
	if plan == nil {
		return nil, nil
	}
	tasks := map[string][]string{}
	for i := range plan.StatefulSets {
		tasks[plan.StatefulSets[i].Name] = nil
	}
	for _, p := range plan.Tasks {
		if p.Refused == nil {
			tasks[p.Assistant] = append(tasks[p.Assistant], p.Task)
		}
	}
	var all []PlacedDemand
	for _, assistant := range slices.Sorted(maps.Keys(tasks)) {
		opts.Only = append([]string{}, tasks[assistant]...)
		demand, err := DemandOf(run, opts)
		if err != nil {
			return nil, err
		}
		slices.Sort(tasks[assistant])
		all = append(all, PlacedDemand{Assistant: assistant, Tasks: tasks[assistant], Demand: demand})
	}
	return all, nil
}

// ApplySizes raises the requests of the placeholders of a plan to the peak of the tasks on their
// nodes: of all tasks if there is one placeholder for the run, and otherwise of the tasks that use
// its claim (DemandsOf). A placeholder is then only scheduled on a node with room for the tasks.
// Requests are never lowered. A limit is raised with its request, and set for a resource that the
// placeholder did not request before; a request without a limit remains without one. The error, if
// any, is that of DemandsOf, and the plan is unchanged then. A nil plan is ignored. StatefulSets of
// the plan are replaced by changed copies.
//
// The placeholder occupies what it requests: the tasks need the same amount in addition, unless the
// placeholder has a lower priority and is preempted, or is reduced when they arrive (Shrink). With
// Options.ResizableOnly, only resources that Shrink can reduce are raised.
func ApplySizes(plan *affinity.Plan, run *affinity.Run, opts Options) error {
	demands, err := DemandsOf(plan, run, opts)
	if err != nil || len(demands) == 0 {
		return err
	}
	plan.StatefulSets = slices.Clone(plan.StatefulSets) // which others may share
	for _, d := range demands {
		size := d.Demand.Requests()
		if opts.ResizableOnly {
			size = resourcelist.Mask(size, resizable())
		}
		for i := range plan.StatefulSets {
			if set := &plan.StatefulSets[i]; set.Name == d.Assistant {
				set.Spec.Template.Spec.Containers = raised(set.Spec.Template.Spec.Containers, size)
			}
		}
	}
	return nil
}

// raised returns the containers of a pod with a raised placeholder. Containers are only read.
func raised(containers []corev1.Container, size corev1.ResourceList) []corev1.Container {
	containers = slices.Clone(containers)
	for i := range containers {
		r := &containers[i].Resources
		if containers[i].Name != componentName {
			continue
		}
		limits := corev1.ResourceList{}
		for name, q := range size {
			_, requested := r.Requests[name]
			if _, limited := r.Limits[name]; limited || !requested {
				limits[name] = q
			}
		}
		r.Requests, r.Limits = resourcelist.Max(r.Requests, size), resourcelist.Max(r.Limits, limits)
	}
	return containers
}

// componentName is the name of the container of a placeholder.
const componentName = placeholder.Component
