package taskrun

import (
	"cmp"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
)

// part is a step or a sidecar, the template of steps, or what a run sets of one.
type part struct {
	Name             string                      `json:"name"`
	ComputeResources corev1.ResourceRequirements `json:"computeResources"`
}

// typed is what makes a task a custom one.
type typed struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

type taskSpec struct {
	typed
	StepTemplate part   `json:"stepTemplate"`
	Steps        []part `json:"steps"`
	Sidecars     []part `json:"sidecars"`
}

// reference is a taskRef or a pipelineRef.
type reference struct {
	typed
	Name     string `json:"name"`
	Resolver string `json:"resolver"`
}

// source is where the task of a run is: in it, or elsewhere.
type source struct {
	TaskRef  *reference `json:"taskRef"`
	TaskSpec *taskSpec  `json:"taskSpec"`
}

type podTemplate struct {
	PriorityClassName string `json:"priorityClassName"`
}

// settings are the resources that a run sets: a TaskRun, or an entry of taskRunSpecs.
type settings struct {
	ComputeResources *corev1.ResourceRequirements `json:"computeResources"`
	StepSpecs        []part                       `json:"stepSpecs"`
	SidecarSpecs     []part                       `json:"sidecarSpecs"`
	PodTemplate      podTemplate                  `json:"podTemplate"`
}

type taskRunSpec struct {
	source
	settings
}

type pipelineTask struct {
	source
	Name         string          `json:"name"`
	PipelineRef  json.RawMessage `json:"pipelineRef"`
	PipelineSpec json.RawMessage `json:"pipelineSpec"`
}

type pipelineSpec struct {
	Tasks   []pipelineTask `json:"tasks"`
	Finally []pipelineTask `json:"finally"`
}

type pipelineRunSpec struct {
	PipelineRef     *reference    `json:"pipelineRef"`
	PipelineSpec    *pipelineSpec `json:"pipelineSpec"`
	TaskRunTemplate struct {
		PodTemplate podTemplate `json:"podTemplate"`
	} `json:"taskRunTemplate"`
	TaskRunSpecs []struct {
		PipelineTaskName string `json:"pipelineTaskName"`
		settings
	} `json:"taskRunSpecs"`
}

// run returns the resources that a run sets for a task.
func (s *settings) run(t *taskSpec) steps.TaskRun {
	return steps.TaskRun{
		ComputeResources: s.ComputeResources, Template: t.StepTemplate.ComputeResources,
		StepOverrides: overrides(s.StepSpecs), SidecarOverrides: overrides(s.SidecarSpecs),
		StepPrefix: steps.TektonStepPrefix, SidecarPrefix: steps.TektonSidecarPrefix,
		StepNames: names(t.Steps), SidecarNames: names(t.Sidecars),
	}
}

func overrides(parts []part) (all []steps.Override) {
	for _, p := range parts {
		all = append(all, steps.Override{Name: p.Name, Resources: p.ComputeResources})
	}
	return all
}

func names(parts []part) []string {
	all := []string{}
	for _, p := range parts {
		all = append(all, p.Name)
	}
	return all
}

// pod returns the pod of a task with the amounts that the task sets, and init containers that Tekton adds.
func (t *taskSpec) pod(priorityClass string, inits []string) *corev1.PodSpec {
	// Tekton sets a deadline, of 1.5 times the timeout, so that its pods are in the scope Terminating. This is that of
	// the default timeout.
	deadline := int64(5400)
	pod := &corev1.PodSpec{ActiveDeadlineSeconds: &deadline, PriorityClassName: priorityClass}
	for _, name := range inits {
		pod.InitContainers = append(pod.InitContainers, corev1.Container{Name: name})
	}
	add := func(parts []part, prefix string) {
		for i, p := range parts {
			name := prefix + cmp.Or(p.Name, fmt.Sprintf("unnamed-%d", i))
			pod.Containers = append(pod.Containers, corev1.Container{Name: name, Resources: p.ComputeResources})
		}
	}
	add(t.Steps, steps.TektonStepPrefix)
	add(t.Sidecars, steps.TektonSidecarPrefix)
	return pod
}
