package steps

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/equalparts"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// TaskRun has the resources that a run of a task sets, in addition to those of its containers. The
// fields have the amounts of Tekton's TaskRun, and of the entries of taskRunSpecs of a PipelineRun. The
// zero value sets nothing.
type TaskRun struct {
	// ComputeResources are for all steps together: the task-level requirements
	// (spec.computeResources). nil, or without requests and limits, there are none.
	ComputeResources *corev1.ResourceRequirements `json:"computeResources,omitempty"`

	// Template is for steps that do not state an amount themselves
	// (spec.stepTemplate.computeResources of the task).
	Template corev1.ResourceRequirements `json:"template,omitzero"`

	// StepOverrides and SidecarOverrides replace single amounts of a step or sidecar
	// (spec.stepSpecs and spec.sidecarSpecs; stepOverrides and sidecarOverrides in v1beta1, with resources in
	// place of computeResources: a TaskRun of v1 cannot be decoded into this).
	StepOverrides    []Override `json:"stepOverrides,omitempty"`
	SidecarOverrides []Override `json:"sidecarOverrides,omitempty"`

	// StepPrefix and SidecarPrefix are the prefixes of container names before the names of
	// overrides: for Tekton, TektonStepPrefix and TektonSidecarPrefix. Without a prefix, overrides have the names
	// of containers, such as step-build; those of no container are ignored.
	StepPrefix    string `json:"stepPrefix,omitempty"`
	SidecarPrefix string `json:"sidecarPrefix,omitempty"`

	// Source is the object that the run is, for the amounts of WholePod; zero stands for a TaskRun. Its
	// Field is ignored.
	Source computeresources.Source `json:"source,omitzero"`

	// StepNames and SidecarNames are the names in the task, as in overrides, for ValidateTaskRun. If
	// they are nil, names are not checked; an empty list means that there are none.
	StepNames    []string `json:"stepNames,omitempty"`
	SidecarNames []string `json:"sidecarNames,omitempty"`

	// Scripts means that a step or a sidecar has a script, or that the run is debugged, and Results that the task
	// has results, or that a step uses $(step.artifacts.path). See TektonContainers.
	Scripts bool `json:"scripts,omitempty"`
	Results bool `json:"results,omitempty"`
}

// Override replaces amounts of a step or sidecar, each resource of requests and limits on
// its own.
type Override struct {
	Name      string                      `json:"name,omitempty"` // of the step or sidecar
	Resources corev1.ResourceRequirements `json:"resources,omitzero"`
}

// TaskLevel returns the changes that apply the resources of a run to the containers of spec.
// Missing amounts of a step are taken from the template, and then overridden by name. Sidecars and
// other containers that are not steps are only overridden. If several overrides have the same name,
// the last one counts. Overrides without a container are ignored (see ValidateTaskRun).
//
// Task-level requirements then replace the resources of the steps. The requests of the steps add up
// to the request of the task, or to its limit if it has no request. The limit of each step is the
// limit of the task. A resource that cannot be divided is assigned whole, request and limit, to the
// first step or to each step, as opts select. Resources that the task does not set are removed from
// the steps.
//
// A request above the limit of the same container is set nevertheless, and conflicts report it, for
// containers whose resources the run sets.
//
// After the changes are applied, TaskLevel returns none, unless opts change.
//
// Source: "Task-level Compute Resources Configuration" of Tekton's "Compute Resources in
// Tekton". Tekton truncates parts, and takes limits for requests only where the task
// requests nothing at all.
func TaskLevel(
	spec *corev1.PodSpec, run TaskRun, isStep Predicate, opts division.Options,
) (changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
	task := taskParts(run.ComputeResources, count(spec, isStep), opts)
	return replaced(spec, isStep, func(p stepPosition, c *corev1.Container) (corev1.ResourceRequirements, bool) {
		to := c.Resources
		switch {
		case p.step == noStep:
			return overridden(to, run.SidecarPrefix, run.SidecarOverrides, c.Name)
		case task != nil:
			return task(p.step), true
		}
		to.Requests, to.Limits = merged(run.Template.Requests, to.Requests), merged(run.Template.Limits, to.Limits)
		to, isSet := overridden(to, run.StepPrefix, run.StepOverrides, c.Name)
		return to, isSet || anything(&run.Template)
	})
}

// replaced returns the changes that give containers the requirements that a run sets for them, and which of these
// requests are above their limits.
func replaced(
	spec *corev1.PodSpec, isStep Predicate, set func(stepPosition, *corev1.Container) (corev1.ResourceRequirements, bool),
) (changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
	for p, c := range containers(spec, isStep) {
		to, isSet := set(p, c)
		if !isSet {
			continue
		}
		changes = appendReplacements(changes, p.ref, &c.Resources, &to)
		var exceeded []corev1.ResourceName
		for name := range to.Requests {
			if above(quantity.Find(to.Requests, name), quantity.Find(to.Limits, name)) {
				exceeded = append(exceeded, name)
			}
		}
		slices.Sort(exceeded)
		for _, name := range exceeded {
			conflict := conflictOf(limitrange.RequestAboveLimit,
				value(limitrange.Request, quantity.Find(to.Requests, name)),
				value(limitrange.Limit, quantity.Find(to.Limits, name)))
			conflicts = append(conflicts, at(conflict, p.ref, name))
		}
	}
	return changes, conflicts
}

// overridden returns requirements with what the overrides of a container replace, and whether there is one. The lists
// of the requirements are not written.
func overridden(
	r corev1.ResourceRequirements, prefix string, overrides []Override, container string,
) (corev1.ResourceRequirements, bool) {
	found := false
	for _, o := range overrides {
		if prefix+o.Name == container {
			r.Requests, r.Limits = merged(r.Requests, o.Resources.Requests), merged(r.Limits, o.Resources.Limits)
			found = true
		}
	}
	return r, found
}

// merged returns a list of both, in which the second wins.
func merged(list, over corev1.ResourceList) corev1.ResourceList {
	all := make(corev1.ResourceList, len(list)+len(over))
	maps.Copy(all, list)
	maps.Copy(all, over)
	return all
}

// taskParts returns the part of each step in task-level requirements, or nil if there are none.
func taskParts(
	task *corev1.ResourceRequirements, steps int, opts division.Options,
) func(step int) corev1.ResourceRequirements {
	if steps == 0 || !anything(task) {
		return nil
	}
	requests, limits := map[corev1.ResourceName]equalparts.Parts{}, map[corev1.ResourceName]equalparts.Parts{}
	for name, q := range merged(task.Limits, task.Requests) {
		requests[name] = equalparts.Of(name, q, steps, opts)
	}
	opts.RoundUp = false // limits are not divided
	for name, q := range task.Limits {
		limits[name] = equalparts.Of(name, q, steps, opts)
	}
	return func(step int) corev1.ResourceRequirements {
		r := corev1.ResourceRequirements{Requests: partOf(requests, step), Limits: partOf(limits, step)}
		for name := range r.Limits {
			if division.Divisible(name) {
				r.Limits[name] = task.Limits[name]
			}
		}
		return r
	}
}

// partOf returns the part of a step in each resource. One that cannot be divided may be in the part of
// another step.
func partOf(all map[corev1.ResourceName]equalparts.Parts, step int) corev1.ResourceList {
	list := make(corev1.ResourceList, len(all))
	for name, parts := range all {
		if parts.Has(step) {
			list[name] = parts.At(step)
		}
	}
	return list
}
