package coschedule

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
)

// planned is a run and its plan.
type planned struct {
	run  *affinity.Run
	plan *affinity.Plan
	// least is the requests of each placeholder without a size.
	least map[string]corev1.ResourceList
	// notes are about unknown facts, and made-up names.
	notes []string
	// tasksUnknown is set if the tasks of the Pipeline are unknown.
	tasksUnknown bool
}

// hasPod reports whether a task of the run has a pod of its own.
func (p *planned) hasPod(t affinity.Placement) bool {
	without := func(task affinity.Task) bool { return task.Name == t.Task && task.NoPod }
	return !slices.ContainsFunc(p.run.Tasks, without) && !slices.ContainsFunc(p.run.Finally, without)
}

// planAll plans the valid runs, and records what is wrong with the others, and which names several runs
// share.
func planAll(in *input, o Options) (all []planned) {
	var plans []*affinity.Plan
	for i := range in.runs {
		r := &in.runs[i]
		var p *planned
		if err := command.Recovered(func() { p = planRun(in, r, o) }); err != nil {
			in.failOwn(r.place, "PipelineRun %s: %v", r.Name, err)
		}
		if p != nil {
			all, plans = append(all, *p), append(plans, p.plan)
		}
	}
	for _, collision := range affinity.FindCollisions(plans) {
		in.reject(place{}, "one name for several: %v", collision)
	}
	return all
}

// planRun plans a run, or returns nil and records what is wrong with it.
func planRun(in *input, r *pipelineRun, o Options) *planned {
	notes := r.identify()
	pipeline, missing := r.pipeline(in)
	if missing != "" {
		notes = append(notes, missing+": its tasks are unknown")
	} else {
		in.refuse(r, r.checkEntries(pipeline))
	}
	run, unknown := r.toRun(pipeline, in)
	p := planned{run: run, notes: append(notes, unknown...), tasksUnknown: missing != ""}
	in.note(r, p.notes)
	opts := affinity.Options{
		Behavior:    o.Behavior,
		AutoCleanup: r.Annotations["tekton.dev/auto-cleanup-pvc"] == "true",
		Placeholder: affinity.Placeholder{Image: image},
	}
	if in.refuse(r, affinity.Validate(run, opts)) {
		return nil
	}
	plan, err := affinity.PlanFor(run, opts)
	if err == nil {
		p.least = sizesOf(plan)
		if o.Size {
			_, err = peak.ApplySizes(plan, run, peak.Options{ResizableOnly: true})
		}
	}
	if err != nil {
		in.reject(r.place, "PipelineRun %s: %v", r.Name, err)
		return nil
	}
	for _, task := range plan.Tasks {
		if task.Refused != nil {
			in.reject(r.place, "PipelineRun %s: task %s fails: %v", r.Name, task.Task, task.Refused)
		}
	}
	p.plan = plan
	return &p
}

// sizesOf returns the requests of the placeholders of a plan, by name.
func sizesOf(plan *affinity.Plan) map[string]corev1.ResourceList {
	sizes := map[string]corev1.ResourceList{}
	for _, set := range plan.StatefulSets {
		sizes[set.Name] = resourcelist.Add(set.Spec.Template.Spec.Containers[0].Resources.Requests, nil)
	}
	return sizes
}

// title names a run.
func (p *planned) title() string {
	if p.run.Namespace == "" {
		return fmt.Sprintf("PipelineRun %s", p.run.Name)
	}
	return fmt.Sprintf("PipelineRun %s/%s", p.run.Namespace, p.run.Name)
}
