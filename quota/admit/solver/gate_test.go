package solver_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// Without the gate for pod-level resources, no rule applies to pod-level resources.
func TestIgnorePodLevel(t *testing.T) {
	spec := func() *corev1.PodSpec {
		return &corev1.PodSpec{
			Containers: []corev1.Container{testkit.Container("app", nil, nil)},
			Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "9")},
		}
	}
	input := solver.Objects{Budgets: []solver.Budget{{Source: source("quota"), Remaining: testkit.List("requests.cpu", "1")}}}
	if _, err := solver.SolveObjects(spec(), input); err == nil {
		t.Error("9 CPUs at pod level fit into 1")
	}
	input.Kubernetes.PodLevelResources = testkit.Off()
	solution, err := solver.SolveObjects(spec(), input)
	testkit.OK(t, err)
	if len(solution.Parts) != 1 || solution.Parts[0].Ref.Name != "app" {
		t.Errorf("parts %+v, want the container alone", solution.Parts)
	}
	own := spec()
	if _, err := solver.ApplyObjects(own, input); err != nil {
		t.Fatal(err)
	}
	testkit.Equal(t, own.Resources.Requests.Cpu().String(), "9", "the pod level has become")
}

// A pod level that does not count gives a pod no class.
func TestClassWithoutPodLevel(t *testing.T) {
	spec := whole(pod("app cpu - -"), list("cpu", "1"), nil)
	in := solver.Input{Quotas: []*corev1.ResourceQuota{quotaOf("pods", "1", "1")}}
	in.Kubernetes.PodLevelResources = testkit.Off()
	in.Quotas[0].Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	if _, err := solver.Solve(spec, in); err == nil {
		t.Error("one more BestEffort pod than the quota has")
	}
}

// A limit that is exactly at the ratio is refused by the floats of 1.37.
func TestRatioByRelease(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", "1"), testkit.List("cpu", "2007m"))}}
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
		Type: corev1.LimitTypeContainer, MaxLimitRequestRatio: testkit.List("cpu", "2007m"),
	}}}}
	for name, want := range map[string]bool{"1.36": false, "": false, "1.38": true} {
		_, err := solver.Solve(spec, solver.Input{LimitRanges: []*corev1.LimitRange{lr}, Kubernetes: computeresources.Kubernetes{Release: name}})
		testkit.Equal(t, err == nil, want, "a solution in", name)
	}
}

// A pod that has to have a limit, and may have none above 2 CPUs, cannot request 4 since 1.37: the limit that the API
// server derives from that of its only container is 4 as well.
func TestDerivedLimitByRelease(t *testing.T) {
	spec := whole(pod("app cpu - -"), list("cpu", "4"), nil)
	in := solver.Input{
		LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
			Type: corev1.LimitTypePod, Max: list("cpu", "5"),
		}}}}},
		Quotas: []*corev1.ResourceQuota{quotaOf("limits.cpu", "2", "0")},
	}
	for name, want := range map[string]bool{"1.36": true, "": false, "1.38": false} {
		in.Kubernetes.Release = name
		_, err := solver.Solve(spec, in)
		testkit.Equal(t, err == nil, want, "a solution in", name)
	}
}

// Since 1.38, the server derives no pod-level limit from containers of which one has a limit of zero.
func TestZeroLimitsOfContainers(t *testing.T) {
	defaults := func(most string) *corev1.LimitRange {
		return &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
			{Type: corev1.LimitTypePod, MaxLimitRequestRatio: testkit.List("memory", "2")},
			{Type: corev1.LimitTypeContainer, Max: testkit.List("memory", most), Default: testkit.List("memory", "0"), DefaultRequest: testkit.List("memory", "0")},
		}}}
	}
	for _, test := range []struct{ release, most, want string }{
		{"1.37", "2", "[container c: set the memory request to 0 container c: set the memory limit to 0 pod: set the memory limit to 1] <nil>"},
		{"1.38", "2", "[container c: set the memory request to 0 container c: set the memory limit to 1 pod: set the memory limit to 1] <nil>"},
		{"1.38", "0", "[] memory: no amount satisfies all of: Container memory max 0 of LimitRange; Pod memory maxLimitRequestRatio 2 of LimitRange"},
	} {
		spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", nil, nil)}, Resources: &corev1.ResourceRequirements{Requests: testkit.List("memory", "1")}}
		in := solver.Input{LimitRanges: []*corev1.LimitRange{defaults(test.most)}, Kubernetes: computeresources.Kubernetes{Release: test.release}}
		changes, err := solver.Apply(spec, in)
		testkit.Equal(t, strings.TrimSpace(fmt.Sprint(changes, " ", err)), test.want, test.release, test.most)
	}
}

// Only a container without a request may have the limit of zero because of which no pod-level limit is derived.
func TestZeroLimitBesideARequest(t *testing.T) {
	spec := &corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("c", nil, nil), testkit.Container("d", testkit.List("memory", "1"), nil)},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("memory", "4")},
	}
	in := solver.Input{
		LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
			{Type: corev1.LimitTypePod, MaxLimitRequestRatio: testkit.List("memory", "2")},
			{Type: corev1.LimitTypeContainer, Max: testkit.List("memory", "2"), Default: testkit.List("memory", "0"), DefaultRequest: testkit.List("memory", "0")},
		}}}},
		Kubernetes: computeresources.Kubernetes{Release: "1.38"},
	}
	changes, err := solver.Apply(spec, in)
	testkit.Equal(t, strings.TrimSpace(fmt.Sprint(changes, " ", err)), "[container c: set the memory request to 0 container c: set the memory limit to 0 container d: set the memory limit to 1] <nil>", "")
}
