package steps_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/steps"
)

// The TaskRun foo of the document, over two steps of which one states requests of its
// own.
func ExampleTaskLevel() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{
		{Name: "step-1", Resources: corev1.ResourceRequirements{Requests: ofCPU("3")}},
		{Name: "step-2"},
	}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("1"), Limits: ofCPU("2")}}
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	for _, change := range changes {
		fmt.Println(change)
	}
	// Output:
	// container step-1: change the cpu request from 3 to 500m
	// container step-1: set the cpu limit to 2
	// container step-2: set the cpu request to 500m
	// container step-2: set the cpu limit to 2
}

// "If only limits are configured in task-level, it will be applied as the task-level
// requests."
func ExampleTaskLevel_limits() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-1"}, {Name: "step-2"}}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Limits: ofCPU("2")}}
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	if err := computeresources.ApplyChanges(spec, changes); err != nil {
		fmt.Println(err)
	}
	printCPU(spec)
	// Output:
	// step-1 1 2
	// step-2 1 2
}

// The document's sidecar, which is configured on its own.
func ExampleTaskRun() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-1"}, {Name: "step-2"}, {Name: "sidecar-sidecar"}}}
	run := steps.TaskRun{
		ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("2")},
		SidecarOverrides: []steps.Override{{
			Name:      "sidecar",
			Resources: corev1.ResourceRequirements{Requests: ofCPU("750m"), Limits: ofCPU("1")},
		}},
		StepPrefix:    steps.TektonStepPrefix,
		SidecarPrefix: steps.TektonSidecarPrefix,
	}
	fmt.Println(len(steps.ValidateTaskRun(run, nil, nil, nil)))
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	if err := computeresources.ApplyChanges(spec, changes); err != nil {
		fmt.Println(err)
	}
	printCPU(spec)
	// Output:
	// 0
	// step-1 1 0
	// step-2 1 0
	// sidecar-sidecar 750m 1
}

func ExampleOverride() {
	spec := secondTable()
	run := steps.TaskRun{
		StepOverrides: []steps.Override{{Name: "2", Resources: corev1.ResourceRequirements{Requests: ofCPU("2")}}},
		StepPrefix:    steps.TektonStepPrefix,
	}
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	fmt.Println(changes)
	// Output:
	// [container step-2: change the cpu request from 1 to 2]
}

// The TaskRun and the PipelineRun of the document that are rejected.
func ExampleValidateTaskRun() {
	run := steps.TaskRun{
		ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("2")},
		StepOverrides:    []steps.Override{{Name: "foo", Resources: corev1.ResourceRequirements{Requests: ofCPU("1")}}},
	}
	fmt.Println(steps.ValidateTaskRun(run, nil, nil, field.NewPath("spec")).ToAggregate())
	fmt.Println(steps.ValidateTaskRun(run, nil, nil, field.NewPath("spec", "taskRunSpecs").Index(0)).ToAggregate())
	// Output:
	// spec.stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources
	// spec.taskRunSpecs[0].stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.taskRunSpecs[0].computeResources, spec.taskRunSpecs[0].stepOverrides.resources
}
