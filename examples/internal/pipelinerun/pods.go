package pipelinerun

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
)

// TaskPod is the pod of a task with the containers that the task has, and the resources that its run sets.
type TaskPod struct {
	Task    string
	Invalid string          // why Tekton fails the run
	Custom  string          // why there is no pod
	Missing string          // why the task is unknown
	Note    string          // what of the task is unknown
	Fetched bool            // it is unknown because a resolver fetches it
	Spec    *corev1.PodSpec // nil without a pod
	Run     steps.TaskRun
	Entry   int       // of spec.taskRunSpecs, if the run sets something
	FanOut  int       // of its matrix
	Own     *TaskSpec // the task, if it is not one that is referred to
	Refers  bool
	Blamed  string // what Tekton says is wrong if the pod is refused
}

// of sets the task of a pod.
func (p *TaskPod) of(namespace string, t *pipelineTask, missing string) {
	p.Missing, p.Own, p.Refers, p.Blamed = missing, t.TaskSpec, t.TaskRef != nil, t.TaskRef.blamed(namespace)
	p.Fetched = missing != "" && t.TaskRef != nil && t.TaskRef.Resolver+t.TaskRef.Bundle != ""
}

// pod returns the pod of a task with the amounts that the task sets, and what a run sets of it.
func (s *TaskSpec) pod(namespace string, in *Objects, set *Settings, template *podTemplate) (*corev1.PodSpec, steps.TaskRun) {
	// Tekton sets a deadline, of 1.5 times the timeout, so that its pods are in the scope Terminating.
	deadline := int64(in.Config.timeout().Seconds() * 1.5)
	if deadline == 0 {
		deadline = 1<<31 - 1
	}
	pod := &corev1.PodSpec{ActiveDeadlineSeconds: &deadline}
	own := template.planned()
	pod.NodeSelector, pod.Tolerations, pod.Affinity, pod.PriorityClassName = own.NodeSelector, own.Tolerations, own.Affinity, own.PriorityClassName
	if template != nil {
		pod.RuntimeClassName = template.RuntimeClassName
	}
	run := steps.TaskRun{
		ComputeResources: set.ComputeResources, Template: s.StepTemplate.requirements(),
		StepOverrides:    overrides(set.StepSpecs, set.StepOverrides),
		SidecarOverrides: overrides(set.SidecarSpecs, set.SidecarOverrides),
		StepPrefix:       steps.TektonStepPrefix, SidecarPrefix: steps.TektonSidecarPrefix,
		StepNames: names(s.Steps), SidecarNames: names(s.Sidecars), Results: len(s.Results) > 0,
	}
	for i, c := range s.Steps {
		if action, known := in.action(namespace, c.Ref); known { // a step that refers to one has none of these itself
			c.Script, c.WorkingDir, c.Command, c.Args, c.Env = action.Script, action.WorkingDir, action.Command, action.Args, action.Env
		}
		c = c.over(&s.StepTemplate)
		run.Scripts = run.Scripts || c.Script != ""
		run.Results = run.Results || strings.Contains(strings.Join(c.run(), "\n"), "$(step.artifacts.path)")
		name := steps.TektonStepPrefix + cmp.Or(c.Name, fmt.Sprintf("unnamed-%d", i))
		pod.Containers = append(pod.Containers, corev1.Container{Name: name, WorkingDir: c.WorkingDir, Resources: c.requirements()})
	}
	for _, c := range s.Sidecars {
		run.Scripts = run.Scripts || c.Script != ""
		sidecar := corev1.Container{Name: steps.TektonSidecarPrefix + c.Name, Resources: c.requirements()}
		if in.Config.Tekton.NativeSidecars {
			always := corev1.ContainerRestartPolicyAlways
			sidecar.RestartPolicy = &always
			pod.InitContainers = append(pod.InitContainers, sidecar)
		} else {
			pod.Containers = append(pod.Containers, sidecar)
		}
	}
	return pod, run
}

// requestsOf returns the requests of the pod of a task: those of its steps and sidecars, with the overrides of the run.
func requestsOf(t TaskPod) corev1.ResourceList {
	pod := t.Spec.DeepCopy()
	if t.Missing != "" {
		pod.Containers = append(pod.Containers, corev1.Container{Name: steps.TektonStepPrefix + "all"})
	}
	changes, _ := steps.TaskLevel(pod, t.Run, steps.TektonStep, division.Options{})
	if err := computeresources.ApplyChanges(pod, changes); err != nil {
		panic(err) // each change names a container of the pod
	}
	computeresources.ApplyRequestDefaults(pod, computeresources.Kubernetes{})
	return computeresources.SpecRequests(pod, computeresources.Options{})
}

func names(parts []container) []string {
	all := []string{}
	for _, p := range parts {
		all = append(all, p.Name)
	}
	return all
}

func overrides(lists ...[]container) (all []steps.Override) {
	for _, c := range slices.Concat(lists...) {
		all = append(all, steps.Override{Name: c.Name, Resources: c.requirements()})
	}
	return all
}

// action returns the StepAction that a step refers to.
func (in *Objects) action(namespace string, ref *reference) (*container, bool) {
	if ref == nil {
		return nil, false
	}
	action, known := in.StepActions[namespace+"/"+ref.Name]
	return action, known
}

// missingAction says which StepAction of a task is unknown, or "". It has no amounts.
func (s *TaskSpec) missingAction(namespace string, in *Objects) string {
	for _, c := range s.Steps {
		if _, known := in.action(namespace, c.Ref); c.Ref == nil || known {
			continue
		}
		why := cmp.Or(c.Ref.notFetched("StepAction"), fmt.Sprintf("StepAction %s is not in the input", c.Ref.Name))
		return why + ": whether it has a script is unknown"
	}
	return ""
}

// Check returns why Tekton rejects a task. Resources have another name in v1beta1, by which v1 does not know them.
func (s *TaskSpec) Check(path *field.Path, apiVersion string) (errs field.ErrorList) {
	if len(s.Steps) == 0 {
		errs = append(errs, field.Required(path.Child("steps"), "a task has at least one"))
	}
	for i, list := range [][]container{s.Steps, s.Sidecars, {s.StepTemplate}} {
		at, known := path.Child([]string{"steps", "sidecars", "stepTemplate"}[i]), map[string]bool{}
		for j, c := range list {
			child := at
			if i < 2 {
				child = at.Index(j)
			}
			if known[c.Name] && c.Name != "" {
				errs = append(errs, field.Duplicate(child.Child("name"), c.Name))
			}
			known[c.Name] = true
			unknown, other := "computeResources", &c.ComputeResources
			if apiVersion == "tekton.dev/v1" {
				unknown, other = "resources", &c.Resources
			}
			if len(other.Requests)+len(other.Limits) > 0 {
				errs = append(errs, field.Forbidden(child.Child(unknown), fmt.Sprintf("json: unknown field %q in %s", unknown, apiVersion)))
			}
		}
	}
	return errs
}
