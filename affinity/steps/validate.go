package steps

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
)

// The fields of overrides in a run, and of the resources in each of them.
const (
	stepField     = "stepSpecs"
	sidecarField  = "sidecarSpecs"
	resourceField = "computeResources"
)

// ValidateTaskRun returns why a webhook should reject the resources of a run:
//
//   - a step override that sets requests, limits or claims in addition to task-level requirements
//     (Forbidden), even if these are empty, with Tekton's message, which names both fields;
//   - an override without a name (Required), of a name that came before, in upper or lower
//     case (Duplicate), or of one that the task does not have (NotFound);
//   - amounts below zero (Invalid).
//
// Path is the path of the resources in the run: field.NewPath("spec") of a TaskRun, and
// field.NewPath("spec", "taskRunSpecs").Index(i) of a PipelineRun. A nil path gives relative paths,
// such as computeResources, for callers that prefix the errors themselves. In its message, Tekton
// calls the resources of an override "resources". Paths are those of tekton.dev/v1, the version that is
// stored: v1beta1 calls the fields stepOverrides and sidecarOverrides, as in the document.
//
// The list is in the order of the fields, and nil if nothing is wrong. The template and the
// prefixes are not validated, because they are not part of the run.
//
// Source: "Configure Task-level Compute Resources" of Tekton's "Compute Resources in
// Tekton"; validateTaskRunComputeResources, validateStepSpecs, validateSidecarSpecs and
// validateOverrides of Tekton.
func ValidateTaskRun(run TaskRun, path *field.Path) field.ErrorList {
	var found field.ErrorList
	if run.ComputeResources != nil {
		found = append(found, negative(*run.ComputeResources, path.Child("computeResources"))...)
	}
	stepPath := path.Child(stepField)
	for i, o := range run.StepOverrides {
		at := stepPath.Index(i)
		found = append(found, validateOverride(run.StepOverrides, i, run.StepNames, at)...)
		if run.ComputeResources != nil && (anything(&o.Resources) || len(o.Resources.Claims) > 0) {
			found = append(found, field.Forbidden(at.Child(resourceField),
				fmt.Sprintf("expected exactly one, got both: %v, %v", path.Child("computeResources"), stepPath.Child("resources"))))
		}
	}
	for i := range run.SidecarOverrides {
		at := path.Child(sidecarField).Index(i)
		found = append(found, validateOverride(run.SidecarOverrides, i, run.SidecarNames, at)...)
	}
	return found
}

// validateOverride returns what is wrong with an override on its own, and together with those before it.
func validateOverride(all []Override, i int, known []string, at *field.Path) (found field.ErrorList) {
	o := all[i]
	sameName := func(other Override) bool { return strings.EqualFold(other.Name, o.Name) }
	switch {
	case o.Name == "":
		found = append(found, field.Required(at.Child("name"), ""))
	case slices.ContainsFunc(all[:i], sameName):
		found = append(found, field.Duplicate(at.Child("name"), o.Name))
	case known != nil && !slices.Contains(known, o.Name):
		found = append(found, field.NotFound(at.Child("name"), o.Name))
	}
	return append(found, negative(o.Resources, at.Child(resourceField))...)
}

// anything reports whether requirements set any amount.
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
				found = append(found,
					field.Invalid(path.Child(part.name).Key(string(name)), q.String(), validation.IsNegativeErrorMsg))
			}
		}
	}
	return found
}
