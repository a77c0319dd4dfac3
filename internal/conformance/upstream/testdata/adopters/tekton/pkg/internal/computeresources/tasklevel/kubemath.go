package tasklevel

import (
	v1 "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
)

func ApplyTaskLevelComputeResources(all []v1.Step, given *corev1.ResourceRequirements) {
	spec := &corev1.PodSpec{Containers: make([]corev1.Container, len(all))}
	for i := range all {
		spec.Containers[i].Name, spec.Containers[i].Resources = all[i].Name, all[i].ComputeResources
	}
	isStep := func(computeresources.Ref, *corev1.Container) bool { return true }
	changes, _ := steps.TaskLevel(spec, steps.TaskRun{ComputeResources: given}, isStep, steps.TektonOptions().Division)
	if computeresources.ApplyChanges(spec, changes) != nil {
		return
	}
	for i := range all {
		all[i].ComputeResources = spec.Containers[i].Resources
	}
}
