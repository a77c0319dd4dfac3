package peak

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// PlacedDemand is what the tasks that are held together ask for at once.
type PlacedDemand struct {
	// Assistant is the placeholder on whose node they run, and empty for tasks that may run on
	// any node.
	Assistant string
	Tasks     []string // sorted by name
	Demand    Demand
}

// PlacedDemands are sorted by assistant.
type PlacedDemands []PlacedDemand

// ForTask returns what the node of a task has to have room for: the demand of the tasks that are held
// together with it, by the name of the task. Ok is false if there is no such task, or if it may run on
// any node. The result shares nothing with p.
func (p PlacedDemands) ForTask(name string) (d PlacedDemand, ok bool) {
	at := slices.IndexFunc(p, func(d PlacedDemand) bool { return slices.Contains(d.Tasks, name) })
	if at < 0 || p[at].Assistant == "" {
		return PlacedDemand{}, false
	}
	d = p[at]
	d.Tasks, d.Demand = slices.Clone(d.Tasks), slices.Clone(d.Demand)
	for i := range d.Demand {
		d.Demand[i] = d.Demand[i].owned()
	}
	return d, true
}

// DemandsOf returns what the tasks of a plan ask for at once, by the placeholder that holds them: of
// each StatefulSet, also of one without tasks, and of those that are not held. Tasks that are refused
// ask for nothing. Options.Only does not count. The error, if any, is that of DemandOf, for a run that
// is not the one planned as well. A nil plan has no tasks.
func DemandsOf(plan *affinity.Plan, run *affinity.Run, opts Options) (PlacedDemands, error) {
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
	var all PlacedDemands
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

// ApplySizes raises what the placeholders of a plan request to the peak of the tasks that run on
// their nodes: of all tasks where there is one placeholder for the run, and else of those that use
// its claim (DemandsOf). Then a placeholder comes to a node only if there is room for as much; what it
// requests is never lowered. A limit is raised with the request, and set where the placeholder did not request
// the resource before; a request without a limit stays without. The error, if any, is that of DemandsOf, and the plan is unchanged
// then. A nil plan stays nil.
//
// The placeholder keeps its room for itself: the tasks need as much beside it, unless it
// has a lower priority and makes way for them, or gives up what they request when they come (Shrink).
// With Options.ResizableOnly, it is raised in nothing but what it can give up.
func ApplySizes(plan *affinity.Plan, run *affinity.Run, opts Options) error {
	demands, err := DemandsOf(plan, run, opts)
	if err != nil {
		return err
	}
	for _, d := range demands {
		size := d.Demand.Requests()
		if opts.ResizableOnly {
			size = resourcelist.Mask(size, resizable())
		}
		for i := range plan.StatefulSets {
			if set := &plan.StatefulSets[i]; set.Name == d.Assistant {
				raise(set.Spec.Template.Spec.Containers, size)
			}
		}
	}
	return nil
}

// raise raises the container of a placeholder.
func raise(containers []corev1.Container, size corev1.ResourceList) {
	for i := range containers {
		r := &containers[i].Resources
		if containers[i].Name != affinity.Component {
			continue
		}
		limits := corev1.ResourceList{}
		for name, q := range size {
			_, requested := r.Requests[name]
			if _, limited := r.Limits[name]; limited || !requested {
				limits[name] = q
			}
		}
		r.Requests, r.Limits = resourcelist.Max(size, r.Requests), resourcelist.Max(limits, r.Limits)
	}
}
