package coschedule

import (
	"fmt"
	"slices"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/examples/internal/command"
)

// planned is a run and its plan.
type planned struct {
	run  *affinity.Run
	plan *affinity.Plan
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

// fanOut returns how many pods a task of the run has at the same time; 0 as 1.
func (p *planned) fanOut(t affinity.Placement) int {
	for _, task := range slices.Concat(p.run.Tasks, p.run.Finally) {
		if task.Name == t.Task {
			return task.FanOut
		}
	}
	return 0
}

// planAll plans the valid runs, and records what is wrong with the others, and which names several runs
// share.
func planAll(in *input, behavior affinity.Behavior) (all []planned) {
	var plans []*affinity.Plan
	for i := range in.runs {
		r := &in.runs[i]
		var p *planned
		if err := command.Recovered(func() { p = planRun(in, r, behavior) }); err != nil {
			in.fail(r.place, "PipelineRun %s: %v", r.Name, err)
		}
		if p != nil {
			all, plans = append(all, *p), append(plans, p.plan)
		}
	}
	for _, collision := range affinity.FindCollisions(plans) {
		in.fail(place{}, "one name for several: %v", collision)
	}
	return all
}

// planRun plans a run, or returns nil and records what is wrong with it.
func planRun(in *input, r *pipelineRun, behavior affinity.Behavior) *planned {
	notes := r.Identify()
	pipeline, missing := r.Pipeline(&in.Objects)
	if missing != "" {
		notes = append(notes, missing+": its tasks are unknown")
	} else {
		in.refuse(r, r.CheckEntries(pipeline))
	}
	run, _, unknown := r.ToRun(pipeline, &in.Objects)
	p := planned{run: run, notes: append(notes, unknown...), tasksUnknown: missing != ""}
	opts := affinity.Options{
		Behavior:    behavior,
		AutoCleanup: r.Annotations["tekton.dev/auto-cleanup-pvc"] == "true",
		Placeholder: affinity.Placeholder{Image: image},
	}
	in.refuse(r, affinity.Validate(run, opts))
	plan, err := affinity.PlanFor(run, opts)
	if err != nil { // which is what Validate returns
		return nil
	}
	for _, task := range plan.Tasks {
		if task.Refused != nil {
			in.fail(r.place, "PipelineRun %s: task %s fails: %v", r.Name, task.Task, task.Refused.Field(nil))
		}
	}
	p.plan = plan
	return &p
}

// title names a run.
func (p *planned) title() string {
	if p.run.Namespace == "" {
		return fmt.Sprintf("PipelineRun %s", p.run.Name)
	}
	return fmt.Sprintf("PipelineRun %s/%s", p.run.Namespace, p.run.Name)
}
