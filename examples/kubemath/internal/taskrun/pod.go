package taskrun

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
)

// spec returns the pod that Tekton creates for a run, with the amounts of the task; or the pod itself if
// the run is a pod.
func (r *taskRun) spec(inits []string) *corev1.PodSpec {
	if r.pod != nil {
		return r.pod.DeepCopy()
	}
	// Tekton sets a deadline, of 1.5 times the timeout, to have its pods in the scope
	// Terminating. This is that of the default timeout.
	deadline := int64(5400)
	pod := &corev1.PodSpec{ActiveDeadlineSeconds: &deadline, PriorityClassName: r.priorityClass}
	for _, name := range inits {
		pod.InitContainers = append(pod.InitContainers, corev1.Container{Name: name})
	}
	pod.Containers = append(pod.Containers, containersOf(r.task.steps, steps.TektonStepPrefix)...)
	pod.Containers = append(pod.Containers, containersOf(r.task.sidecars, steps.TektonSidecarPrefix)...)
	return pod
}

func containersOf(parts []part, prefix string) (containers []corev1.Container) {
	for i, p := range parts {
		name := prefix + cmp.Or(p.name, fmt.Sprintf("unnamed-%d", i))
		containers = append(containers, corev1.Container{Name: name, Resources: *p.resources.DeepCopy()})
	}
	return containers
}

// describePart describes a container by the name that its author gave it.
func describePart(ref computeresources.Ref, c *corev1.Container) string {
	switch ref.Kind {
	case computeresources.App:
		if name, ok := strings.CutPrefix(c.Name, steps.TektonSidecarPrefix); ok {
			return "sidecar " + name
		}
	case computeresources.Init, computeresources.Sidecar, computeresources.Pod: // do not belong to the task
	}
	if steps.TektonStep(ref, c) {
		return "step " + strings.TrimPrefix(c.Name, steps.TektonStepPrefix)
	}
	return ref.String()
}

// rejection returns why Tekton rejects the run, with the field names of its version, and nil for a pod.
// If the task is unknown, the names of steps and sidecars are not checked.
func (r *taskRun) rejection() field.ErrorList {
	if r.pod != nil {
		return nil
	}
	run := r.says()
	run.APIVersion = r.apiVersion
	if r.task != nil {
		run.StepNames, run.SidecarNames = namesOfParts(r.task.steps), namesOfParts(r.task.sidecars)
	}
	return steps.ValidateTaskRun(run, r.path)
}

func namesOfParts(parts []part) []string {
	names := []string{}
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// says returns the amounts of the run, with the template of its task.
func (r *taskRun) says() steps.TaskRun {
	states := r.states
	if r.task != nil {
		states.Template = r.task.template
	}
	return states
}
