package v1

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"knative.dev/pkg/apis"

	"github.com/kubemath/kubemath/affinity/steps"
)

func validateStepSpecs(specs []TaskRunStepSpec) *apis.FieldError {
	return fieldErrorOf(steps.ValidateTaskRun(steps.TaskRun{StepOverrides: overridesOf(specs)}, nil), "stepSpecs")
}

func validateSidecarSpecs(specs []TaskRunSidecarSpec) *apis.FieldError {
	var run steps.TaskRun
	for _, s := range specs {
		run.SidecarOverrides = append(run.SidecarOverrides, steps.Override{Name: s.Name, Resources: s.ComputeResources})
	}
	return fieldErrorOf(steps.ValidateTaskRun(run, nil), "sidecarSpecs")
}

func validateTaskRunComputeResources(all *corev1.ResourceRequirements, specs []TaskRunStepSpec) *apis.FieldError {
	for _, err := range steps.ValidateTaskRun(steps.TaskRun{ComputeResources: all, StepOverrides: overridesOf(specs)}, nil) {
		if err.Type == field.ErrorTypeForbidden {
			return apis.ErrMultipleOneOf("stepSpecs.resources", "computeResources")
		}
	}
	return nil
}

func overridesOf(specs []TaskRunStepSpec) (overrides []steps.Override) {
	for _, s := range specs {
		overrides = append(overrides, steps.Override{Name: s.Name, Resources: s.ComputeResources})
	}
	return overrides
}

// fieldErrorOf returns errors with the paths that their callers expect, below the field.
func fieldErrorOf(found field.ErrorList, below string) (errs *apis.FieldError) {
	for _, err := range found {
		path := strings.TrimPrefix(err.Field, below)
		switch err.Type {
		case field.ErrorTypeRequired:
			errs = errs.Also(apis.ErrMissingField(path))
		case field.ErrorTypeDuplicate:
			errs = errs.Also(apis.ErrMultipleOneOf(path))
		default:
			errs = errs.Also(apis.ErrInvalidValue(err.BadValue, path, err.Detail))
		}
	}
	return errs
}
