package testkit

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// List builds a ResourceList from names and quantities in turn:
// List("cpu", "100m", "memory", "1.5Gi"). It panics on an invalid quantity.
func List(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

// Container builds a container; nil lists are not set.
func Container(name string, requests, limits corev1.ResourceList) corev1.Container {
	return corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: requests, Limits: limits}}
}

// Sidecar builds an init container with the restart policy Always.
func Sidecar(name string, requests, limits corev1.ResourceList) corev1.Container {
	c := Container(name, requests, limits)
	always := corev1.ContainerRestartPolicyAlways
	c.RestartPolicy = &always
	return c
}

// StandardPod is the pod of benchmarks: three app containers, one init container and one sidecar, each
// with requests and limits of cpu and memory. With guaranteed, these are equal.
func StandardPod(guaranteed bool) *corev1.Pod {
	requests, limits := List("cpu", "100m", "memory", "128Mi"), List("cpu", "200m", "memory", "256Mi")
	if guaranteed {
		requests = limits
	}
	lists := func() (corev1.ResourceList, corev1.ResourceList) { return requests.DeepCopy(), limits.DeepCopy() }
	pod := &corev1.Pod{}
	pod.Name = "standard"
	for _, name := range []string{"app", "metrics", "logs"} {
		r, l := lists()
		pod.Spec.Containers = append(pod.Spec.Containers, Container(name, r, l))
	}
	r, l := lists()
	pod.Spec.InitContainers = append(pod.Spec.InitContainers, Sidecar("proxy", r, l))
	r, l = lists()
	pod.Spec.InitContainers = append(pod.Spec.InitContainers, Container("setup", r, l))
	return pod
}
