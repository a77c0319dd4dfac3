package pipelinerun

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
)

// Run has the fields of a PipelineRun that are read, in either version of the API.
type Run struct {
	*Object[RunSpec]
}

type RunSpec struct {
	Params          []param
	PipelineRef     *reference
	PipelineSpec    *PipelineSpec
	Workspaces      []boundWorkspace
	TaskRunTemplate struct {
		ServiceAccountName string
		PodTemplate        *podTemplate
	}
	// v1beta1
	ServiceAccountName string
	PodTemplate        *podTemplate

	TaskRunSpecs []taskSettings
}

// boundWorkspace is a workspace of a run, and its claim, if there is one.
type boundWorkspace struct {
	Name                  string
	VolumeClaimTemplate   *corev1.PersistentVolumeClaim
	PersistentVolumeClaim *corev1.PersistentVolumeClaimVolumeSource
}

// binds reports whether the run has a workspace.
func (r *Run) binds(workspace string) bool {
	return slices.ContainsFunc(r.Spec.Workspaces, func(w boundWorkspace) bool { return w.Name == workspace })
}

// param is a parameter with its value, or its default.
type param struct {
	Name           string
	Value, Default json.RawMessage
}

type podTemplate struct {
	NodeSelector       map[string]string
	Tolerations        []corev1.Toleration
	Affinity           *corev1.Affinity
	ImagePullSecrets   []corev1.LocalObjectReference
	SecurityContext    *corev1.PodSecurityContext
	PriorityClassName  *string
	ServiceAccountName string // of an affinity assistant
	RuntimeClassName   *string
}

// over returns a template with what it does not set from the default.
//
// Source: MergePodTemplateWithDefault of Tekton's pkg/apis/pipeline/pod.
func (t *podTemplate) over(d *podTemplate) *podTemplate {
	switch {
	case t == nil:
		return d
	case d == nil:
		return t
	}
	own := *t
	if own.NodeSelector == nil {
		own.NodeSelector = d.NodeSelector
	}
	if own.Tolerations == nil {
		own.Tolerations = d.Tolerations
	}
	if own.ImagePullSecrets == nil {
		own.ImagePullSecrets = d.ImagePullSecrets
	}
	own.Affinity, own.SecurityContext = cmp.Or(own.Affinity, d.Affinity), cmp.Or(own.SecurityContext, d.SecurityContext)
	own.PriorityClassName = cmp.Or(own.PriorityClassName, d.PriorityClassName)
	own.RuntimeClassName = cmp.Or(own.RuntimeClassName, d.RuntimeClassName)
	return &own
}

// planned returns what a template sets for the planner, nothing if it is nil. Service accounts are apart.
func (t *podTemplate) planned() (own affinity.PodTemplate) {
	if t == nil {
		return own
	}
	own = affinity.PodTemplate{NodeSelector: t.NodeSelector, Tolerations: t.Tolerations, Affinity: t.Affinity,
		ImagePullSecrets: t.ImagePullSecrets, SecurityContext: t.SecurityContext}
	if t.PriorityClassName != nil {
		own.PriorityClassName = *t.PriorityClassName
	}
	return own
}

func (r *Run) template(in *Objects) *podTemplate {
	own := r.Spec.TaskRunTemplate.PodTemplate
	if own == nil {
		own = r.Spec.PodTemplate
	}
	return own.over(in.Config.podTemplate)
}

type PipelineSpec struct {
	Version        string `json:"-"` // the apiVersion of its object
	Params         []param
	Workspaces     []workspaceDeclaration
	Tasks, Finally []pipelineTask
}

var resultReference = regexp.MustCompile(`\$\(tasks\.([^.)]+)\.results\.`)

// UnmarshalJSON also records which results a task uses.
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

// Pipeline returns the tasks of a run, or why they are unknown. Those of one that has begun are stored.
//
// Source: GetPipelineFunc of Tekton's pkg/reconciler/pipelinerun/resources.
func (r *Run) Pipeline(in *Objects) (spec PipelineSpec, missing string) {
	if (r.Spec.PipelineSpec == nil) == (r.Spec.PipelineRef == nil) {
		return PipelineSpec{}, "expected exactly one of pipelineRef and pipelineSpec"
	}
	if stored := r.Status.PipelineSpec; stored != nil {
		return *stored, ""
	}
	return resolve("Pipeline", r.Spec.PipelineSpec, r.Spec.PipelineRef, r.Namespace, in.Pipelines)
}

// resolve returns the spec that is given or, of those that are known, the one that is referred to, or why it is unknown.
func resolve[S any](kind string, given *S, ref *reference, namespace string, known map[string]S) (spec S, missing string) {
	if given != nil {
		return *given, ""
	}
	spec, has := known[namespace+"/"+ref.Name]
	if missing := ref.notFetched(kind); missing != "" {
		return *new(S), missing
	} else if !has {
		return spec, fmt.Sprintf("%s %s is not in the input", kind, ref.Name)
	}
	return spec, ""
}

// CheckEntries returns the entries of taskRunSpecs that belong to no task of the Pipeline, for which Tekton fails the run.
//
// Source: ValidateTaskRunSpecs of Tekton's pkg/reconciler/pipelinerun/resources (v1.15.0).
func (r *Run) CheckEntries(pipeline PipelineSpec) (faults field.ErrorList) {
	for i, s := range r.Spec.TaskRunSpecs {
		named := func(t pipelineTask) bool { return t.Name == s.PipelineTaskName }
		if !slices.ContainsFunc(pipeline.Tasks, named) && !slices.ContainsFunc(pipeline.Finally, named) {
			faults = append(faults, field.NotFound(field.NewPath("spec", "taskRunSpecs").Index(i).Child("pipelineTaskName"), s.PipelineTaskName))
		}
	}
	return faults
}

