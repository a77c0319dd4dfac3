package steps_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/quota/admit"
)

func ofCPU(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
}

// limitRangeExample is the LimitRange of Tekton's "Compute Resources in Tekton".
func limitRangeExample() corev1.LimitRangeItem {
	return corev1.LimitRangeItem{
		Type:           corev1.LimitTypeContainer,
		Default:        ofCPU("2"),
		DefaultRequest: ofCPU("1"),
		Max:            ofCPU("3"),
		Min:            ofCPU("300m"),
	}
}

// printCPU prints the table of a pod: container, CPU request, CPU limit.
func printCPU(spec *corev1.PodSpec) {
	for _, c := range computeresources.Containers(spec) {
		request, limit := c.Resources.Requests[corev1.ResourceCPU], c.Resources.Limits[corev1.ResourceCPU]
		fmt.Println(c.Name, request.String(), limit.String())
	}
}

// fit applies Fit.
func fit(spec *corev1.PodSpec, item corev1.LimitRangeItem) {
	changes, _ := steps.Fit(spec, item, steps.TektonStep, division.Options{})
	if err := computeresources.ApplyChanges(spec, changes); err != nil {
		fmt.Println(err)
	}
}

// Two steps without requests share the default request. The LimitRanger sets the limits, 2 for each,
// when the pod is created.
func ExampleFill() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-1"}, {Name: "step-2"}}}
	changes, _ := steps.Fill(spec, limitRangeExample(), steps.TektonStep, steps.Options{})
	for _, change := range changes {
		fmt.Println(change)
	}
	// Output:
	// container step-1: set the cpu request to 500m
	// container step-2: set the cpu request to 500m
}

// A sidecar gets the default whole.
func ExampleFill_sidecar() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-1"}, {Name: "step-2"}, {Name: "sidecar-3"}}}
	changes, _ := steps.Fill(spec, limitRangeExample(), steps.TektonStep, steps.Options{})
	for _, change := range changes {
		fmt.Println(change)
	}
	// Output:
	// container step-1: set the cpu request to 500m
	// container step-2: set the cpu request to 500m
	// container sidecar-3: set the cpu request to 1
}

// secondTable are the steps of the document's second table.
func secondTable() *corev1.PodSpec {
	return &corev1.PodSpec{Containers: []corev1.Container{
		{Name: "step-1", Resources: corev1.ResourceRequirements{Requests: ofCPU("200m"), Limits: ofCPU("2")}},
		{Name: "step-2", Resources: corev1.ResourceRequirements{Requests: ofCPU("1"), Limits: ofCPU("4")}},
	}}
}

// Fill does not change amounts that are set.
func ExampleFill_stated() {
	changes, conflicts := steps.Fill(secondTable(), limitRangeExample(), steps.TektonStep, steps.Options{})
	fmt.Println(len(changes), len(conflicts))
	// Output:
	// 0 0
}

// The parts of an exact division add up; Tekton's do not.
func ExampleTektonOptions() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-1"}, {Name: "step-2"}, {Name: "step-3"}}}
	for _, opts := range []steps.Options{{}, steps.TektonOptions()} {
		changes, _ := steps.Fill(spec, limitRangeExample(), steps.TektonStep, opts)
		for _, change := range changes {
			fmt.Println(change)
		}
	}
	// Output:
	// container step-1: set the cpu request to 334m
	// container step-2: set the cpu request to 333m
	// container step-3: set the cpu request to 333m
	// container step-1: set the cpu request to 333m
	// container step-2: set the cpu request to 333m
	// container step-3: set the cpu request to 333m
}

// The document's second table: requests are raised to the minimum, and limits lowered to
// the maximum.
func ExampleFit() {
	spec := secondTable()
	fit(spec, limitRangeExample())
	printCPU(spec)
	// Output:
	// step-1 300m 2
	// step-2 1 3
}

// The document's first table, and the one with a sidecar: Fit sets the limits, too.
func ExampleFit_nothingStated() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-1"}, {Name: "step-2"}, {Name: "sidecar-3"}}}
	fit(spec, limitRangeExample())
	printCPU(spec)
	// Output:
	// step-1 500m 2
	// step-2 500m 2
	// sidecar-3 1 2
}

func ExampleFit_conflicts() {
	item := limitRangeExample()
	item.Min = ofCPU("4")
	_, conflicts := steps.Fit(secondTable(), item, steps.TektonStep, division.Options{})
	for _, u := range conflicts {
		fmt.Println(u)
	}
	// Output:
	// container step-1 cpu: min is above max: min 4, max 3
	// container step-2 cpu: min is above max: min 4, max 3
}

