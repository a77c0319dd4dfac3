package main

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota/admit"
)

// resize changes the CPU and memory of an existing pod, and compares as for a new one.
func (n *namespace) resize() {
	i := rapid.IntRange(0, len(n.pods)-1).Draw(n.t, "pod")
	old := n.pods[i]
	pod := old.DeepCopy()
	change(n.t, &pod.Spec)
	forgetPodLevel(n.t, &pod.Spec)
	found, _ := n.judge(n.update("resizes", n.path(coreGroup, "pods", pod.Name, "resize"), pod), func(in *admit.Namespace) admit.Decision {
		return in.Update(old, pod, admit.Attributes{Subresource: "resize", Now: time.Now()})
	})
	if found != nil {
		n.pods[i] = found.(*corev1.Pod)
	}
}

// change draws other values for some of the amounts of cpu and memory that are set. A resize may not
// remove amounts or change init containers that are not sidecars.
func change(t *rapid.T, spec *corev1.PodSpec) {
	for _, c := range computeresources.Containers(spec) {
		changeRequirements(t, &c.Resources)
	}
	if spec.Resources != nil {
		changeRequirements(t, spec.Resources)
	}
}

// forgetPodLevel removes spec.resources once in so many times, as clients do that do not know it.
func forgetPodLevel(t *rapid.T, spec *corev1.PodSpec) {
	if spec.Resources != nil && once(t, "without pod level", 6) {
		spec.Resources = nil
	}
}

// much is more than most quotas allow.
var much = list("cpu", "6", "memory", "5Gi")

func changeRequirements(t *rapid.T, r *corev1.ResourceRequirements) {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		request, requested := r.Requests[name]
		limit, limited := r.Limits[name]
		if rapid.Bool().Draw(t, "as it is") {
			continue
		}
		two := rising(t, name, 2)
		// Often by so much that it no longer fits.
		if once(t, "much more", 3) {
			for i := range two {
				two[i].Add(much[name])
				two[i] = written(two[i])
			}
		}
		// Mostly without changing the QoS class.
		if requested && limited && request.Cmp(limit) == 0 && !once(t, "apart", 10) {
			two[0] = two[1].DeepCopy()
		}
		if requested {
			r.Requests[name] = two[0]
		}
		if limited {
			r.Limits[name] = two[1]
		}
	}
}

// report simulates the kubelet: it writes the resources that the containers of a pod have so far,
// which are those requested or others, and that the pod is running or has terminated.
func (n *namespace) report() {
	i := rapid.IntRange(0, len(n.pods)-1).Draw(n.t, "pod")
	pod := n.pods[i].DeepCopy()
	pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodRunning, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed}).Draw(n.t, "phase")
	pod.Status.ContainerStatuses = containerStatuses(n.t, pod.Spec.Containers)
	pod.Status.InitContainerStatuses = containerStatuses(n.t, pod.Spec.InitContainers)
	pod.Status.Conditions = slices.DeleteFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodResizePending })
	if once(n.t, "pending", 4) {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodResizePending, Status: corev1.ConditionTrue,
			Reason: rapid.SampledFrom([]string{corev1.PodReasonInfeasible, corev1.PodReasonDeferred}).Draw(n.t, "reason"),
		})
	}
	n.say("replace --subresource status", pod)
	found := &corev1.Pod{}
	if a := n.answer(n.client.Update(n.ctx, n.path(coreGroup, "pods", pod.Name, "status"), pod, found), found); !a.isStored() {
		n.differ("the server refuses a status: %s", a.Message)
	}
	n.pods[i] = found
	n.compareUsage("a status of a pod")
}

func containerStatuses(t *rapid.T, containers []corev1.Container) (all []corev1.ContainerStatus) {
	for _, c := range containers {
		if once(t, "none", 4) {
			continue
		}
		running := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}
		s := corev1.ContainerStatus{Name: c.Name, Image: c.Image, State: running}
		s.AllocatedResources = nearly(t, c.Resources.Requests)
		s.Resources = &corev1.ResourceRequirements{Requests: nearly(t, c.Resources.Requests), Limits: nearly(t, c.Resources.Limits)}
		all = append(all, s)
	}
	return all
}

// nearly draws a list that differs from the given one in some amounts.
func nearly(t *rapid.T, list corev1.ResourceList) corev1.ResourceList {
	out := list.DeepCopy()
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if _, stated := out[name]; stated && once(t, "other", 3) {
			q := amount(t, name)
			if q.Sign() < 0 {
				continue
			}
			out[name] = q
		}
	}
	return out
}
