package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/admit"
)

// createPod draws a pod, creates it, and compares the outcome, what was stored, and usage.
func (n *namespace) createPod() {
	pod := n.drawPod()
	if once(n.t, "generated name", 4) {
		pod.Name, pod.GenerateName = "", pod.Name+"-"
	}
	n.sendPod("pods", pod)
}

// sendPod creates a pod. Runtime class and name are as the server sets them.
func (n *namespace) sendPod(kind string, pod *corev1.Pod) answer {
	object := withOverhead(pod.DeepCopy())
	found, server := n.judge(n.create(kind, n.path(coreGroup, "pods"), pod), func(in *admit.Namespace) admit.Decision {
		return in.Create(object, admit.Attributes{GeneratedName: pod.GenerateName + generated})
	})
	if found != nil {
		n.pods = append(n.pods, found.(*corev1.Pod))
	}
	return server
}

// withOverhead adds what admission adds for the runtime class.
func withOverhead(pod *corev1.Pod) *corev1.Pod {
	if class := pod.Spec.RuntimeClassName; class != nil {
		pod.Spec.Overhead = overheads[*class].DeepCopy()
	}
	return pod
}

// drawPod draws a pod that can only be rejected for its resources.
func (n *namespace) drawPod() *corev1.Pod {
	t := n.t
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: n.next("pod")}
	for i := range rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "containers") {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: fmt.Sprintf("c-%d", i), Image: "i", Resources: requirements(t)})
	}
	for i := range rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3}).Draw(t, "init containers") {
		c := corev1.Container{Name: fmt.Sprintf("init-%d", i), Image: "i", Resources: requirements(t)}
		if rapid.Bool().Draw(t, "sidecar") {
			always := corev1.ContainerRestartPolicyAlways
			c.RestartPolicy = &always
		}
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
	}
	if once(t, "pod level", 6) {
		pod.Spec.Resources = &corev1.ResourceRequirements{}
		*pod.Spec.Resources = requirements(t)
		if !once(t, "odd pod level", 20) {
			// Only these are allowed there.
			for _, name := range []corev1.ResourceName{corev1.ResourceEphemeralStorage, gpu, fpga} {
				delete(pod.Spec.Resources.Requests, name)
				delete(pod.Spec.Resources.Limits, name)
			}
		}
	}
	if once(t, "runtime class", 6) {
		class := rapid.SampledFrom([]string{"small", "large"}).Draw(t, "class")
		pod.Spec.RuntimeClassName = &class
	}
	if once(t, "priority class", 4) {
		pod.Spec.PriorityClassName = rapid.SampledFrom([]string{"high", "low", "high", "low", platinum}).Draw(t, "class")
	}
	if once(t, "deadline", 5) {
		seconds := rapid.Int64Range(1, 1000).Draw(t, "seconds")
		pod.Spec.ActiveDeadlineSeconds = &seconds
	}
	if once(t, "affinity", 10) {
		pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Namespaces: []string{"other"},
		}}}}
	}
	return pod
}

// deadline changes the time that a pod may run, and so whether it is Terminating.
func (n *namespace) deadline() {
	i := rapid.IntRange(0, len(n.pods)-1).Draw(n.t, "pod")
	old := n.pods[i]
	pod := old.DeepCopy()
	seconds := rapid.Int64Range(1, 1000).Draw(n.t, "seconds")
	if old.Spec.ActiveDeadlineSeconds != nil {
		seconds = min(seconds, *old.Spec.ActiveDeadlineSeconds) // it may only shrink
	}
	pod.Spec.ActiveDeadlineSeconds = &seconds
	forgetPodLevel(n.t, &pod.Spec)
	found, _ := n.judge(n.update("deadlines", n.path(coreGroup, "pods", pod.Name), pod), func(in *admit.Namespace) admit.Decision {
		return in.Update(old, pod, admit.Attributes{Now: time.Now()})
	})
	if found != nil {
		n.pods[i] = found.(*corev1.Pod)
	}
}

// deletePod removes a pod. Usage stays as it is until a controller counts again.
func (n *namespace) deletePod() {
	i := rapid.IntRange(0, len(n.pods)-1).Draw(n.t, "pod")
	n.say("delete", &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: n.pods[i].Name}})
	n.must(n.client.Delete(n.ctx, n.path(coreGroup, "pods", n.pods[i].Name)))
	n.pods = append(n.pods[:i:i], n.pods[i+1:]...)
	n.compareUsage("a deletion")
}
