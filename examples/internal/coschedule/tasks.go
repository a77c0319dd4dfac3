package coschedule

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
)

// pipelineTask is what counts here of a task of a Pipeline.
type pipelineTask struct {
	Name       string
	Workspaces []workspaceBinding
	RunAfter   []string
	Retries    int
	TaskRef    *reference
	TaskSpec   *taskSpec
	// A child run.
	PipelineRef  *reference
	PipelineSpec *json.RawMessage
	Matrix       *matrix
	uses         []string // the tasks whose results it uses
}

// workspaceBinding is a workspace of a task, and that of the run that stands behind it, if it has
// another name.
type workspaceBinding struct{ Name, Workspace string }

// reference names a task or a Pipeline, or says how it is to be fetched.
type reference struct {
	Name, APIVersion, Kind, Resolver, Bundle string
}

// taskSpec is what counts here of a task. A custom task has a type.
type taskSpec struct {
	APIVersion, Kind string
	Steps, Sidecars  []container
	StepTemplate     container
	Workspaces       []workspaceDeclaration
}

// workspaceDeclaration is a workspace that a Pipeline or a task asks for.
type workspaceDeclaration struct {
	Name     string
	Optional bool
}

// runsWithout reports whether a task declares a workspace as optional.
func (s *taskSpec) runsWithout(workspace string) bool {
	return slices.ContainsFunc(s.Workspaces, func(w workspaceDeclaration) bool { return w.Name == workspace && w.Optional })
}

// container is a step, a sidecar or a template of steps, or what a run overrides of one, in either
// version of the API.
type container struct {
	Name                        string
	ComputeResources, Resources corev1.ResourceRequirements

	Script, WorkingDir string
	Command, Args      []string
	Env                []struct{ Value string }
	Params             []param
}

func (c *container) requirements() corev1.ResourceRequirements {
	if len(c.ComputeResources.Requests)+len(c.ComputeResources.Limits) > 0 {
		return c.ComputeResources
	}
	return c.Resources
}

// taskRunSpec is what a run says of one of its tasks, in either version of the API.
type taskRunSpec struct {
	PipelineTaskName             string
	ComputeResources             *corev1.ResourceRequirements
	StepSpecs, StepOverrides     []container
	SidecarSpecs                 []container
	SidecarOverrides             []container
	PodTemplate, TaskPodTemplate *podTemplate
}

// matrix fans a task out over the combinations of its parameters, and over those that it includes.
type matrix struct {
	Params  []struct{ Value json.RawMessage }
	Include []json.RawMessage
}

// fanOut returns how many pods a matrix makes, and whether that is known: the values may be those of
// a result. It makes none if it combines nothing: Tekton skips the task.
func (m *matrix) fanOut(params []param) (n int, known bool) {
	n, known = 1, true
	for _, p := range m.Params {
		values, found := arrayOf(p.Value, params)
		switch {
		case found && len(values) == 0:
			return 0, true
		case !found, n*len(values) > maxCombinations:
			known = false
		default:
			n *= len(values)
		}
	}
	if len(m.Params) == 0 {
		n = max(len(m.Include), 1)
	}
	return n, known
}

// maxCombinations is more than Tekton runs of a matrix.
const maxCombinations = 1 << 20

// withoutPod returns why a task has no pod of its own, or nothing: child runs and custom tasks have
// none. For Tekton, a task is custom as soon as it says of which type it is.
func (t *pipelineTask) withoutPod() string {
	apiVersion, kind := "", ""
	switch {
	case t.PipelineRef != nil, t.PipelineSpec != nil:
		return "it is a child run"
	case t.TaskRef != nil:
		apiVersion, kind = t.TaskRef.APIVersion, t.TaskRef.Kind
	case t.TaskSpec != nil:
		apiVersion, kind = t.TaskSpec.APIVersion, t.TaskSpec.Kind
	}
	if apiVersion == "" || kind == "" {
		return ""
	}
	if group, _, _ := strings.Cut(apiVersion, "/"); group == "tekton.dev" && kind == "Task" {
		return fmt.Sprintf("it is a custom task for Tekton, since %s is given with an apiVersion", kind)
	}
	return fmt.Sprintf("it is a custom task, %s of %s", kind, apiVersion)
}

// workspaceReference is how steps use a workspace.
var workspaceReference = regexp.MustCompile(`\$\(workspaces(?:\.([^.()\[\]]+)|\["([^"]+)"\]|\['([^']+)'\])`)

