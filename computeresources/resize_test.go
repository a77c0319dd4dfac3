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
		{"pod-level status ignored", computeresources.Options{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.Off()}}, "", list("cpu", "4", "memory", "1Gi"), list("cpu", "6")},
		{"pod level ignored", computeresources.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}, "", list("cpu", "5", "memory", "3Gi"), list("cpu", "7")},
		{"claims are in the status already", computeresources.Options{ClaimedFromNode: claimed}, "", list("cpu", "5", "memory", "3Gi"), list("cpu", "7")},
		{"claims are added to the spec", computeresources.Options{ClaimedFromNode: claimed, Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}, "", list("cpu", "5", "memory", "5Gi"), list("cpu", "7")},
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

// The sums of Kubernetes 1.36 add up the largest amount of each container.
func TestSumsOfMaxima(t *testing.T) {
	state := func(name, allocated, actuated string) corev1.ContainerStatus {
		s := corev1.ContainerStatus{Name: name, AllocatedResources: list("cpu", allocated)}
		if actuated != "" {
			s.Resources = &corev1.ResourceRequirements{Requests: list("cpu", actuated), Limits: list("cpu", actuated)}
		}
		return s
	}
	app := func(name, cpu string) corev1.Container { return container(name, list("cpu", cpu), list("cpu", cpu)) }
	apps := func(statuses ...corev1.ContainerStatus) *corev1.Pod {
		return &corev1.Pod{
			Spec:   corev1.PodSpec{Containers: []corev1.Container{app("a", "2"), app("b", "1")}},
			Status: corev1.PodStatus{ContainerStatuses: statuses},
		}
	}
	crossed := apps(state("a", "1", "1"), state("b", "2", "2"))
	refused := crossed.DeepCopy()
	refused.Spec.Containers[0] = app("a", "8")
	refused.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: corev1.PodReasonInfeasible}}
	inits := crossed.DeepCopy()
	inits.Spec.InitContainers = []corev1.Container{testkit.Sidecar("s", list("cpu", "1"), list("cpu", "1")), app("i", "1")}
	inits.Status.InitContainerStatuses = []corev1.ContainerStatus{state("s", "3", "3"), state("i", "9", "9")}
	podLevel := crossed.DeepCopy()
	podLevel.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "5"), Limits: list("cpu", "5")}
	podLevel.Status.AllocatedResources = list("cpu", "6", "memory", "1Gi")
	podLevel.Status.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "7"), Limits: list("cpu", "8")}
	for _, test := range []struct {
		name                           string
		pod                            *corev1.Pod
		requests, limits               string
		requestsOfToday, limitsOfToday string
	}{
		{"one grows while the other shrinks", crossed, "4", "4", "3", "3"},
		{"infeasible", refused, "3", "3", "3", "3"},
		{"a sidecar, and an init container whose status does not count", inits, "7", "7", "12", "12"},
		{"allocated alone does not count", apps(state("a", "5", "")), "3", "3", "6", "3"},
		{"allocated more than in effect", apps(state("a", "5", "1")), "6", "3", "6", "3"},
		{"two statuses of a name, of which up to 1.36 the last counts", apps(state("a", "5", "5"), state("a", "1", "1")), "3", "3", "6", "6"},
		{"the other order", apps(state("a", "1", "1"), state("a", "5", "5")), "6", "6", "3", "3"},
		{"the pod level", podLevel, "7", "8", "7", "8"},
		{"no status", apps(), "3", "3", "3", "3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}
			check(t, "requests", computeresources.PodRequests(test.pod, opts), list("cpu", test.requests))
			check(t, "requests into a list", computeresources.PodRequestsInto(list("memory", "1"), test.pod, opts), list("cpu", test.requests))
			check(t, "limits", computeresources.PodLimits(test.pod, opts), list("cpu", test.limits))
			want := list("cpu", test.requests)
			if got := computeresources.PodTotals(test.pod, computeresources.Requests, opts); got.MilliCPU != want.Cpu().MilliValue() || !got.CPUAllSet {
				t.Errorf("totals %+v", got)
			}
			// In arbitrary precision.
			exact := test.pod.DeepCopy()
			exact.Spec.Overhead = list("cpu", "100u")
			sum := list("cpu", test.requests)["cpu"]
			sum.Add(list("cpu", "100u")["cpu"])
			check(t, "requests in arbitrary precision", computeresources.PodRequests(exact, opts), corev1.ResourceList{"cpu": sum})
			opts.Kubernetes.Release = ""
			requests, limits := computeresources.PodRequests(test.pod, opts)["cpu"], computeresources.PodLimits(test.pod, opts)["cpu"]
			if requests.String() != test.requestsOfToday || limits.String() != test.limitsOfToday {
				t.Errorf("without the gate: requests %s, limits %s", requests.String(), limits.String())
			}
		})
	}
}

