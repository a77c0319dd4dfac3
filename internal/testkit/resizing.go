package testkit

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// Resizing is a pod on a node: as clients see it, and with the resources that its node has allocated in its
// spec.
type Resizing struct{ Pod, Allocated *corev1.Pod }

// ResizingPod draws valid pods on a node, of which half are resized in place. Amounts are small numbers, so that many
// are equal. The name is the UID, too.
func ResizingPod(name string) *rapid.Generator[Resizing] {
	return rapid.Custom(func(t *rapid.T) Resizing {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "ns", UID: types.UID(name), Generation: 3}}
		class := rapid.SampledFrom([]corev1.PodQOSClass{corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBurstable, corev1.PodQOSBestEffort}).Draw(t, "class")
		for i := range rapid.IntRange(1, 2).Draw(t, "containers") {
			c := Container(fmt.Sprint("c-", i), nil, nil)
			if flip(t, "restart", 3) {
				c.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.RestartContainer}}
			}
			pod.Spec.Containers = append(pod.Spec.Containers, c)
		}
		switch rapid.IntRange(0, 5).Draw(t, "init container") {
		case 0:
			pod.Spec.InitContainers = []corev1.Container{Container("init", nil, nil)}
		case 1:
			pod.Spec.InitContainers = []corev1.Container{Sidecar("sidecar", nil, nil)}
		}
		if flip(t, "overhead", 5) {
			pod.Spec.Overhead = List("cpu", "100m", "memory", "64Mi")
		}
		if class != corev1.PodQOSBestEffort && flip(t, "pod level", 4) {
			pod.Spec.Resources = &corev1.ResourceRequirements{}
		}
		if priority := rapid.SampledFrom([]int32{-1, 0, 7, 2_000_000_000, 2_000_001_000}).Draw(t, "priority"); priority >= 0 {
			pod.Spec.Priority = &priority
		}
		if flip(t, "static", 12) {
			pod.Annotations = map[string]string{"kubernetes.io/config.source": rapid.SampledFrom([]string{"api", "file"}).Draw(t, "source")}
		}
		pod.Status.Phase = corev1.PodRunning
		if flip(t, "ended", 12) {
			pod.Status.Phase = corev1.PodSucceeded
		}
		if flip(t, "class in the status", 2) {
			pod.Status.QOSClass = class
		}
		setOthers(t, &pod.Spec)
		setCompute(t, &pod.Spec, class)
		allocated := pod.DeepCopy()
		if flip(t, "resized", 2) {
			setCompute(t, &pod.Spec, class)
			pod.Status.Conditions = pendingConditions(t)
		}
		pod.Status.ContainerStatuses = resizingStatuses(t, allocated.Spec.Containers)
		pod.Status.InitContainerStatuses = resizingStatuses(t, allocated.Spec.InitContainers)
		if own := allocated.Spec.Resources; own != nil {
			pod.Status.AllocatedResources, pod.Status.Resources = own.Requests.DeepCopy(), own.DeepCopy()
			for name, overhead := range pod.Spec.Overhead {
				q := pod.Status.AllocatedResources[name]
				q.Add(overhead)
				pod.Status.AllocatedResources[name] = q
			}
		}
		allocated.Status = *pod.Status.DeepCopy()
		return Resizing{pod, allocated}
	})
}

// setOthers sets requests that cannot be resized.
func setOthers(t *rapid.T, spec *corev1.PodSpec) {
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			list[i].Resources.Requests = corev1.ResourceList{}
			for _, name := range []corev1.ResourceName{corev1.ResourceEphemeralStorage, "example.com/gpu", "example.com/other", "deviceclass.resource.kubernetes.io/gold"} {
				if flip(t, "other", 8) {
					list[i].Resources.Requests[name] = *resource.NewQuantity(rapid.Int64Range(0, 3).Draw(t, "amount"), resource.DecimalSI)
				}
			}
		}
	}
}

// setCompute sets cpu and memory of all parts of a pod, in the way of a class.
func setCompute(t *rapid.T, spec *corev1.PodSpec, class corev1.PodQOSClass) {
	set := func(r *corev1.ResourceRequirements, limit corev1.ResourceList) {
		if class == corev1.PodQOSBestEffort {
			return
		}
		if r.Requests == nil {
			r.Requests = corev1.ResourceList{}
		}
		r.Requests[corev1.ResourceCPU] = *resource.NewMilliQuantity(250*rapid.Int64Range(1, 6).Draw(t, "cpu"), resource.DecimalSI)
		r.Requests[corev1.ResourceMemory] = *resource.NewQuantity(rapid.Int64Range(1, 6).Draw(t, "memory")<<28, resource.BinarySI)
		r.Limits = limit
		if class == corev1.PodQOSGuaranteed {
			r.Limits = corev1.ResourceList{corev1.ResourceCPU: r.Requests[corev1.ResourceCPU], corev1.ResourceMemory: r.Requests[corev1.ResourceMemory]}
		}
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			var limit corev1.ResourceList
			if flip(t, "limit", 3) {
				limit = List("memory", "2Gi")
			}
			set(&list[i].Resources, limit)
		}
	}
	if spec.Resources != nil {
		set(spec.Resources, nil)
	}
}

// resizingStatuses are the statuses of containers with these allocated resources, whose requests may be in effect or
// not.
func resizingStatuses(t *rapid.T, allocated []corev1.Container) (statuses []corev1.ContainerStatus) {
	for i := range allocated {
		r := allocated[i].Resources.DeepCopy()
		s := corev1.ContainerStatus{Name: allocated[i].Name, AllocatedResources: r.Requests.DeepCopy(), Resources: r}
		if _, set := r.Requests[corev1.ResourceCPU]; set && flip(t, "actuated later", 4) {
			r.Requests[corev1.ResourceCPU] = resource.MustParse("1")
		}
		statuses = append(statuses, s)
	}
	return statuses
}

// pendingConditions draws the conditions of a pod with a pending resize, of this or an earlier generation.
func pendingConditions(t *rapid.T) []corev1.PodCondition {
	if flip(t, "no condition", 3) {
		return nil
	}
	return []corev1.PodCondition{{
		Type:   corev1.PodResizePending,
		Status: corev1.ConditionTrue,
		Reason: rapid.SampledFrom([]string{corev1.PodReasonDeferred, corev1.PodReasonDeferred, corev1.PodReasonInfeasible}).Draw(t, "reason"),
		// For generation 0, the kubelet does not track generations.
		Message: "before", ObservedGeneration: rapid.SampledFrom([]int64{0, 2, 3}).Draw(t, "generation"),
		LastTransitionTime: metav1.NewTime(Now().Add(time.Duration(rapid.IntRange(0, 2).Draw(t, "minutes")) * time.Minute)),
	}}
}
