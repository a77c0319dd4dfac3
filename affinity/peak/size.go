package peak

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// ApplySizes raises what the placeholders of a plan request, and are limited to, to the
// peak of the tasks that run on their nodes: of all tasks where there is one placeholder
// for the run, and else of those that use its claim. Then a placeholder comes to a node
// only if there is room for as much; what it requests is never lowered. Options.Only does
// not count. The error, if any, is that of DemandOf, for a run that is not the one planned as
// well, and the plan is unchanged then. A nil plan stays nil.
//
// The placeholder keeps its room for itself: the tasks need as much beside it, unless it
// has a lower priority and makes way for them.
func ApplySizes(plan *affinity.Plan, run *affinity.Run, opts Options) error {
	if plan == nil {
		return nil
	}
	tasks := map[string][]string{} // by placeholder
	for _, p := range plan.Tasks {
		tasks[p.Assistant] = append(tasks[p.Assistant], p.Task)
	}
	sizes := make([]corev1.ResourceList, 0, len(plan.StatefulSets))
	for i := range plan.StatefulSets {
		opts.Only = append([]string{}, tasks[plan.StatefulSets[i].Name]...)
		demand, err := DemandOf(run, opts)
		if err != nil {
			return err
		}
		sizes = append(sizes, demand.Requests())
	}
	for i, size := range sizes {
		containers := plan.StatefulSets[i].Spec.Template.Spec.Containers
		for j := range containers {
			if r := &containers[j].Resources; containers[j].Name == affinity.Component {
				r.Requests, r.Limits = resourcelist.Max(size, r.Requests), resourcelist.Max(size, r.Limits)
			}
		}
	}
	return nil
}
