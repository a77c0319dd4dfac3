package steps_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/limitrange"
)

// The TaskRun foo of the document, over two steps of which one states requests of its
// own.
func ExampleTaskLevel() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{
		{Name: "step-1", Resources: corev1.ResourceRequirements{Requests: ofCPU("3")}},
		{Name: "step-2"},
	}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("1"), Limits: ofCPU("2")}}
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, steps.Options{})
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
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, steps.Options{})
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
	fmt.Println(len(steps.ValidateTaskRun(run, nil, steps.TaskRunOptions{})))
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, steps.Options{})
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
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, steps.Options{})
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
	beta := steps.TaskRunOptions{Version: steps.V1Beta1}
	fmt.Println(steps.ValidateTaskRun(run, field.NewPath("spec"), beta).ToAggregate())
	fmt.Println(steps.ValidateTaskRun(run, field.NewPath("spec", "taskRunSpecs").Index(0), beta).ToAggregate())
	// Output:
	// spec.stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources
	// spec.taskRunSpecs[0].stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.taskRunSpecs[0].computeResources, spec.taskRunSpecs[0].stepOverrides.resources
}

// The same TaskRun in v1, where the paths are prefixed elsewhere.
func ExampleTaskRunOptions() {
	run := steps.TaskRun{
		ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("2")},
		StepOverrides:    []steps.Override{{Name: "foo", Resources: corev1.ResourceRequirements{Requests: ofCPU("1")}}},
	}
	fmt.Println(steps.ValidateTaskRun(run, nil, steps.TaskRunOptions{Version: steps.V1, Steps: []string{"bar"}}).ToAggregate())
	// Output:
	// [stepSpecs[0].name: Not found: "foo", stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: computeResources, stepSpecs.resources]
}

func ExampleTaskRunVersion() {
	fmt.Println(steps.V1, steps.V1Beta1)
	// Output:
	// v1 v1beta1
}

// Two steps of a task that is limited to 4 CPU count as 8 in a quota on limits. With the limit at
// the pod level they count as 4.
func ExamplePodLevel() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-build"}, {Name: "step-push"}}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("1"), Limits: ofCPU("4")}}
	plan := steps.PodLevel(spec, run, steps.TektonStep, nil, steps.Options{})
	for _, c := range plan.Changes[len(plan.Changes)-2:] {
		fmt.Println(c)
	}
	fmt.Println("limits counted:", plan.Divided.Limits.Cpu(), "or", plan.PodLevel.Limits.Cpu())
	fmt.Println("requests counted:", plan.Divided.Requests.Cpu(), "or", plan.PodLevel.Requests.Cpu())
	// Output:
	// pod: set the cpu request to 1
	// pod: set the cpu limit to 4
	// limits counted: 8 or 4
	// requests counted: 1 or 1
}

// Which LimitRange stops the pod: the maximum for pods holds for the sum of the limits, unless
// there is a limit at the pod level.
func ExampleEffect() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-build"}, {Name: "step-push"}}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Limits: ofCPU("4")}}
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypePod, Max: ofCPU("4")}}}}
	lr.Name = "small"
	ranges := limitrange.Compile([]*corev1.LimitRange{lr}, limitrange.Options{})
	plan := steps.PodLevel(spec, run, steps.TektonStep, ranges, steps.Options{})
	fmt.Println(plan.Divided.Admission.Admitted(), plan.PodLevel.Admission.Admitted())
	// Output:
	// false true
}
