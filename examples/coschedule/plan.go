package main

import (
	"fmt"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
)

// planned is a run and its plan.
type planned struct {
	run  *affinity.Run
	plan *affinity.Plan
	// unknown is the name of the Pipeline that was not read, if so.
	unknown string
}

// planAll plans the runs that can be planned, and notes what is wrong with the others,
// and with all of them beside each other.
func planAll(in *input, o options) (all []planned) {
	var plans []*affinity.Plan
	for i := range in.runs {
		r := &in.runs[i]
		pipeline, known := r.pipeline(in.pipelines)
		run := r.toRun(pipeline)
		opts := affinity.Options{
			Behavior:    o.behavior,
			AutoCleanup: r.Annotations["tekton.dev/auto-cleanup-pvc"] == "true",
			LabelClaims: o.labelClaims,
			Placeholder: affinity.Placeholder{Image: o.image},
		}
		if faults := affinity.Validate(run, opts); len(faults) > 0 {
			for _, fault := range faults {
				in.fail("%s: PipelineRun %s: %v", r.place, r.Name, fault)
			}
			continue
		}
		plan, err := affinity.PlanFor(run, opts)
		if err == nil && o.size {
			err = peak.ApplySizes(plan, run, peak.Options{})
		}
		if err != nil {
			in.fail("%s: PipelineRun %s: %v", r.place, r.Name, err)
			continue
		}
		p := planned{run: run, plan: plan}
		if !known {
			p.unknown = r.Spec.PipelineRef.Name
		}
		all, plans = append(all, p), append(plans, plan)
	}
	collisions := affinity.FindCollisions(plans)
	for i := range collisions {
		in.fail("one name for several: %v", &collisions[i])
	}
	return all
}

// title names a run.
func (p *planned) title() string {
	if p.run.Namespace == "" {
		return fmt.Sprintf("PipelineRun %s", p.run.Name)
	}
	return fmt.Sprintf("PipelineRun %s/%s", p.run.Namespace, p.run.Name)
}
