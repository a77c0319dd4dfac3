package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

// requirements builds the requirements; nil lists are not set.
func requirements(requests, limits corev1.ResourceList) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: requests, Limits: limits}
}

func TestTaskLevel(t *testing.T) {
	list := testkit.List
	task := func(requests, limits corev1.ResourceList) steps.TaskRun {
		r := requirements(requests, limits)
		return steps.TaskRun{ComputeResources: &r}
	}
	two := func() *corev1.PodSpec {
		return pod(step("step-a", "3", ""), step("sidecar-b", "1", "2"), step("step-c", "", ""))
	}
	named := func(name string, requests, limits corev1.ResourceList) []steps.Override {
		return []steps.Override{{Name: name, Resources: requirements(requests, limits)}}
	}
	tests := []struct {
		name      string
		spec      *corev1.PodSpec
		run       steps.TaskRun
		opts      division.Options
		changes   []string
		conflicts []string
	}{
		{"requests and limits", two(), task(cpu("1"), cpu("2")), division.Options{}, []string{
			"container step-a: change the cpu request from 3 to 500m", "container step-a: set the cpu limit to 2",
			"container step-c: set the cpu request to 500m", "container step-c: set the cpu limit to 2",
		}, nil},
		{"exact", pod(step("step-a", "", ""), step("step-b", "", ""), step("step-c", "", "")), task(cpu("1"), nil), division.Options{},
			[]string{"container step-a: set the cpu request to 334m", "container step-b: set the cpu request to 333m", "container step-c: set the cpu request to 333m"}, nil},
		{"truncated", pod(step("step-a", "", ""), step("step-b", "", ""), step("step-c", "", "")), task(cpu("1"), nil), division.Options{Truncated: true},
			[]string{"container step-a: set the cpu request to 333m", "container step-b: set the cpu request to 333m", "container step-c: set the cpu request to 333m"}, nil},
		{"limits alone are requests, too", two(), task(nil, cpu("2")), division.Options{}, []string{
			"container step-a: change the cpu request from 3 to 1", "container step-a: set the cpu limit to 2",
			"container step-c: set the cpu request to 1", "container step-c: set the cpu limit to 2",
		}, nil},
		{"limits for requests, by resource", pod(step("step-a", "", "")), task(cpu("1"), list("cpu", "2", "memory", "1Gi")), division.Options{}, []string{
			"container step-a: set the cpu request to 1", "container step-a: set the cpu limit to 2", "container step-a: set the memory request to 1Gi", "container step-a: set the memory limit to 1Gi",
		}, nil},
		{"a request of zero is a request", pod(step("step-a", "", "")), task(cpu("0"), cpu("2")), division.Options{}, []string{
			"container step-a: set the cpu request to 0", "container step-a: set the cpu limit to 2",
		}, nil},
		{"resources that the task does not set are removed", pod(testkit.Container("step-a", list("cpu", "1", "memory", "1Gi"), list("memory", "2Gi"))), task(cpu("1"), nil), division.Options{},
			[]string{"container step-a: remove the memory request 1Gi", "container step-a: remove the memory limit 2Gi"}, nil},
		{"over template and overrides", pod(step("step-a", "3", "")), steps.TaskRun{
			ComputeResources: task(cpu("1"), nil).ComputeResources, Template: requirements(list("memory", "1Gi"), nil), StepOverrides: named("step-a", cpu("2"), nil),
		}, division.Options{}, []string{"container step-a: change the cpu request from 3 to 1"}, nil},
		{"task-level requirements and a sidecar override", two(), steps.TaskRun{
			ComputeResources: task(cpu("2"), nil).ComputeResources, SidecarOverrides: named("b", cpu("750m"), cpu("1")), SidecarPrefix: "sidecar-",
		}, division.Options{}, []string{
			"container step-a: change the cpu request from 3 to 1",
			"container sidecar-b: change the cpu request from 1 to 750m", "container sidecar-b: change the cpu limit from 2 to 1",
			"container step-c: set the cpu request to 1",
		}, nil},
		{"a request above the limit", two(), task(cpu("6"), cpu("2")), division.Options{}, []string{
			"container step-a: set the cpu limit to 2",
			"container step-c: set the cpu request to 3", "container step-c: set the cpu limit to 2",
		}, []string{"container step-a cpu: the request is above the limit: request 3, limit 2", "container step-c cpu: the request is above the limit: request 3, limit 2"}},
		{"more than the limit in all, but not in parts", two(), task(cpu("4"), cpu("2")), division.Options{}, []string{
			"container step-a: change the cpu request from 3 to 2", "container step-a: set the cpu limit to 2",
			"container step-c: set the cpu request to 2", "container step-c: set the cpu limit to 2",
		}, nil},
		{"a part of zero is set", pod(step("step-a", "", ""), step("step-b", "", "")), task(cpu("1m"), nil), division.Options{},
			[]string{"container step-a: set the cpu request to 1m", "container step-b: set the cpu request to 0"}, nil},
		{"a GPU", pod(step("step-a", "", ""), step("step-b", "", "")), task(gpu("1"), gpu("1")), division.Options{},
			[]string{"container step-a: set the nvidia.com/gpu request to 1", "container step-a: set the nvidia.com/gpu limit to 1"}, nil},
		{"a limit of GPUs", pod(step("step-a", "", ""), step("step-b", "", "")), task(nil, gpu("1")), division.Options{},
			[]string{"container step-a: set the nvidia.com/gpu request to 1", "container step-a: set the nvidia.com/gpu limit to 1"}, nil},
		{"a GPU to each", pod(step("step-a", "", ""), step("step-b", "", "")), task(nil, gpu("1")), division.Options{ToEach: true}, []string{
			"container step-a: set the nvidia.com/gpu request to 1", "container step-a: set the nvidia.com/gpu limit to 1",
			"container step-b: set the nvidia.com/gpu request to 1", "container step-b: set the nvidia.com/gpu limit to 1",
		}, nil},
		{"parts of a GPU, of which only requests are divided", pod(step("step-a", "", "")), task(nil, gpu("1500m")), division.Options{RoundUp: true},
			[]string{"container step-a: set the nvidia.com/gpu request to 2", "container step-a: set the nvidia.com/gpu limit to 1500m"},
			[]string{"container step-a nvidia.com/gpu: the request is above the limit: request 2, limit 1500m"}},
		{"no requirements", two(), steps.TaskRun{}, division.Options{}, nil, nil},
		{"empty requirements", two(), task(corev1.ResourceList{}, nil), division.Options{}, nil, nil},
		{"empty requirements do not stand in the way", pod(step("step-a", "", "")), steps.TaskRun{
			ComputeResources: &corev1.ResourceRequirements{}, StepOverrides: named("step-a", cpu("2"), nil),
		}, division.Options{}, []string{"container step-a: set the cpu request to 2"}, nil},
		{"no steps", pod(step("a", "1", "")), task(cpu("2"), nil), division.Options{}, nil, nil},
		{"no containers", pod(), task(cpu("2"), nil), division.Options{}, nil, nil},
		{"no spec", nil, task(cpu("2"), nil), division.Options{}, nil, nil},
		{"below zero", pod(step("step-a", "", ""), step("step-b", "", "")), task(cpu("-1"), nil), division.Options{},
			[]string{"container step-a: set the cpu request to -500m", "container step-b: set the cpu request to -500m"}, nil},

		{"a template", two(), steps.TaskRun{Template: requirements(list("cpu", "1", "memory", "1Gi"), cpu("5"))}, division.Options{}, []string{
			"container step-a: set the cpu limit to 5", "container step-a: set the memory request to 1Gi",
			"container step-c: set the cpu request to 1", "container step-c: set the cpu limit to 5", "container step-c: set the memory request to 1Gi",
		}, nil},
		{"a template of limits below what a step requests", two(), steps.TaskRun{Template: requirements(nil, cpu("2"))}, division.Options{}, []string{
			"container step-a: set the cpu limit to 2", "container step-c: set the cpu limit to 2",
		}, []string{"container step-a cpu: the request is above the limit: request 3, limit 2"}},
		{"a step override", two(), steps.TaskRun{StepPrefix: "step-", StepOverrides: named("c", list("memory", "1Gi"), cpu("2"))}, division.Options{},
			[]string{"container step-c: set the cpu limit to 2", "container step-c: set the memory request to 1Gi"}, nil},
		{"a step override over the template and the step", two(), steps.TaskRun{
			Template: requirements(list("memory", "1Gi"), nil), StepPrefix: "step-", StepOverrides: named("a", list("cpu", "2", "memory", "2Gi"), nil),
		}, division.Options{}, []string{
			"container step-a: change the cpu request from 3 to 2", "container step-a: set the memory request to 2Gi", "container step-c: set the memory request to 1Gi",
		}, nil},
		{"step override does not apply to a sidecar with that name", two(), steps.TaskRun{StepOverrides: named("sidecar-b", cpu("5"), nil)}, division.Options{}, nil, nil},
		{"sidecar override does not apply to a step", two(), steps.TaskRun{SidecarOverrides: named("step-a", cpu("5"), nil)}, division.Options{}, nil, nil},
		{"a native sidecar", &corev1.PodSpec{InitContainers: []corev1.Container{testkit.Sidecar("sidecar-b", nil, nil)}}, steps.TaskRun{SidecarPrefix: "sidecar-", SidecarOverrides: named("b", cpu("1"), nil)},
			division.Options{}, []string{"sidecar sidecar-b: set the cpu request to 1"}, nil},
		{"an override without a container", two(), steps.TaskRun{StepOverrides: named("x", cpu("5"), nil)}, division.Options{}, nil, nil},
		{"an override with the whole name of a container", two(), steps.TaskRun{StepPrefix: "step-", StepOverrides: named("step-c", cpu("5"), nil)}, division.Options{}, nil, nil},
		{"overrides of one name", two(), steps.TaskRun{StepOverrides: append(named("step-c", list("cpu", "5", "memory", "1"), nil), named("step-c", cpu("6"), nil)...)}, division.Options{},
			[]string{"container step-c: set the cpu request to 6", "container step-c: set the memory request to 1"}, nil},
		{"a sidecar override above the limit", two(), steps.TaskRun{SidecarOverrides: named("sidecar-b", cpu("4"), nil)}, division.Options{},
			[]string{"container sidecar-b: change the cpu request from 1 to 4"}, []string{"container sidecar-b cpu: the request is above the limit: request 4, limit 2"}},
		{"a sidecar override above two limits", two(), steps.TaskRun{SidecarOverrides: named("sidecar-b", list("cpu", "4", "memory", "3Gi"), list("memory", "2Gi"))}, division.Options{},
			[]string{"container sidecar-b: change the cpu request from 1 to 4", "container sidecar-b: set the memory request to 3Gi", "container sidecar-b: set the memory limit to 2Gi"},
			[]string{"container sidecar-b cpu: the request is above the limit: request 4, limit 2", "container sidecar-b memory: the request is above the limit: request 3Gi, limit 2Gi"}},
		{"containers that are neither steps nor sidecars", pod(step("step-a", "2", "1"), step("b", "2", "1")), steps.TaskRun{}, division.Options{}, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changes, conflicts := steps.TaskLevel(test.spec, test.run, steps.TektonStep, test.opts)
			expect(t, test.changes, test.conflicts, changes, conflicts)
		})
	}
}

