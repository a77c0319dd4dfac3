package taskrun

import (
	pipelineErrors "github.com/tektoncd/pipeline/pkg/apis/pipeline/errors"
	v1 "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity/steps"
)

func validateOverrides(ts *v1.TaskSpec, trs *v1.TaskRunSpec) error {
	run := steps.TaskRun{StepNames: []string{}, SidecarNames: []string{}}
	for _, s := range ts.Steps {
		run.StepNames = append(run.StepNames, s.Name)
	}
	for _, s := range ts.Sidecars {
		run.SidecarNames = append(run.SidecarNames, s.Name)
	}
	for _, o := range trs.StepSpecs {
		run.StepOverrides = append(run.StepOverrides, steps.Override{Name: o.Name, Resources: o.ComputeResources})
	}
	for _, o := range trs.SidecarSpecs {
		run.SidecarOverrides = append(run.SidecarOverrides, steps.Override{Name: o.Name, Resources: o.ComputeResources})
	}
	if err := steps.ValidateTaskRun(run, field.NewPath("spec")).ToAggregate(); err != nil {
		return pipelineErrors.WrapUserError(err)
	}
	return nil
}