// generatedName returns a name like that of the API server for metadata.generateName: the prefix is
// truncated so that the name has at most 63 characters, and five are appended.
func generatedName(prefix string) string {
	const added = "xxxxx"
	return prefix[:min(len(prefix), 63-len(added))] + added
}

// Identify sets a made-up name and UID of a run that the API server has not stored yet, with a note.
func (r *Run) Identify() (notes []string) {
	if r.Name == "" && r.GenerateName != "" {
		r.Name = generatedName(r.GenerateName)
		notes = append(notes, fmt.Sprintf("it has no name yet: planned with the name %s", r.Name))
	}
	if r.UID == "" {
		r.UID = types.UID("00000000-0000-0000-0000-000000000000")
		if slices.ContainsFunc(r.Spec.Workspaces, func(w boundWorkspace) bool { return w.VolumeClaimTemplate != nil }) {
			notes = append(notes, "it has no UID yet: the claims that are created for it will have other names")
		}
	}
	return notes
}

// ToRun returns a run for the planner, with the pod of each of its tasks, and what is unknown about it. The tasks request
// what their containers do; see TaskPod.
func (r *Run) ToRun(pipeline PipelineSpec, in *Objects) (run *affinity.Run, pods []TaskPod, notes []string) {
	run = &affinity.Run{
		Name: r.Name, Namespace: r.Namespace, UID: r.UID,
		Labels: r.labels(), APIVersion: r.APIVersion, Kind: r.Kind, PodTemplate: r.template(in).planned(),
	}
	run.PodTemplate.ServiceAccountName = cmp.Or(r.Spec.TaskRunTemplate.ServiceAccountName, r.Spec.ServiceAccountName)
	params := slices.Concat(pipeline.Params, r.Spec.Params)
	claims := stringsOf(params)
	for _, w := range r.Spec.Workspaces {
		workspace := affinity.Workspace{Name: w.Name, ClaimTemplate: w.VolumeClaimTemplate}
		if w.PersistentVolumeClaim != nil {
			workspace.ClaimName = claims.Replace(w.PersistentVolumeClaim.ClaimName)
		}
		run.Workspaces = append(run.Workspaces, workspace)
	}
	for _, w := range pipeline.Workspaces {
		if w.Optional {
			run.OptionalWorkspaces = append(run.OptionalWorkspaces, w.Name)
		}
	}
	skips := pipeline.skipped(params)
	add := func(list *[]affinity.Task, t *pipelineTask, runAfter []string) {
		skipped := skips.reasons[t.Name]
		task, pod, unknown := r.toTask(t, params, in, skipped)
		task.RunAfter = runAfter
		if skipped == "" {
			task.ResultsOf = t.uses
		}
		if skips.unknown[t.Name] {
			unknown = append(unknown, "task "+t.Name+": whether its when lets it run is unknown, so it is taken to run")
		}
		*list, pods, notes = append(*list, task), append(pods, pod), append(notes, unknown...)
	}
	for _, t := range pipeline.Tasks {
		add(&run.Tasks, &t, slices.Concat(t.RunAfter, t.uses))
	}
	for _, t := range pipeline.Finally { // results are known by then
		add(&run.Finally, &t, t.RunAfter)
	}
	return run, pods, notes
}

// stringsOf returns a replacer of the parameters that are strings; of equal names, the last one counts.
func stringsOf(params []param) *strings.Replacer {
	values := map[string]string{}
	for _, p := range params {
		for _, raw := range []json.RawMessage{p.Default, p.Value} {
			var value string
			if json.Unmarshal(raw, &value) == nil {
				values[p.Name] = value
			}
		}
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, "$(params."+name+")", values[name])
	}
	return strings.NewReplacer(pairs...)
}

// wholeArray matches a text that stands for all values of a parameter.
var wholeArray = regexp.MustCompile(`^\$\(params(?:\.([^.()\[\]]+)|\["([^"]+)"\]|\['([^']+)'\])\[\*\]\)$`)

// arrayOf returns the values of a list, or of the parameter that a text stands for, and whether they are
// known. Of parameters with the same name, the last one counts.
func arrayOf(value json.RawMessage, params []param) (values []json.RawMessage, known bool) {
	var text string
	if json.Unmarshal(value, &text) == nil {
		match := wholeArray.FindStringSubmatch(text)
		for _, p := range params {
			if match != nil && p.Name == match[1]+match[2]+match[3] {
				value = json.RawMessage(cmp.Or(string(p.Value), string(p.Default), string(value)))
			}
		}
	}
	known = json.Unmarshal(value, &values) == nil && values != nil
	return values, known
}

// labels returns the labels of a run, with the one of its Pipeline that Tekton adds.
func (r *Run) labels() map[string]string {
	const key = "tekton.dev/pipeline"
	labels := map[string]string{key: r.Name}
	if r.Spec.PipelineRef != nil && r.Spec.PipelineRef.Name != "" {
		labels[key] = r.Spec.PipelineRef.Name
	}
	maps.Copy(labels, r.Labels)
	return labels
}
