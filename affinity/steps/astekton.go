package steps

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/equalparts"
	"github.com/kubemath/kubemath/limitrange"
)

// requirements returns the changes that apply the resources of a run to Tekton's pod: as TaskLevel says, or as Tekton
// does.
func (r *TaskRun) requirements(
	spec *corev1.PodSpec, opts Options,
) (changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
	if !opts.AsTekton {
		return TaskLevel(spec, *r, TektonStep, opts.Division)
	}
	n := count(spec, TektonStep)
	return replaced(spec, TektonStep, func(p stepPosition, c *corev1.Container) (corev1.ResourceRequirements, bool) {
		if p.step == noStep {
			return overridden(c.Resources, r.SidecarPrefix, lastOverride(r.SidecarOverrides, r.SidecarPrefix, c.Name), c.Name)
		}
		to := c.Resources
		if anything(&r.Template) {
			to.Requests = mergedAsTekton(r.Template.Requests, to.Requests)
			to.Limits = mergedAsTekton(r.Template.Limits, to.Limits)
		}
		for _, o := range lastOverride(r.StepOverrides, r.StepPrefix, c.Name) {
			to.Requests = mergedAsTekton(to.Requests, o.Resources.Requests)
			to.Limits = mergedAsTekton(to.Limits, o.Resources.Limits)
		}
		if r.dividesTask(opts) {
			r.divide(&to, n, opts.Division)
		}
		return to, true
	})
}

// dividesTask reports whether task-level requirements replace those of the steps. For Tekton, empty lists do.
func (r *TaskRun) dividesTask(opts Options) bool {
	task := r.ComputeResources
	return anything(task) || opts.AsTekton && task != nil && (task.Requests != nil || task.Limits != nil)
}

// divide replaces the requirements of one of n steps by its part of those of the task.
//
// Source: ApplyTaskLevelComputeResources of Tekton's pkg/internal/computeresources/tasklevel.
func (r *TaskRun) divide(step *corev1.ResourceRequirements, n int, opts division.Options) {
	parts := r.ComputeResources.Requests
	if step.Requests == nil && parts == nil {
		parts = r.ComputeResources.Limits
	}
	step.Requests, step.Limits = corev1.ResourceList{}, r.ComputeResources.Limits
	for name, q := range parts {
		unit := corev1.ResourceCPU // milli-units, of GPUs as well
		if name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage {
			unit = name
		}
		step.Requests[name] = equalparts.Of(unit, q, n, opts).At(0)
	}
}

// mergedAsTekton returns a list of both, in which the second wins. It is nil if it is empty.
func mergedAsTekton(list, over corev1.ResourceList) corev1.ResourceList {
	if len(list)+len(over) == 0 {
		return nil
	}
	return merged(list, over)
}

// lastOverride returns the override of a container that counts for Tekton, or none.
func lastOverride(all []Override, prefix, container string) []Override {
	for i := len(all) - 1; i >= 0; i-- {
		if prefix+all[i].Name == container {
			return all[i : i+1]
		}
	}
	return nil
}