// Tekton only uses limits as requests if a task requests nothing. Its documentation describes
// each resource separately.
// See docs/decisions/affinity.md#limits-as-requests-by-resource.
func TestDivergenceLimitForRequestByResource(t *testing.T) {
	task := requirements(testkit.List("memory", "1Gi"), testkit.List("cpu", "2", "memory", "2Gi"))
	changes, _ := steps.TaskLevel(pod(step("step-a", "", "")), steps.TaskRun{ComputeResources: &task}, steps.TektonStep, division.Options{})
	want := []string{
		"container step-a: set the cpu request to 2", // Tekton: none
		"container step-a: set the cpu limit to 2",
		"container step-a: set the memory request to 1Gi",
		"container step-a: set the memory limit to 2Gi",
	}
	expect(t, want, nil, changes, nil)
}

// Tekton divides GPUs and huge pages like CPU: nvidia.com/gpu: 1 over two steps is 500m
// for each, which no cluster accepts.
// See docs/decisions/affinity.md#gpus-are-not-divided.
func TestDivergenceIndivisible(t *testing.T) {
	task := requirements(gpu("1"), gpu("1"))
	changes, _ := steps.TaskLevel(pod(step("step-a", "", ""), step("step-b", "", "")), steps.TaskRun{ComputeResources: &task}, steps.TektonStep, division.Options{})
	want := []string{"container step-a: set the nvidia.com/gpu request to 1", "container step-a: set the nvidia.com/gpu limit to 1"}
	expect(t, want, nil, changes, nil)
}

