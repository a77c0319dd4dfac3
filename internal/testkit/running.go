package testkit

import corev1 "k8s.io/api/core/v1"

// RunningPod is StandardPod on a node, without a resize in progress: the status of every container has
// the resources of its spec. With podLevelStatus, the status of the pod has the sum of its containers and
// the overhead, as the kubelet of 1.36 writes it.
func RunningPod(podLevelStatus bool) *corev1.Pod {
	pod := StandardPod(false)
	for i := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, runningStatus(&pod.Spec.Containers[i]))
	}
	for i := range pod.Spec.InitContainers {
		pod.Status.InitContainerStatuses = append(pod.Status.InitContainerStatuses, runningStatus(&pod.Spec.InitContainers[i]))
	}
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionTrue}, {Type: corev1.PodInitialized, Status: corev1.ConditionTrue},
		{Type: corev1.PodReady, Status: corev1.ConditionTrue}, {Type: corev1.ContainersReady, Status: corev1.ConditionTrue},
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
	}
	if podLevelStatus {
		pod.Status.AllocatedResources = List("cpu", "400m", "memory", "512Mi")
		pod.Status.Resources = &corev1.ResourceRequirements{
			Requests: List("cpu", "400m", "memory", "512Mi"), Limits: List("cpu", "800m", "memory", "1Gi"),
		}
	}
	return pod
}

func runningStatus(c *corev1.Container) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: c.Name, AllocatedResources: c.Resources.Requests.DeepCopy(), Resources: c.Resources.DeepCopy()}
}