func ExampleFill_applyChanges() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-1"}}}
	changes, _ := steps.Fill(spec, limitRangeExample(), steps.TektonStep, steps.Options{})
	fmt.Println(computeresources.ApplyChanges(spec, changes))
	request := spec.Containers[0].Resources.Requests[corev1.ResourceCPU]
	fmt.Println(request.String())

	spec.Containers[0].Name = "other"
	fmt.Println(computeresources.ApplyChanges(spec, changes))
	// Output:
	// <nil>
	// 1
	// container step-1: set the cpu request to 1: index 0: not in the pod spec
}

// A quota restricts a namespace to a limit of 10 CPU. A task of 20 steps that are limited
// to 1 CPU each never uses more than one, but is charged 20.
func ExamplePeakLimits() {
	spec := &corev1.PodSpec{}
	for i := range 20 {
		spec.Containers = append(spec.Containers, corev1.Container{
			Name: fmt.Sprintf("step-%d", i), Resources: corev1.ResourceRequirements{Limits: ofCPU("1")},
		})
	}
	quota := resource.MustParse("10")
	charged := computeresources.SpecLimits(spec, computeresources.Options{})[corev1.ResourceCPU]
	used := steps.PeakLimits(spec, steps.TektonStep, computeresources.Options{})[corev1.ResourceCPU]
	fmt.Println("charged", charged.String(), "within the quota:", charged.Cmp(quota) <= 0)
	fmt.Println("peak", used.String(), "within the quota:", used.Cmp(quota) <= 0)
	// Output:
	// charged 20 within the quota: false
	// peak 1 within the quota: true
}

func ExamplePeakRequests() {
	charged := computeresources.SpecRequests(secondTable(), computeresources.Options{})[corev1.ResourceCPU]
	used := steps.PeakRequests(secondTable(), steps.TektonStep, computeresources.Options{})[corev1.ResourceCPU]
	fmt.Println(charged.String(), used.String())
	// Output:
	// 1200m 1
}

// The TaskRun foo of the document, with two steps, one of which sets requests.
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

// The TaskRun and the PipelineRun of the document that are rejected, in v1.
func ExampleValidateTaskRun() {
	run := steps.TaskRun{
		ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("2")},
		StepOverrides:    []steps.Override{{Name: "foo", Resources: corev1.ResourceRequirements{Requests: ofCPU("1")}}},
	}
	fmt.Println(steps.ValidateTaskRun(run, field.NewPath("spec")).ToAggregate())
	fmt.Println(steps.ValidateTaskRun(run, field.NewPath("spec", "taskRunSpecs").Index(0)).ToAggregate())
	// Output:
	// spec.stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources
	// spec.taskRunSpecs[0].stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.taskRunSpecs[0].computeResources, spec.taskRunSpecs[0].stepSpecs.resources
}

// The same TaskRun with the names of the task's steps, where the paths are prefixed elsewhere.
func ExampleValidateTaskRun_names() {
	run := steps.TaskRun{
		StepNames:        []string{"bar"},
		ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("2")},
		StepOverrides:    []steps.Override{{Name: "foo", Resources: corev1.ResourceRequirements{Requests: ofCPU("1")}}},
	}
	fmt.Println(steps.ValidateTaskRun(run, nil).ToAggregate())
	// Output:
	// [stepSpecs[0].name: Not found: "foo", stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: computeResources, stepSpecs.resources]
}

// Two steps of a task that is limited to 4 CPU count as 8 in a quota on limits. With the limit at
// the pod level they count as 4.
func ExamplePodLevel() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-build"}, {Name: "step-push"}}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Requests: ofCPU("1"), Limits: ofCPU("4")}}
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	plan := steps.PodLevel(spec, changes, []steps.TaskRun{run}, steps.TektonStep, nil)
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
	namespace, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	plan := steps.PodLevel(spec, changes, []steps.TaskRun{run}, steps.TektonStep, namespace)
	fmt.Println(plan.Divided.Decision.Admitted(), plan.PodLevel.Decision.Admitted())
	// Output:
	// false true
}

// The scripts of a TaskRun request what the configuration of Tekton says, so that a quota admits them.
func ExampleContainerDefaults() {
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{{Name: "place-scripts"}},
		Containers:     []corev1.Container{{Name: "step-build"}},
	}
	requirements := map[string]corev1.ResourceRequirements{
		"place-scripts": {Requests: corev1.ResourceList{"cpu": resource.MustParse("100m")}},
		"prefix-step":   {Requests: corev1.ResourceList{"memory": resource.MustParse("1Gi")}},
	}
	for _, change := range steps.ContainerDefaults(spec, requirements) {
		fmt.Println(change)
	}
	// Output:
	// init container place-scripts: set the cpu request to 100m (ConfigMap config-defaults)
	// container step-build: set the memory request to 1Gi (ConfigMap config-defaults)
}