// In milli-units, 10E does not fit the integers of Tekton, which wrap around. Here it is divided.
// See docs/decisions/affinity.md#rounding-before-dividing.
func TestDivergenceTruncatedParts(t *testing.T) {
	two := pod(step("step-a", "", ""), step("step-b", "", ""))
	changes, _ := steps.Fill(two, bounded(cpu("10E"), nil, nil, nil, nil), steps.TektonStep, steps.TektonOptions())
	expect(t, []string{"container step-a: set the cpu request to 5E", "container step-b: set the cpu request to 5E"}, nil, changes, nil)
}

// By default, parts add up, no request is above the limit of its container, and defaults are
// within the bounds. None of this holds for Tekton.
// See docs/decisions/affinity.md#nothing-rejected-is-set.
func TestDivergenceFillByDefault(t *testing.T) {
	spec := pod(step("step-a", "", ""), step("step-b", "", "100m"), step("step-c", "", ""))
	item := bounded(cpu("4"), nil, nil, cpu("1"), nil)
	ours, _ := steps.Fill(spec, item, steps.TektonStep, steps.Options{})
	want := []string{"container step-a: set the cpu request to 334m", "container step-b: set the cpu request to 100m", "container step-c: set the cpu request to 333m"}
	expect(t, want, nil, ours, nil)
	tektons, _ := steps.Fill(spec, item, steps.TektonStep, steps.TektonOptions())
	want = []string{"container step-a: set the cpu request to 1333m", "container step-b: set the cpu request to 1333m", "container step-c: set the cpu request to 1333m"}
	expect(t, want, nil, tektons, nil)
}
