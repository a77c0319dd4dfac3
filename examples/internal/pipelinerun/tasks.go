package pipelinerun

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
)

// pipelineTask has the fields of a task of a Pipeline that are read.
type pipelineTask struct {
	Name       string
	Workspaces []workspaceBinding
	RunAfter   []string
	Retries    int
	TaskRef    *reference
	TaskSpec   *TaskSpec
	// A child run.
	PipelineRef  *reference
	PipelineSpec *json.RawMessage
	Matrix       *matrix
	OnError      string
	When         []whenExpression
	uses         []string // the tasks whose results it uses
}

// workspaceBinding is a workspace of a task, and the workspace of the run that it is bound to, if that
// has another name.
type workspaceBinding struct{ Name, Workspace string }

// reference names a task or a Pipeline, or the resolver or bundle to fetch it from.
type reference struct {
	Name, APIVersion, Kind, Resolver, Bundle string
}

// TaskSpec has the fields of a task that are read. A custom task has a type.
type TaskSpec struct {
	APIVersion, Kind string
	Steps, Sidecars  []container
	StepTemplate     container
	Workspaces       []workspaceDeclaration
	Results          []struct{ Name string }
}

// workspaceDeclaration is a workspace that a Pipeline or a task declares.
type workspaceDeclaration struct {
	Name     string
	Optional bool
}

func (s *TaskSpec) runsWithout(workspace string) bool {
	return slices.ContainsFunc(s.Workspaces, func(w workspaceDeclaration) bool { return w.Name == workspace && w.Optional })
}

// container is a step, a sidecar, a step template, or the override of one by a run, in either version of
// the API.
type container struct {
	Name                        string
	ComputeResources, Resources corev1.ResourceRequirements

	Script, WorkingDir string
	Command, Args      []string
	Env                []variable
	Params             []param
	Ref                *reference // of a StepAction
}

type variable struct {
	Name, Value string
	ValueFrom   *struct{}
}

// over returns a step with what it takes from the template of its task. The amounts are merged by package steps.
//
// Source: MergeStepsWithStepTemplate of github.com/tektoncd/pipeline/pkg/apis/pipeline/v1.
func (c container) over(template *container) container {
	c.WorkingDir = cmp.Or(c.WorkingDir, template.WorkingDir)
	if len(c.Command) == 0 {
		c.Command = template.Command
	}
	if len(c.Args) == 0 {
		c.Args = template.Args
	}
	c.Env = slices.Clone(c.Env)
	for _, v := range template.Env {
		i := slices.IndexFunc(c.Env, func(own variable) bool { return own.Name == v.Name })
		if i < 0 {
			c.Env = append(c.Env, v)
		} else if c.Env[i].ValueFrom == nil {
			c.Env[i].Value = cmp.Or(c.Env[i].Value, v.Value)
		}
	}
	return c
}

func (c *container) requirements() corev1.ResourceRequirements {
	if len(c.ComputeResources.Requests)+len(c.ComputeResources.Limits) > 0 {
		return c.ComputeResources
	}
	return c.Resources
}

// taskSettings is an entry of spec.taskRunSpecs.
type taskSettings struct {
	Settings
	PipelineTaskName string
	TaskPodTemplate  *podTemplate // v1beta1
}

// matrix fans a task out over the combinations of its parameters, and over those that it includes.
type matrix struct {
	Params  []param
	Include []struct{ Params []param }
}

// fanOut returns how many pods a matrix has, and whether that is known: the values may be those of a
// result. It has none if it combines nothing, because Tekton skips the task.
//
// Source: CountCombinations of Tekton's pkg/apis/pipeline/v1.
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
		return max(len(m.Include), 1), true
	}
	more, counted := m.included(params)
	return n + more, known && counted
}

// included returns how many pods the included combinations add to those of the parameters, and whether that is known. A
// value that its parameter does not have adds one; after one that it has, the combination adds nothing more.
func (m *matrix) included(params []param) (n int, known bool) {
	text := stringsOf(params)
	known = true
	for _, include := range m.Include {
		for _, p := range include.Params {
			i := slices.IndexFunc(m.Params, func(other param) bool { return other.Name == p.Name })
			if i < 0 {
				continue
			}
			values, found := arrayOf(m.Params[i].Value, params)
			is := func(raw json.RawMessage) bool { return text.Replace(string(raw)) == text.Replace(string(p.Value)) }
			known = known && found && !strings.Contains(text.Replace(string(p.Value)), "$(")
			if slices.ContainsFunc(values, is) {
				break
			}
			n++
		}
	}
	return n, known
}

