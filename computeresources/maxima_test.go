package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

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
		{"the pod level", podLevel, "7", "8", "7", "8"},
		{"no status", apps(), "3", "3", "3", "3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := computeresources.Options{Gates: computeresources.Gates{MaxPerContainer: true}}
			check(t, "requests", computeresources.PodRequests(test.pod, opts), list("cpu", test.requests))
			check(t, "requests into a list", computeresources.PodRequestsInto(list("memory", "1"), test.pod, opts), list("cpu", test.requests))
			check(t, "limits", computeresources.PodLimits(test.pod, opts), list("cpu", test.limits))
			want := list("cpu", test.requests)
			if got := computeresources.PodTotals(test.pod, computeresources.Requests, opts); got.MilliCPU != want.Cpu().MilliValue() || !got.AllSet.CPU {
				t.Errorf("totals %+v", got)
			}
			// In arbitrary precision.
			exact := test.pod.DeepCopy()
			exact.Spec.Overhead = list("cpu", "100u")
			sum := list("cpu", test.requests)["cpu"]
			sum.Add(list("cpu", "100u")["cpu"])
			check(t, "requests in arbitrary precision", computeresources.PodRequests(exact, opts), corev1.ResourceList{"cpu": sum})
			opts.MaxPerContainer = false
			requests, limits := computeresources.PodRequests(test.pod, opts)["cpu"], computeresources.PodLimits(test.pod, opts)["cpu"]
			if requests.String() != test.requestsOfToday || limits.String() != test.limitsOfToday {
				t.Errorf("without the gate: requests %s, limits %s", requests.String(), limits.String())
			}
		})
	}
}

func TestSumsOfMaximaDoNotAllocate(t *testing.T) {
	pod, dst := testkit.RunningPod(false), corev1.ResourceList{}
	opts := computeresources.Options{Gates: computeresources.Gates{MaxPerContainer: true}}
	computeresources.PodRequestsInto(dst, pod, opts)
	if n := testing.AllocsPerRun(100, func() {
		computeresources.PodRequestsInto(dst, pod, opts)
		computeresources.PodLimitsInto(dst, pod, opts)
		computeresources.PodTotals(pod, computeresources.Requests, opts)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
