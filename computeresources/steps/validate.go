package steps

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
)

// ValidateTaskRun returns what is wrong with the resources of a run, for a webhook to
// reject it:
//
//   - a step override that states resources beside task-level requirements (Forbidden),
//     with Tekton's message, which names both fields;
//   - an override without a name (Required), of a name that came before (Duplicate), or
//     of one that the task does not have (NotFound);
//   - amounts below zero (Invalid).
//
// Steps and sidecars are the names in the task, as overrides spell them. Where the task is
// not known, nil leaves names unchecked; an empty list has none. Path is where the run
// states its resources: spec of a TaskRun, which a nil path stands for; of a PipelineRun,
// field.NewPath("spec", "taskRunSpecs").Index(i).
//
// The list is in the order of the fields, and nil if nothing is wrong. The template and
// the prefixes are not looked at: they are no part of the run.
//
// Source: "Configure Task-level Compute Resources" of Tekton's "Compute Resources in
// Tekton".
func ValidateTaskRun(run TaskRun, steps, sidecars []string, path *field.Path) field.ErrorList {
	if path == nil {
		path = field.NewPath("spec")
	}
	var found field.ErrorList
	if run.ComputeResources != nil {
		found = append(found, negative(*run.ComputeResources, path.Child("computeResources"))...)
	}
	stepPath := path.Child("stepOverrides")
	for i, o := range run.StepOverrides {
		found = append(found, validateOverride(run.StepOverrides, i, steps, stepPath)...)
		if anything(run.ComputeResources) && anything(&o.Resources) {
			found = append(found, field.Forbidden(stepPath.Index(i).Child("resources"),
				fmt.Sprintf("expected exactly one, got both: %v, %v", path.Child("computeResources"), stepPath.Child("resources"))))
		}
	}
	for i := range run.SidecarOverrides {
		found = append(found, validateOverride(run.SidecarOverrides, i, sidecars, path.Child("sidecarOverrides"))...)
	}
	return found
}

// validateOverride returns what is wrong with an override by itself, and beside those
// before it.
func validateOverride(all []Override, i int, known []string, path *field.Path) (found field.ErrorList) {
	o, at := all[i], path.Index(i)
	sameName := func(other Override) bool { return other.Name == o.Name }
	switch {
	case o.Name == "":
		found = append(found, field.Required(at.Child("name"), ""))
	case slices.ContainsFunc(all[:i], sameName):
		found = append(found, field.Duplicate(at.Child("name"), o.Name))
	case known != nil && !slices.Contains(known, o.Name):
		found = append(found, field.NotFound(at.Child("name"), o.Name))
	}
	return append(found, negative(o.Resources, at.Child("resources"))...)
}

// anything reports whether requirements state any amount.
func anything(r *corev1.ResourceRequirements) bool {
	return r != nil && len(r.Requests)+len(r.Limits) > 0
}

// negative returns the amounts below zero, limits first, as the API server does.
func negative(r corev1.ResourceRequirements, path *field.Path) (found field.ErrorList) {
	for _, part := range []struct {
		name string
		list corev1.ResourceList
	}{{"limits", r.Limits}, {"requests", r.Requests}} {
		for _, name := range quantity.Names(part.list) {
			if q := quantity.Find(part.list, name); q.Sign() < 0 {
				found = append(found, field.Invalid(path.Child(part.name).Key(string(name)), q.String(), validation.IsNegativeErrorMsg))
			}
		}
	}
	return found
}
