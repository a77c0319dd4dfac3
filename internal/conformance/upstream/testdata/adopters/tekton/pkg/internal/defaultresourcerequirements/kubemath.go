package defaultresourcerequirements

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
)

func updateResourceRequirements(requirements map[string]corev1.ResourceRequirements, pod *corev1.Pod) *corev1.Pod {
	_ = computeresources.ApplyChanges(&pod.Spec, steps.ContainerDefaults(&pod.Spec, requirements)) // of this spec
	return pod
}
