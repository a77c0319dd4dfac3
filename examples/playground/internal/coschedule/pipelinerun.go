package coschedule

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
	"github.com/kubemath/kubemath/examples/internal/inventory"
)

// pipelineRun has the fields of a PipelineRun that are read, in either version of the API.
type pipelineRun struct {
	*inventory.Manifest[pipelineRunSpec]
	place place // where it was read
}

type pipelineRunSpec struct {
	Params          []param
	PipelineRef     *reference
	PipelineSpec    *pipelineSpec
	Workspaces      []boundWorkspace
	TaskRunTemplate struct {
		ServiceAccountName string
		PodTemplate        *podTemplate
	}
	// v1beta1
	ServiceAccountName string
	PodTemplate        *podTemplate

	TaskRunSpecs []taskRunSpec
}

// boundWorkspace is a workspace of a run, and its claim, if there is one.
type boundWorkspace struct {
	Name                  string
	VolumeClaimTemplate   *corev1.PersistentVolumeClaim
	PersistentVolumeClaim *corev1.PersistentVolumeClaimVolumeSource
}

// binds reports whether the run has a workspace.
func (r *pipelineRun) binds(workspace string) bool {
	return slices.ContainsFunc(r.Spec.Workspaces, func(w boundWorkspace) bool { return w.Name == workspace })
}

// param is a parameter with its value, or its default.
type param struct {
	Name           string
	Value, Default json.RawMessage
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

// pipeline returns the tasks of a run, or why they are unknown.
func (r *pipelineRun) pipeline(in *input) (spec pipelineSpec, missing string) {
	switch {
	case r.Spec.PipelineSpec != nil && r.Spec.PipelineRef != nil:
		return pipelineSpec{}, "it has both pipelineRef and pipelineSpec, which Tekton rejects"
	case r.Spec.PipelineSpec != nil:
		return *r.Spec.PipelineSpec, ""
	case r.Spec.PipelineRef == nil:
		return pipelineSpec{}, "it has neither pipelineRef nor pipelineSpec, which Tekton rejects"
	}
	if missing := r.Spec.PipelineRef.notFetched("Pipeline"); missing != "" {
		return pipelineSpec{}, missing
	}
	spec, known := in.pipelines[r.Namespace+"/"+r.Spec.PipelineRef.Name]
	if !known {
		return pipelineSpec{}, fmt.Sprintf("Pipeline %s is not in the input", r.Spec.PipelineRef.Name)
	}
	return spec, ""
}

// checkEntries returns the entries of taskRunSpecs that belong to no task of the Pipeline.
func (r *pipelineRun) checkEntries(pipeline pipelineSpec) (faults field.ErrorList) {
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

// identify sets a made-up name and UID of a run that the API server has not stored yet, with a note.
func (r *pipelineRun) identify() (notes []string) {
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

// toRun returns a run for the planner, and what is unknown about it.
func (r *pipelineRun) toRun(pipeline pipelineSpec, in *input) (run *affinity.Run, notes []string) {
	run = &affinity.Run{
		Name: r.Name, Namespace: r.Namespace, UID: r.UID,
		Labels: r.labels(), APIVersion: r.APIVersion, Kind: r.Kind,
	}
	run.PodTemplate.ServiceAccountName = cmp.Or(r.Spec.TaskRunTemplate.ServiceAccountName, r.Spec.ServiceAccountName)
	t := r.Spec.TaskRunTemplate.PodTemplate
	if t == nil {
		t = r.Spec.PodTemplate
	}
	if t != nil {
		run.PodTemplate.NodeSelector, run.PodTemplate.Tolerations = t.NodeSelector, t.Tolerations
		run.PodTemplate.Affinity, run.PodTemplate.ImagePullSecrets = t.Affinity, t.ImagePullSecrets
		run.PodTemplate.SecurityContext, run.PodTemplate.PriorityClassName = t.SecurityContext, t.PriorityClassName
	}
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
	for i := range pipeline.Tasks {
		task, unknown := r.toTask(&pipeline.Tasks[i], params, in)
		task.RunAfter = slices.Concat(pipeline.Tasks[i].RunAfter, pipeline.Tasks[i].uses)
		run.Tasks, notes = append(run.Tasks, task), append(notes, unknown...)
	}
	for i := range pipeline.Finally { // results are known by then
		task, unknown := r.toTask(&pipeline.Finally[i], params, in)
		task.RunAfter = pipeline.Finally[i].RunAfter
		run.Finally, notes = append(run.Finally, task), append(notes, unknown...)
	}
	return run, notes
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
		value = nil
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
func (r *pipelineRun) labels() map[string]string {
	const key = "tekton.dev/pipeline"
	labels := map[string]string{key: r.Name}
	if r.Spec.PipelineRef != nil && r.Spec.PipelineRef.Name != "" {
		labels[key] = r.Spec.PipelineRef.Name
	}
	maps.Copy(labels, r.Labels)
	return labels
}
