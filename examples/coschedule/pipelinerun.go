package main

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources"
)

// pipelineRun is what counts here of a PipelineRun.
type pipelineRun struct {
	place             string // where it was read
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		PipelineRef  *struct{ Name string }
		PipelineSpec *pipelineSpec
		Workspaces   []struct {
			Name                  string
			VolumeClaimTemplate   *corev1.PersistentVolumeClaim
			PersistentVolumeClaim *corev1.PersistentVolumeClaimVolumeSource
		}
		TaskRunTemplate struct {
			ServiceAccountName string
			PodTemplate        *podTemplate
		}
		TaskRunSpecs []struct {
			PipelineTaskName string
			ComputeResources *corev1.ResourceRequirements
		}
	}
}

type podTemplate struct {
	NodeSelector      map[string]string
	Tolerations       []corev1.Toleration
	Affinity          *corev1.Affinity
	ImagePullSecrets  []corev1.LocalObjectReference
	SecurityContext   *corev1.PodSecurityContext
	PriorityClassName string
}

type pipelineSpec struct {
	Tasks, Finally []pipelineTask
}

type pipelineTask struct {
	Name       string
	Workspaces []struct{ Name, Workspace string }
	RunAfter   []string
	Retries    int
	TaskSpec   *struct {
		Steps, Sidecars []struct {
			Name             string
			ComputeResources corev1.ResourceRequirements
		}
	}
	uses []string // the tasks whose results it uses
}

var resultReference = regexp.MustCompile(`\$\(tasks\.([^.)]+)\.results\.`)

// UnmarshalJSON notes which results a task uses besides.
func (t *pipelineTask) UnmarshalJSON(text []byte) error {
	type plain pipelineTask
	if err := json.Unmarshal(text, (*plain)(t)); err != nil {
		return err
	}
	for _, match := range resultReference.FindAllSubmatch(text, -1) {
		t.uses = append(t.uses, string(match[1]))
	}
	return nil
}

// pipeline returns the tasks of a run, and false if they are those of a Pipeline that was
// not read.
func (r *pipelineRun) pipeline(pipelines map[string]pipelineSpec) (pipelineSpec, bool) {
	if r.Spec.PipelineSpec != nil {
		return *r.Spec.PipelineSpec, true
	}
	if r.Spec.PipelineRef == nil {
		return pipelineSpec{}, true
	}
	spec, known := pipelines[r.Namespace+"/"+r.Spec.PipelineRef.Name]
	return spec, known
}

// toRun returns what a planner has to know of a run.
func (r *pipelineRun) toRun(pipeline pipelineSpec) *affinity.Run {
	run := &affinity.Run{
		Name: r.Name, Namespace: r.Namespace, UID: r.UID,
		Labels: r.labels(), APIVersion: r.APIVersion, Kind: r.Kind,
	}
	run.PodTemplate.ServiceAccountName = r.Spec.TaskRunTemplate.ServiceAccountName
	if t := r.Spec.TaskRunTemplate.PodTemplate; t != nil {
		run.PodTemplate.NodeSelector, run.PodTemplate.Tolerations = t.NodeSelector, t.Tolerations
		run.PodTemplate.Affinity, run.PodTemplate.ImagePullSecrets = t.Affinity, t.ImagePullSecrets
		run.PodTemplate.SecurityContext, run.PodTemplate.PriorityClassName = t.SecurityContext, t.PriorityClassName
	}
	for _, w := range r.Spec.Workspaces {
		workspace := affinity.Workspace{Name: w.Name, ClaimTemplate: w.VolumeClaimTemplate}
		if w.PersistentVolumeClaim != nil {
			workspace.ClaimName = w.PersistentVolumeClaim.ClaimName
		}
		run.Workspaces = append(run.Workspaces, workspace)
	}
	for _, t := range pipeline.Tasks {
		task := r.toTask(t)
		task.RunAfter = slices.Concat(t.RunAfter, t.uses)
		run.Tasks = append(run.Tasks, task)
	}
	for _, t := range pipeline.Finally { // results are there by then
		task := r.toTask(t)
		task.RunAfter = t.RunAfter
		run.Finally = append(run.Finally, task)
	}
	return run
}

// labels returns the labels of a run, with the one of its Pipeline that Tekton adds.
func (r *pipelineRun) labels() map[string]string {
	const key = "tekton.dev/pipeline"
	labels := map[string]string{key: r.Name}
	if r.Spec.PipelineRef != nil && r.Spec.PipelineRef.Name != "" {
		labels[key] = r.Spec.PipelineRef.Name
	}
	maps.Copy(labels, r.Labels)
	return labels
}

// toTask returns a task without what it runs after.
func (r *pipelineRun) toTask(t pipelineTask) affinity.Task {
	task := affinity.Task{Name: t.Name, Retries: t.Retries, Requests: r.requestsOf(t)}
	for _, w := range t.Workspaces {
		name := w.Workspace
		if name == "" {
			name = w.Name
		}
		task.Workspaces = append(task.Workspaces, name)
	}
	return task
}

// requestsOf returns what the pod of a task requests: what the run says of the task, or
// else its steps and sidecars together.
func (r *pipelineRun) requestsOf(t pipelineTask) corev1.ResourceList {
	var pod corev1.PodSpec
	for _, s := range r.Spec.TaskRunSpecs {
		if s.PipelineTaskName == t.Name && s.ComputeResources != nil {
			pod.Containers = []corev1.Container{{Resources: *s.ComputeResources}}
		}
	}
	if pod.Containers == nil && t.TaskSpec != nil {
		for _, c := range slices.Concat(t.TaskSpec.Steps, t.TaskSpec.Sidecars) {
			pod.Containers = append(pod.Containers, corev1.Container{Name: c.Name, Resources: c.ComputeResources})
		}
	}
	computeresources.ApplyRequestDefaults(&pod, computeresources.DefaultOptions{})
	return computeresources.SpecRequests(&pod, computeresources.Options{})
}
