package testkit

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"
)

// Pod draws pods with all fields that resource arithmetic reads: no containers, many, and two with the
// same name; init containers and sidecars; pod-level resources; overhead; a status during an in-place
// resize; priority and the annotations of static and mirror pods. Amounts are from the whole range, so
// most of these pods are not valid.
func Pod() *rapid.Generator[*corev1.Pod] { return PodWith(Quantity()) }

// PodWith is Pod with the given quantities.
func PodWith(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := &corev1.Pod{Spec: *SpecWith(quantities).Draw(t, "spec")}
		pod.Name = "p"
		if flip(t, "status", 2) {
			pod.Status = status(t, &pod.Spec, quantities)
		}
		if flip(t, "annotated", 4) {
			pod.Annotations = map[string]string{
				rapid.SampledFrom([]string{"kubernetes.io/config.source", corev1.MirrorPodAnnotationKey, "other"}).Draw(t, "annotation"): rapid.SampledFrom([]string{"api", "file", ""}).Draw(t, "value"),
			}
		}
		if flip(t, "class", 4) {
			pod.Spec.PriorityClassName = rapid.SampledFrom([]string{"system-node-critical", "system-cluster-critical"}).Draw(t, "priority class")
		}
		if flip(t, "priority", 4) {
			priority := rapid.SampledFrom([]int32{0, 1999999999, 2000000000, 2000001000}).Draw(t, "priority")
			pod.Spec.Priority = &priority
		}
		return pod
	})
}

// LimitedPod draws pods whose containers all have limits of cpu and memory, and of which many are
// Guaranteed.
func LimitedPod() *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := PodWith(Ordinary()).Draw(t, "pod")
		limits := func() corev1.ResourceList {
			return corev1.ResourceList{
				corev1.ResourceCPU:    *resource.NewMilliQuantity(rapid.Int64Range(1, 4000).Draw(t, "cpu"), resource.DecimalSI),
				corev1.ResourceMemory: *resource.NewQuantity(rapid.Int64Range(1, 1<<34).Draw(t, "memory"), resource.BinarySI),
			}
		}
		requests := flip(t, "guaranteed", 2)
		for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
			for i := range list {
				list[i].Resources.Limits = limits()
				if requests {
					list[i].Resources.Requests = list[i].Resources.Limits.DeepCopy()
				}
			}
		}
		return pod
	})
}

// Spec draws the specs of Pod.
func Spec() *rapid.Generator[*corev1.PodSpec] { return SpecWith(Quantity()) }

// SpecWith is Spec with the given quantities.
func SpecWith(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.PodSpec] {
	return rapid.Custom(func(t *rapid.T) *corev1.PodSpec {
		spec := &corev1.PodSpec{}
		for i := range count(t, "containers") {
			spec.Containers = append(spec.Containers, container(t, fmt.Sprintf("c-%d", i), quantities))
		}
		for i := range count(t, "init containers") {
			c := container(t, fmt.Sprintf("init-%d", i), quantities)
			if flip(t, "restart policy", 2) {
				policy := rapid.SampledFrom([]corev1.ContainerRestartPolicy{corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, ""}).Draw(t, "policy")
				c.RestartPolicy = &policy
			}
			spec.InitContainers = append(spec.InitContainers, c)
		}
		if flip(t, "overhead", 4) {
			spec.Overhead = ResourceList(quantities).Draw(t, "overhead")
		}
		if flip(t, "pod level", 3) {
			spec.Resources = &corev1.ResourceRequirements{
				Requests: ResourceList(quantities).Draw(t, "requests"),
				Limits:   ResourceList(quantities).Draw(t, "limits"),
			}
		}
		return spec
	})
}

// Few leaves a spec with at most eight containers of each list, and returns it: a hundred find no more where
// memory is compared, and take most of the time.
func Few(spec *corev1.PodSpec) *corev1.PodSpec {
	spec.Containers = spec.Containers[:min(8, len(spec.Containers))]
	spec.InitContainers = spec.InitContainers[:min(8, len(spec.InitContainers))]
	return spec
}

// count draws the number of containers: mostly a few, and sometimes a hundred.
func count(t *rapid.T, label string) int {
	if rapid.IntRange(0, 60).Draw(t, "many "+label) == 60 {
		return 100
	}
	return rapid.IntRange(0, 4).Draw(t, label)
}

func container(t *rapid.T, name string, quantities *rapid.Generator[resource.Quantity]) corev1.Container {
	if flip(t, "same name", 20) {
		name = "same"
	}
	c := corev1.Container{Name: name}
	c.Resources.Requests = ResourceList(quantities).Draw(t, "requests")
	switch rapid.IntRange(0, 3).Draw(t, "limits") {
	case 0: // as in a Guaranteed pod
		c.Resources.Limits = c.Resources.Requests.DeepCopy()
	default:
		c.Resources.Limits = ResourceList(quantities).Draw(t, "limits")
	}
	return c
}

func status(t *rapid.T, spec *corev1.PodSpec, quantities *rapid.Generator[resource.Quantity]) (s corev1.PodStatus) {
	for i := range spec.Containers {
		s.ContainerStatuses = append(s.ContainerStatuses, containerStatus(t, spec.Containers[i].Name, quantities)...)
	}
	for i := range spec.InitContainers {
		s.InitContainerStatuses = append(s.InitContainerStatuses, containerStatus(t, spec.InitContainers[i].Name, quantities)...)
	}
	if flip(t, "allocated", 3) {
		s.AllocatedResources = ResourceList(quantities).Draw(t, "allocated")
	}
	if flip(t, "actuated", 3) {
		s.Resources = &corev1.ResourceRequirements{
			Requests: ResourceList(quantities).Draw(t, "requests"),
			Limits:   ResourceList(quantities).Draw(t, "limits"),
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "conditions") {
		s.Conditions = append(s.Conditions, corev1.PodCondition{
			Type:   rapid.SampledFrom([]corev1.PodConditionType{corev1.PodResizePending, corev1.PodResizePending, corev1.PodResizeInProgress, corev1.PodReady}).Draw(t, "type"),
			Reason: rapid.SampledFrom([]string{corev1.PodReasonInfeasible, corev1.PodReasonDeferred}).Draw(t, "reason"),
			Status: corev1.ConditionTrue,
		})
	}
	if flip(t, "class", 4) {
		s.QOSClass = rapid.SampledFrom([]corev1.PodQOSClass{corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort}).Draw(t, "class")
	}
	return s
}

// containerStatus draws the status of a container, or none.
func containerStatus(t *rapid.T, name string, quantities *rapid.Generator[resource.Quantity]) []corev1.ContainerStatus {
	if flip(t, "no status", 4) {
		return nil
	}
	s := corev1.ContainerStatus{Name: name}
	if flip(t, "allocated", 2) {
		s.AllocatedResources = ResourceList(quantities).Draw(t, "allocated")
	}
	if flip(t, "actuated", 2) {
		s.Resources = &corev1.ResourceRequirements{
			Requests: ResourceList(quantities).Draw(t, "requests"),
			Limits:   ResourceList(quantities).Draw(t, "limits"),
		}
	}
	return []corev1.ContainerStatus{s}
}

// flip draws true once in n times on average.
func flip(t *rapid.T, label string, n int) bool {
	return rapid.IntRange(1, n).Draw(t, label) == 1
}