// maxCombinations is more than the number of runs that Tekton allows for a matrix.
const maxCombinations = 1 << 20

// withoutPod returns why a task has no pod of its own, or "". Child runs and custom tasks have no pods.
// For Tekton, a task is custom if it has an apiVersion and a kind.
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

// workspaceReference matches the use of a workspace by a step.
var workspaceReference = regexp.MustCompile(`\$\(workspaces(?:\.([^.()\[\]]+)|\["([^"]+)"\]|\['([^']+)'\])`)

// propagated returns the workspaces that the steps of a task use without binding them. In a TaskSpec,
// these are the workspaces of the run.
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

// texts returns the fields in which Tekton looks for what a container uses.
func (c *container) texts() []string { return append(c.run(), c.WorkingDir) }

// run returns the fields that say what a container runs.
func (c *container) run() []string {
	texts := slices.Concat([]string{c.Script}, c.Command, c.Args)
	for _, e := range c.Env {
		texts = append(texts, e.Value)
	}
	for _, p := range c.Params {
		texts = append(texts, string(p.Value)) // JSON
	}
	return texts
}

// toTask returns a task without its dependencies, its pod, and what is unknown about it. One that is skipped, for a reason
// other than "", has no pod.
func (r *Run) toTask(t *pipelineTask, params []param, in *Objects, skipped string) (task affinity.Task, pod TaskPod, notes []string) {
	task = affinity.Task{Name: t.Name, Retries: t.Retries, ContinueOnError: stringsOf(params).Replace(t.OnError) == "continue"}
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
	pod = TaskPod{Task: t.Name}
	if t.Matrix != nil {
		n, known := t.Matrix.fanOut(params)
		task.FanOut = n
		most := in.Config.combinations()
		switch {
		case known && n > most:
			pod.Invalid = fmt.Sprintf("matrix: expected 0 <= %d <= %d", n, most)
			task.NoPod = true
			return task, pod, notes
		case !known && skipped == "":
			note("its matrix depends on parameters or results: the number of its pods is unknown")
		}
	}
	if why := t.withoutPod(); why != "" {
		note("%s: what it runs is unknown", why)
		task.NoPod, pod.Custom = true, why
		return task, pod, notes
	}
	set, entry := r.settingsOf(t.Name)
	template := set.PodTemplate.over(r.template(in))
	if set.PodTemplate != nil {
		task.Affinity = set.PodTemplate.Affinity
	}
	spec, missing := t.spec(r.Namespace, in, in.begun[begun{r.Namespace, r.Name, t.Name}])
	pod.Note = spec.missingAction(r.Namespace, in)
	if pod.Note != "" {
		note("%s", pod.Note)
	}
	if missing != "" && set.ComputeResources == nil {
		note("%s: its requests are unknown", missing)
	}
	pod.of(r.Namespace, t, missing)
	pod.FanOut, pod.Entry = task.FanOut, entry
	if skipped != "" {
		note("%s, so Tekton skips it", skipped)
		task.NoPod = true
		return task, pod, notes
	}
	pod.Spec, pod.Run = spec.pod(r.Namespace, in, &set.Settings, template)
	task.Requests = requestsOf(pod)
	return task, pod, notes
}

// spec returns the task that a task of a Pipeline runs, or why it is unknown. That of a run that has begun is stored.
//
// Source: GetTaskFuncFromTaskRun of Tekton's pkg/reconciler/taskrun/resources.
func (t *pipelineTask) spec(namespace string, in *Objects, stored *TaskSpec) (spec TaskSpec, missing string) {
	switch {
	case t.TaskSpec == nil && t.TaskRef == nil:
		return TaskSpec{}, "it has neither taskRef nor TaskSpec"
	case stored != nil:
		return *stored, ""
	}
	return resolve("Task", t.TaskSpec, t.TaskRef, namespace, in.Tasks)
}

// blamed returns what Tekton says is wrong with a task whose pod is refused.
func (r *reference) blamed(namespace string) string {
	if r == nil {
		return "invalid TaskSpec"
	}
	return fmt.Sprintf("missing or invalid Task %s/%s", namespace, r.Name)
}

// notFetched returns a note about a reference to a resolver or bundle, which is not fetched.
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

// settingsOf returns the entry of taskRunSpecs for a task, and its index.
func (r *Run) settingsOf(task string) (taskSettings, int) {
	for i, s := range slices.Backward(r.Spec.TaskRunSpecs) { // as for Tekton, the last one counts
		if s.PipelineTaskName == task {
			if s.PodTemplate == nil {
				s.PodTemplate = s.TaskPodTemplate
			}
			return s, i
		}
	}
	return taskSettings{}, -1
}