// Why a step requests 333m, and what the LimitRange of the namespace adds to it.
func ExampleWholePod() {
	cpu := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": resource.MustParse(amount)}
	}
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-a"}, {Name: "step-b"}, {Name: "step-c"}, {Name: "sidecar-logs"}}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Requests: cpu("1")}}
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypeContainer, Default: cpu("2"), DefaultRequest: cpu("100m")},
	}}}
	lr.Name = "defaults"

	namespace, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := steps.WholePod(spec, []steps.TaskRun{run}, steps.Environment{Namespace: namespace}, steps.TektonOptions())
	for _, amount := range plan.Amounts {
		fmt.Println(amount.Ref.Name, amount.Resource, amount.List, amount.To, "from", amount.Source.Kind, amount.Source.Field)
	}
	fmt.Printf("rejected: %q\n", plan.Rejected)
	// Output:
	// prepare cpu request 100m from LimitRange spec.limits[0]
	// prepare cpu limit 2 from LimitRange spec.limits[0]
	// step-a cpu request 333m from TaskRun spec.computeResources.requests[cpu]
	// step-a cpu limit 2 from LimitRange spec.limits[0]
	// step-b cpu request 333m from TaskRun spec.computeResources.requests[cpu]
	// step-b cpu limit 2 from LimitRange spec.limits[0]
	// step-c cpu request 333m from TaskRun spec.computeResources.requests[cpu]
	// step-c cpu limit 2 from LimitRange spec.limits[0]
	// sidecar-logs cpu request 100m from LimitRange spec.limits[0]
	// sidecar-logs cpu limit 2 from LimitRange spec.limits[0]
	// rejected: ""
}

// The default request of a LimitRange is halved until the quota admits both steps.
func ExampleAdmittedPod() {
	cpu := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": resource.MustParse(amount)}
	}
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-a"}, {Name: "step-b"}}}
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypeContainer, DefaultRequest: cpu("4")},
	}}}
	compute := &corev1.ResourceQuota{}
	compute.Name = "compute"
	compute.Spec.Hard = corev1.ResourceList{"requests.cpu": resource.MustParse("3")}
	compute.Status.Hard = compute.Spec.Hard
	compute.Status.Used = corev1.ResourceList{"requests.cpu": resource.MustParse("0")}
	namespace, err := admit.Compile([]*corev1.LimitRange{lr}, []*corev1.ResourceQuota{compute}, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := steps.Environment{Namespace: namespace}

	fmt.Println(steps.WholePod(spec, nil, in, steps.Options{}).Rejected)
	admitted := steps.AdmittedPod(spec, nil, in, steps.Options{})
	for _, change := range admitted.Changes {
		fmt.Println(change)
	}
	// Output:
	// pods is forbidden: exceeded quota: compute, requested: requests.cpu=4, used: requests.cpu=0, limited: requests.cpu=3
	// init container prepare: set the cpu request to 2 (LimitRanges and quotas)
	// container step-a: set the cpu request to 1 (LimitRanges and quotas)
	// container step-b: set the cpu request to 1 (LimitRanges and quotas)
}

// The pod of a run with two steps becomes Guaranteed within a quota.
func ExampleGuaranteed() {
	amounts := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
	}
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-build"}, {Name: "step-push"}}}
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypeContainer, Default: amounts("2", "2Gi"), DefaultRequest: amounts("1", "1Gi")},
	}}}
	quota := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{
		Hard: corev1.ResourceList{"limits.cpu": resource.MustParse("8")}, Used: corev1.ResourceList{"limits.cpu": resource.MustParse("7500m")},
	}}
	namespace, err := admit.Compile([]*corev1.LimitRange{lr}, []*corev1.ResourceQuota{quota}, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	plan, err := steps.Guaranteed(spec, nil, steps.Environment{Namespace: namespace}, steps.Options{})
	if err != nil {
		fmt.Println(err) // names the bounds that contradict each other
		return
	}
	for _, o := range plan.Run.StepOverrides {
		fmt.Println(o.Name, o.Resources.Requests.Cpu(), o.Resources.Limits.Cpu(), o.Resources.Requests.Memory(), o.Resources.Limits.Memory())
	}
	// Output:
	// build 250m 250m 512Mi 512Mi
	// push 250m 250m 512Mi 512Mi
}

// Tekton adds containers to the pod of a task with a script and a working directory.
func ExampleTektonContainers() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-build", WorkingDir: "/workspace/src"}}}
	whole := steps.TektonContainers(spec, []steps.TaskRun{{Scripts: true, Results: true}}, steps.Tekton{ResultsSidecar: true})
	for _, c := range append(whole.InitContainers, whole.Containers...) {
		fmt.Println(c.Name)
	}
	// Output:
	// prepare
	// place-scripts
	// working-dir-initializer
	// step-build
	// sidecar-tekton-log-results
}
