package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A pod of two containers that request 1 CPU each, during an in-place resize: the desired, allocated
// and actuated amounts differ.
func TestResizeInPlace(t *testing.T) {
	type state struct{ spec, allocated, actuated string } // CPU of a container; "" is not known
	pod := func(a, b state, reason string) *corev1.Pod {
		p := &corev1.Pod{}
		for i, s := range []state{a, b} {
			name := string(rune('a' + i))
			p.Spec.Containers = append(p.Spec.Containers, container(name, list("cpu", s.spec), list("cpu", s.spec)))
			status := corev1.ContainerStatus{Name: name}
			if s.allocated != "" {
				status.AllocatedResources = list("cpu", s.allocated)
			}
			if s.actuated != "" {
				status.Resources = &corev1.ResourceRequirements{Requests: list("cpu", s.actuated), Limits: list("cpu", s.actuated)}
			}
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, status)
		}
		if reason != "" {
			p.Status.Conditions = []corev1.PodCondition{
				{Type: corev1.PodReady, Reason: corev1.PodReasonInfeasible},
				{Type: corev1.PodResizePending, Reason: reason},
			}
		}
		return p
	}
	tests := []struct {
		name                   string
		pod                    *corev1.Pod
		requests, limits, spec string
	}{
		{"no resize in progress", pod(state{"1", "1", "1"}, state{"1", "1", "1"}, ""), "2", "2", "2"},
		{"growing, not yet allocated", pod(state{"3", "1", "1"}, state{"1", "1", "1"}, ""), "4", "4", "4"},
		{"growing, deferred", pod(state{"3", "1", "1"}, state{"1", "1", "1"}, corev1.PodReasonDeferred), "4", "4", "4"},
		{"growing, infeasible: the spec does not count", pod(state{"3", "1", "1"}, state{"1", "1", "1"}, corev1.PodReasonInfeasible), "2", "2", "4"},
		{"shrinking: the actuated resources still count", pod(state{"1", "1", "2"}, state{"1", "1", "1"}, ""), "3", "3", "2"},
		{"shrinking, allocated more than in effect", pod(state{"1", "3", "2"}, state{"1", "1", "1"}, ""), "4", "3", "2"},
		// The largest sum, which is not the sum of the largest amounts: that would be 4.
		{"one grows while the other shrinks", pod(state{"2", "1", "1"}, state{"1", "2", "2"}, ""), "3", "3", "3"},
		{"a status without resources", pod(state{"1", "", ""}, state{"1", "", ""}, ""), "2", "2", "2"},
		{"a status without resources, infeasible", pod(state{"1", "1", ""}, state{"1", "", ""}, corev1.PodReasonInfeasible), "1", "", "2"},
		{"in effect falls back on allocated for requests only", pod(state{"1", "5", ""}, state{"1", "1", "1"}, ""), "6", "2", "2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			limits := list()
			if test.limits != "" {
				limits = list("cpu", test.limits)
			}
			check(t, "requests", computeresources.PodRequests(test.pod, computeresources.Options{}), list("cpu", test.requests))
			check(t, "limits", computeresources.PodLimits(test.pod, computeresources.Options{}), limits)
			check(t, "requests of the spec", computeresources.SpecRequests(&test.pod.Spec, computeresources.Options{}), list("cpu", test.spec))
			check(t, "limits of the spec", computeresources.SpecLimits(&test.pod.Spec, computeresources.Options{}), list("cpu", test.spec))
		})
	}
}

// The status of the pod level has the totals already, and counts for its pod-level
// resources as well.
func TestPodLevelResizeInPlace(t *testing.T) {
	pod := &corev1.Pod{
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{container("a", list("cpu", "1", "memory", "1Gi"), list("cpu", "2"))},
			Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "4"), Limits: list("cpu", "6")},
		},
		Status: corev1.PodStatus{
			AllocatedResources: list("cpu", "5", "memory", "2Gi"),
			Resources:          &corev1.ResourceRequirements{Requests: list("cpu", "3", "memory", "3Gi"), Limits: list("cpu", "7")},
		},
	}
	claimed := list("memory", "4Gi")
	tests := []struct {
		name             string
		opts             computeresources.Options
		condition        string
		requests, limits corev1.ResourceList
	}{
		{"with status", computeresources.Options{}, "", list("cpu", "5", "memory", "3Gi"), list("cpu", "7")},
		{"pod-level status ignored", computeresources.Options{Gates: computeresources.Gates{PodLevelStatus: testkit.Off()}}, "", list("cpu", "4", "memory", "1Gi"), list("cpu", "6")},
		{"pod level ignored", computeresources.Options{Gates: computeresources.Gates{IgnorePodLevel: true}}, "", list("cpu", "5", "memory", "3Gi"), list("cpu", "7")},
		{"claims are in the status already", computeresources.Options{ClaimedFromNode: claimed}, "", list("cpu", "5", "memory", "3Gi"), list("cpu", "7")},
		{"claims are added to the spec", computeresources.Options{ClaimedFromNode: claimed, Gates: computeresources.Gates{IgnorePodLevel: true}}, "", list("cpu", "5", "memory", "5Gi"), list("cpu", "7")},
		{"infeasible, claims in the status", computeresources.Options{ClaimedFromNode: claimed}, corev1.PodReasonInfeasible, list("cpu", "5", "memory", "3Gi"), list("cpu", "7")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: test.condition}}
			check(t, "requests", computeresources.PodRequests(pod, test.opts), test.requests)
			check(t, "limits", computeresources.PodLimits(pod, test.opts), test.limits)
		})
	}
	check(t, "requests of the spec", computeresources.SpecRequests(&pod.Spec, computeresources.Options{}), list("cpu", "4", "memory", "1Gi"))
	check(t, "limits of the spec", computeresources.SpecLimits(&pod.Spec, computeresources.Options{}), list("cpu", "6"))
}

// A pod that sets a pod-level request alone has pod-level limits in its status, which replace those
// of its containers.
func TestPodLevelLimitsOfTheStatus(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("a", nil, testkit.List("cpu", "5"))},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1")},
	}}
	pod.Status.Resources = &corev1.ResourceRequirements{Limits: testkit.List("cpu", "3")}
	limits := computeresources.PodLimits(pod, computeresources.Options{})
	testkit.Equal(t, limits.Cpu().String(), "3", limits)
}