// Requests of the pod level count beside those of its status, which has no limits.
func TestMaximaOfPodLevelRequests(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{container("a", list("cpu", "1"), nil)}, Resources: &corev1.ResourceRequirements{Requests: list("cpu", "2")},
	}}
	pod.Status.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "5")}
	opts := computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}
	check(t, "requests", computeresources.PodRequests(pod, opts), list("cpu", "5"))
	// Limits that are refused count if none are in effect.
	pod.Spec.Resources.Limits = list("cpu", "4")
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: corev1.PodReasonInfeasible}}
	check(t, "limits", computeresources.PodLimits(pod, opts), list("cpu", "4"))
}

func TestSumsOfMaximaDoNotAllocate(t *testing.T) {
	pod, dst := testkit.RunningPod(false), corev1.ResourceList{}
	opts := computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}
	computeresources.PodRequestsInto(dst, pod, opts)
	if n := testing.AllocsPerRun(100, func() {
		computeresources.PodRequestsInto(dst, pod, opts)
		computeresources.PodLimitsInto(dst, pod, opts)
		computeresources.PodTotals(pod, computeresources.Requests, opts)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPendingResize(t *testing.T) {
	pending := func(reason string) corev1.PodCondition {
		return corev1.PodCondition{Type: corev1.PodResizePending, Reason: reason, Status: corev1.ConditionFalse}
	}
	inProgress := corev1.PodCondition{Type: corev1.PodResizeInProgress, Reason: "Infeasible"}
	for _, test := range []struct {
		name       string
		conditions []corev1.PodCondition
		want       string
	}{
		{"no condition", nil, ""},
		{"one in progress", []corev1.PodCondition{inProgress}, ""},
		{"deferred", []corev1.PodCondition{pending("Deferred")}, corev1.PodReasonDeferred},
		{"infeasible, behind one in progress", []corev1.PodCondition{inProgress, pending("Infeasible")}, corev1.PodReasonInfeasible},
		{"an unknown reason", []corev1.PodCondition{pending("Later")}, "Later"},
		{"the first counts", []corev1.PodCondition{pending("Deferred"), pending("Infeasible")}, corev1.PodReasonDeferred},
		{"the first counts, even with an unknown reason", []corev1.PodCondition{pending("Later"), pending("Infeasible")}, "Later"},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, computeresources.PendingResize(&corev1.Pod{Status: corev1.PodStatus{Conditions: test.conditions}}), test.want, "PendingResize")
		})
	}
	testkit.Equal(t, computeresources.PendingResize(nil), "", "PendingResize of nil")
}

// Allocated resources do not include what the pod claims from the node, which is added to them.
func TestClaimsBesideAllocatedResources(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1"), nil)}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", AllocatedResources: list("cpu", "2"), Resources: &corev1.ResourceRequirements{Requests: list("cpu", "2")}}}
	got := computeresources.PodRequests(pod, computeresources.Options{ClaimedFromNode: list("cpu", "500m")})
	check(t, "requests", got, list("cpu", "2500m"))
}
