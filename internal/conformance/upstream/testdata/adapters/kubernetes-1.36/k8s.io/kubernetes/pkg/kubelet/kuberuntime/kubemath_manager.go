package kuberuntime

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

func (m *kubeGenericRuntimeManager) containerHasExclusiveCPUs(ctx context.Context, pod *corev1.Pod, container *corev1.Container) bool {
	return m.containerManager.ContainerHasExclusiveCPUs(pod, container)
}

func (m *kubeGenericRuntimeManager) podHasExclusiveCPUs(ctx context.Context, pod *corev1.Pod) bool {
	return m.containerManager.PodHasExclusiveCPUs(pod)
}

func (m *kubeGenericRuntimeManager) throttlingFactor() *float64 { return &m.memoryThrottlingFactor }