// propagated returns the workspaces that the steps of a task use without binding them. Within a
// taskSpec they are those of the run.
func (t *pipelineTask) propagated() (names []string) {
	if t.TaskSpec == nil {
		return nil
	}
	bound := func(name string) bool {
		return slices.ContainsFunc(t.Workspaces, func(w workspaceBinding) bool { return w.Name == name })
	}
	for _, c := range slices.Concat(t.TaskSpec.Steps, t.TaskSpec.Sidecars, []container{t.TaskSpec.StepTemplate}) {
		for _, text := range c.texts() {
			for _, match := range workspaceReference.FindAllStringSubmatch(text, -1) {
				if name := match[1] + match[2] + match[3]; !bound(name) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// texts returns where Tekton looks for workspaces that a container uses.
func (c *container) texts() []string {
	texts := slices.Concat([]string{c.Script, c.WorkingDir}, c.Command, c.Args)
	for _, e := range c.Env {
		texts = append(texts, e.Value)
	}
	for _, p := range c.Params {
		texts = append(texts, string(p.Value)) // JSON
	}
	return texts
}

// toTask returns a task without what it runs after, and what is not known of it.
func (r *pipelineRun) toTask(t *pipelineTask, params []param, in *input) (task affinity.Task, notes []string) {
	task = affinity.Task{Name: t.Name, Retries: t.Retries}
	for _, w := range t.Workspaces {
		task.Workspaces = append(task.Workspaces, cmp.Or(w.Workspace, w.Name))
	}
	for _, name := range t.propagated() {
		if !slices.Contains(task.Workspaces, name) && (r.binds(name) || !t.TaskSpec.runsWithout(name)) {
			task.Workspaces = append(task.Workspaces, name)
		}
	}
	note := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("task %s: ", t.Name)+fmt.Sprintf(format, args...))
	}
	if t.Matrix != nil {
		n, known := t.Matrix.fanOut(params)
		task.FanOut = n
		switch {
		case !known:
			note("its matrix depends on parameters or results: how many pods it has is not known")
		case n == 0:
			note("its matrix has an empty array: Tekton skips it")
			task.NoPod = true
			return task, notes
		}
	}
	if why := t.withoutPod(); why != "" {
		note("%s: what it runs is not known", why)
		task.NoPod = true
		return task, notes
	}
	states := r.statesOf(t.Name)
	if states.PodTemplate != nil {
		task.Affinity = states.PodTemplate.Affinity
	}
	spec, missing := t.spec(r.Namespace, in)
	if missing != "" && states.ComputeResources == nil {
		note("%s: what it requests is not known", missing)
	}
	task.Requests = requestsOf(spec, states)
	return task, notes
}

// spec returns the task that a task of a Pipeline runs, or why it is not known.
func (t *pipelineTask) spec(namespace string, in *input) (spec taskSpec, missing string) {
	switch {
	case t.TaskSpec != nil:
		return *t.TaskSpec, ""
	case t.TaskRef == nil:
		return taskSpec{}, "it has neither taskRef nor taskSpec"
	}
	if missing := t.TaskRef.notFetched("Task"); missing != "" {
		return taskSpec{}, missing
	}
	spec, known := in.tasks[namespace+"/"+t.TaskRef.Name]
	if !known {
		return taskSpec{}, fmt.Sprintf("Task %s was not read", t.TaskRef.Name)
	}
	return spec, ""
}

// notFetched says of a reference that is not by name that nothing is fetched.
func (r *reference) notFetched(kind string) string {
	switch {
	case r.Resolver != "":
		return fmt.Sprintf("the %s of resolver %s is not fetched", kind, r.Resolver)
	case r.Bundle != "":
		return fmt.Sprintf("the %s of bundle %s is not fetched", kind, r.Bundle)
	case r.Name == "":
		return fmt.Sprintf("the %s has no name", kind)
	}
	return ""
}

// statesOf returns what the run says of a task.
func (r *pipelineRun) statesOf(task string) taskRunSpec {
	for _, s := range r.Spec.TaskRunSpecs {
		if s.PipelineTaskName == task {
			if s.PodTemplate == nil {
				s.PodTemplate = s.TaskPodTemplate
			}
			return s
		}
	}
	return taskRunSpec{}
}

// requestsOf returns what the pod of a task requests: what its steps and sidecars do together, with
// what the run says of them.
func requestsOf(spec taskSpec, states taskRunSpec) corev1.ResourceList {
	pod := &corev1.PodSpec{}
	for _, parts := range []struct {
		prefix string
		of     []container
	}{{steps.TektonStepPrefix, spec.Steps}, {steps.TektonSidecarPrefix, spec.Sidecars}} {
		for _, c := range parts.of {
			pod.Containers = append(pod.Containers, corev1.Container{Name: parts.prefix + c.Name, Resources: c.requirements()})
		}
	}
	if states.ComputeResources != nil && len(spec.Steps) == 0 {
		pod.Containers = append(pod.Containers, corev1.Container{Name: steps.TektonStepPrefix + "all"})
	}
	changes, _ := steps.TaskLevel(pod, steps.TaskRun{
		ComputeResources: states.ComputeResources,
		Template:         spec.StepTemplate.requirements(),
		StepOverrides:    overrides(states.StepSpecs, states.StepOverrides),
		SidecarOverrides: overrides(states.SidecarSpecs, states.SidecarOverrides),
		StepPrefix:       steps.TektonStepPrefix, SidecarPrefix: steps.TektonSidecarPrefix,
	}, steps.TektonStep, steps.Options{})
	if err := computeresources.ApplyChanges(pod, changes); err != nil {
		panic(err) // each change names a container of the pod
	}
	computeresources.ApplyRequestDefaults(pod, computeresources.DefaultOptions{})
	return computeresources.SpecRequests(pod, computeresources.Options{})
}

func overrides(lists ...[]container) (all []steps.Override) {
	for _, c := range slices.Concat(lists...) {
		all = append(all, steps.Override{Name: c.Name, Resources: c.requirements()})
	}
	return all
}
