package solver_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

var list = testkit.List

// pod builds a spec of containers written as "app cpu 1 2", "init …" or "sidecar …":
// kind, resource, request and limit, where - is absent.
func pod(containers ...string) *corev1.PodSpec {
	spec := &corev1.PodSpec{}
	for i, written := range containers {
		fields := strings.Fields(written)
		stated := func(amount string) corev1.ResourceList {
			if amount == "-" {
				return nil
			}
			return list(fields[1], amount)
		}
		c := testkit.Container(fmt.Sprint("c-", i), stated(fields[2]), stated(fields[3]))
		switch fields[0] {
		case "app":
			spec.Containers = append(spec.Containers, c)
		case "init":
			spec.InitContainers = append(spec.InitContainers, c)
		default:
			spec.InitContainers = append(spec.InitContainers, testkit.Sidecar(c.Name, c.Resources.Requests, c.Resources.Limits))
		}
	}
	return spec
}

func whole(spec *corev1.PodSpec, requests, limits corev1.ResourceList) *corev1.PodSpec {
	spec.Resources = &corev1.ResourceRequirements{Requests: requests, Limits: limits}
	return spec
}

func overhead(spec *corev1.PodSpec, amounts corev1.ResourceList) *corev1.PodSpec {
	spec.Overhead = amounts
	return spec
}

func ofContainer(item corev1.LimitRangeItem) solver.Objects {
	item.Type = corev1.LimitTypeContainer
	return solver.Objects{Items: []solver.RangeItem{{Source: source("range"), Item: item}}}
}

func ofPod(item corev1.LimitRangeItem) solver.Objects {
	item.Type = corev1.LimitTypePod
	return solver.Objects{Items: []solver.RangeItem{{Source: source("range"), Item: item}}}
}

func left(pairs ...string) solver.Objects {
	return solver.Objects{Budgets: []solver.Budget{{Source: source("quota"), Remaining: list(pairs...)}}}
}

// in136 returns the objects in a cluster of 1.36.
func in136(o solver.Objects) solver.Objects {
	o.Kubernetes.Release = "1.36"
	return o
}

func both(problems ...solver.Objects) (all solver.Objects) {
	for _, p := range problems {
		all.Items = append(all.Items, p.Items...)
		all.Budgets = append(all.Budgets, p.Budgets...)
	}
	return all
}

func TestSolve(t *testing.T) {
	type item = corev1.LimitRangeItem
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		p    solver.Objects
		want []string
	}{
		{"nothing is demanded", pod("app cpu - -"), solver.Objects{}, nil},
		{"a request needs no limit", pod("app cpu 1 -"), solver.Objects{}, nil},
		{"a limit without request", pod("app cpu - 1"), solver.Objects{}, []string{"container c-0: set the cpu request to 0"}},
		{"min", pod("app cpu - -"), ofContainer(item{Min: list("cpu", "100m")}), []string{"container c-0: set the cpu request to 100m"}},
		{"min with a limit", pod("app cpu - 1"), ofContainer(item{Min: list("cpu", "1")}), []string{"container c-0: set the cpu request to 1"}},
		{"min finer than a milli-unit", pod("app cpu - -"), ofContainer(item{Min: list("cpu", "100n")}), []string{"container c-0: set the cpu request to 1m"}},
		{"min of a fraction of a byte", pod("app memory - -"), ofContainer(item{Min: list("memory", "1500m")}), []string{"container c-0: set the memory request to 2"}},
		{"min below zero", pod("app cpu - -"), ofContainer(item{Min: list("cpu", "-1")}), []string{"container c-0: set the cpu request to 0"}},
		{"max", pod("app cpu - -", "app cpu 300m -"), ofContainer(item{Max: list("cpu", "1")}), []string{
			"container c-0: set the cpu request to 0", "container c-0: set the cpu limit to 0", "container c-1: set the cpu limit to 300m"}},
		{"max of zero", pod("app cpu - -"), ofContainer(item{Max: list("example.com/gpu", "0")}), []string{
			"container c-0: set the example.com/gpu request to 0", "container c-0: set the example.com/gpu limit to 0"}},
		{"ratio", pod("app cpu - 1", "app cpu - -", "app cpu 2 -"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "3")}), []string{
			"container c-0: set the cpu request to 334m",
			"container c-1: set the cpu request to 1m", "container c-1: set the cpu limit to 1m",
			"container c-2: set the cpu limit to 2"}},
		{"a minimum that the sum of app containers cannot reach", pod("app cpu 100m 100m", "init cpu - -"), ofPod(item{Min: list("cpu", "1"), MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"init container c-1: set the cpu request to 1", "init container c-1: set the cpu limit to 1"}},
		{"the smaller of two ratios", pod("app cpu - 3"), both(ofContainer(item{MaxLimitRequestRatio: list("cpu", "4")}), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2")})), []string{
			"container c-0: set the cpu request to 1500m"}},
		{"ratio of bytes", pod("app memory - 1Gi"), ofContainer(item{MaxLimitRequestRatio: list("memory", "1.5")}), []string{
			"container c-0: set the memory request to 715827883"}},
		{"ratio of one", pod("app memory - 1Gi"), ofContainer(item{MaxLimitRequestRatio: list("memory", "1")}), []string{
			"container c-0: set the memory request to 1Gi"}},
		// 2007m / 1 · 1000 is above 2007 in the server's floats.
		{"ratio in the server's floats", pod("app cpu - 2007m"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2.007")}), []string{
			"container c-0: set the cpu request to 1001m"}},
		{"ratio beyond milli-units", pod("app memory - 9223372036854775807"), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")}), []string{
			"container c-0: set the memory request to 4Ei"}},
		{"a ratio beyond milli-units", pod("app memory - 9223372036854775806"), ofContainer(item{MaxLimitRequestRatio: list("memory", "9223372036854775807")}), []string{
			"container c-0: set the memory request to 1"}},
		{"default", pod("app cpu 200m -"), ofContainer(item{Default: list("cpu", "1")}), []string{"container c-0: set the cpu limit to 200m"}},
		{"default request", pod("app cpu - -"), ofContainer(item{DefaultRequest: list("cpu", "1")}), []string{"container c-0: set the cpu request to 0"}},
		{"default of a claim and of a pod", pod("app cpu - -"), both(
			ofPod(item{Default: list("cpu", "1"), DefaultRequest: list("cpu", "1")}),
			solver.Objects{Items: []solver.RangeItem{{Source: source("range"), Item: item{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", "1"), Default: list("cpu", "1")}}}},
		), nil},

		{"extended resources have limits", pod("app example.com/gpu 1 -", "app cpu - -"), solver.Objects{}, []string{
			"container c-0: set the example.com/gpu limit to 1"}},
		{"extended resources have requests", pod("app example.com/gpu - 1"), ofPod(item{Min: list("example.com/gpu", "1")}), []string{
			"container c-0: set the example.com/gpu request to 1"}},
		{"Pod min of an extended resource", pod("app cpu - -", "app cpu - -"), ofPod(item{Min: list("example.com/gpu", "2")}), []string{
			"container c-0: set the example.com/gpu request to 2", "container c-0: set the example.com/gpu limit to 2"}},
		{"Pod min of no extended resource", pod("app cpu - -", "app cpu - -"), ofPod(item{Min: list("example.com/gpu", "0")}), []string{
			"container c-0: set the example.com/gpu request to 0", "container c-0: set the example.com/gpu limit to 0"}},
		{"a native resource by its domain", pod("app kubernetes.io/foo 1 2"), solver.Objects{}, nil},
		{"hugepages by the page", pod("app hugepages-2Mi 2Mi 2Mi", "app hugepages-2Mi - -"), ofPod(item{Min: list("hugepages-2Mi", "5Mi")}), []string{
			"container c-1: set the hugepages-2Mi request to 4Mi", "container c-1: set the hugepages-2Mi limit to 4Mi"}},
		{"pages of no size, and of a huge one", pod("app hugepages-2Ei - -"), ofPod(item{Min: list("hugepages-2Ei", "5", "hugepages-x", "3", "hugepages--1Mi", "2")}), []string{
			"container c-0: set the hugepages--1Mi request to 2", "container c-0: set the hugepages--1Mi limit to 2",
			"container c-0: set the hugepages-2Ei request to 2Ei", "container c-0: set the hugepages-2Ei limit to 2Ei",
			"container c-0: set the hugepages-x request to 3", "container c-0: set the hugepages-x limit to 3"}},
		{"fractions of a byte where some are set", pod("app memory - 100m"), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")}), []string{
			"container c-0: set the memory request to 50m"}},

		{"quotas on cpu and memory", pod("app cpu - -", "init cpu - -"), left("cpu", "1", "limits.memory", "1Gi", "ephemeral-storage", "1"), []string{
			"init container c-1: set the cpu request to 0", "init container c-1: set the memory request to 0", "init container c-1: set the memory limit to 0",
			"container c-0: set the cpu request to 0", "container c-0: set the memory request to 0", "container c-0: set the memory limit to 0"}},
		{"quotas and a pod that sets memory at pod level", whole(pod("app cpu - -"), list("memory", "1Gi"), nil), left("cpu", "1", "limits.cpu", "1"), nil},
		{"nothing fits where a negative amount remains", pod("app cpu - -"), left("cpu", "-1", "limits.cpu", "-1"), []string{
			"container c-0: set the cpu request to 0", "container c-0: set the cpu limit to 0"}},
		{"overhead is not added to missing limits", overhead(pod("app ephemeral-storage 1 -"), list("ephemeral-storage", "1")), left("limits.ephemeral-storage", "0", "requests.ephemeral-storage", "2"), nil},
		{"a quota on resources that the pod does not use", pod("app cpu 1 -"), left("services", "0", "requests.storage", "0", "example.com/gpu", "0", "limits.example.com/gpu", "0"), nil},
		{"pods are left", pod("app cpu 1 -"), left("pods", "1", "count/pods", "1"), nil},

		{"Pod min of the sidecar beside a fixed init container", pod("sidecar cpu - -", "init cpu 500m -", "app cpu 100m -"), ofPod(item{Min: list("cpu", "1")}), []string{
			"sidecar c-0: set the cpu request to 500m"}},
		{"Pod min of the sidecar beside a fixed app container", pod("sidecar cpu - -", "init cpu 100m -", "app cpu 700m -"), ofPod(item{Min: list("cpu", "1")}), []string{
			"sidecar c-0: set the cpu request to 300m"}},
		{"Pod min of zero is that of the first app container", pod("init cpu - -", "app cpu - -"), ofPod(item{Min: list("cpu", "0")}), []string{
			"container c-1: set the cpu request to 0"}},
		{"Pod min of a pod-level request that becomes a limit", whole(pod("app memory - -", "app memory - -"), list("memory", "9"), nil), both(ofPod(item{Min: list("memory", "9")}), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")})), []string{
			"container c-0: set the memory request to 1", "container c-0: set the memory limit to 1",
			"container c-1: set the memory request to 1", "container c-1: set the memory limit to 1", "pod: set the memory limit to 9"}},
		{"a quota of limits below a pod-level request, which does not become a limit", whole(pod("app cpu 1 1", "app cpu 1 -"), list("cpu", "4"), nil), left("limits.cpu", "3"), nil},
		{"Pod min of limits that the ratio holds back in 1.36", whole(pod("app memory - -", "app memory - -"), list("memory", "9"), nil), in136(both(ofPod(item{Min: list("memory", "9")}), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")}))), []string{
			"container c-0: set the memory request to 4", "container c-0: set the memory limit to 8",
			"container c-1: set the memory request to 1", "container c-1: set the memory limit to 1"}},
		{"an amount below all that is counted is rounded away from zero", whole(pod(), list("example.com/gpu", "-9223372036854775.8085"), nil), solver.Objects{}, []string{
			"pod: change the example.com/gpu request from -9223372036854775808500u to -9223372036854775809m"}},
		{"Pod min goes to the first app container", pod("init cpu - -", "sidecar cpu - -", "app cpu 1 -", "app cpu - -", "app cpu - -"), ofPod(item{Min: list("cpu", "3")}), []string{
			"container c-3: set the cpu request to 2"}},
		{"Pod min goes to the next app container if the first has a limit", pod("app cpu - 1", "app cpu - -", "app cpu - -"), ofPod(item{Min: list("cpu", "3")}), []string{
			"container c-0: set the cpu request to 1", "container c-1: set the cpu request to 2", "container c-1: set the cpu limit to 2"}},
		{"Pod min goes to a container that already has a limit", pod("app cpu - -", "app cpu - 3"), both(ofPod(item{Min: list("cpu", "3")}), ofContainer(item{Max: list("cpu", "4")})), []string{
			"container c-0: set the cpu request to 0", "container c-0: set the cpu limit to 0", "container c-1: set the cpu request to 3"}},
		{"Pod min goes to an init container before a sidecar", pod("sidecar cpu - -", "init cpu - -", "app cpu 1 -"), ofPod(item{Min: list("cpu", "2")}), []string{
			"init container c-1: set the cpu request to 2"}},
		{"Pod min goes to the last sidecar", pod("sidecar cpu - -", "init cpu 1 -", "sidecar cpu - -", "app cpu 1 -"), ofPod(item{Min: list("cpu", "4")}), []string{
			"sidecar c-2: set the cpu request to 3"}},
		{"Pod min goes to a sidecar, and to the init container after it", pod("sidecar cpu - -", "init cpu 1 -", "app cpu 1 -"), ofPod(item{Min: list("cpu", "4")}), []string{
			"sidecar c-0: set the cpu request to 3"}},
		{"Pod min with limits of some containers", pod("app cpu - 1", "app cpu - -"), ofPod(item{Min: list("cpu", "2")}), []string{
			"container c-0: set the cpu request to 1", "container c-1: set the cpu request to 1", "container c-1: set the cpu limit to 1"}},
		{"Pod max needs some limit", pod("app cpu 1 -", "app cpu - -"), ofPod(item{Max: list("cpu", "2")}), []string{
			"container c-1: set the cpu request to 0", "container c-1: set the cpu limit to 0"}},
		{"Pod ratio raises requests", pod("app cpu - 3", "app cpu - 3"), ofPod(item{MaxLimitRequestRatio: list("cpu", "1.5")}), []string{
			"container c-0: set the cpu request to 3", "container c-1: set the cpu request to 1"}},
		{"Pod ratio raises requests and limits", pod("app cpu 1 4", "app cpu - -"), both(ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}), ofContainer(item{Max: list("cpu", "4")})), []string{
			"container c-1: set the cpu request to 2", "container c-1: set the cpu limit to 2"}},
		{"Pod ratio requires requests and limits", pod("app cpu - -", "app cpu - -"), ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"container c-0: set the cpu request to 1m", "container c-0: set the cpu limit to 1m"}},

		{"pod-level requests count", whole(pod("app cpu 1 -"), list("cpu", "3"), nil), both(ofPod(item{Min: list("cpu", "3")}), left("requests.cpu", "3")), nil},
		{"a pod-level limit", whole(pod("app cpu 1 -"), nil, list("cpu", "3")), ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"pod: set the cpu request to 1500m"}},
		{"a pod-level limit, and the requests of its containers", whole(pod("app cpu 1 -"), nil, list("cpu", "3", "memory", "1Gi")), solver.Objects{}, []string{
			"pod: set the cpu request to 1", "pod: set the memory request to 0"}},
		{"the request that the API server derives from a pod-level limit", whole(pod("app cpu 1 -"), nil, list("memory", "1Gi")), solver.Objects{}, []string{
			"pod: set the cpu request to 1", "pod: set the memory request to 0"}},
		{"a Pod ratio of the pod-level request, just met by the limits of containers", whole(pod("app cpu 1 2"), list("cpu", "1"), nil), ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}), []string{"pod: set the cpu limit to 2"}},
		{"pod-level hugepages and overhead that just fit a quota", overhead(whole(pod(), list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi")), list("hugepages-2Mi", "2Mi")), left("requests.hugepages-2Mi", "6Mi"), nil},
		{"pod-level hugepages", whole(pod("app hugepages-2Mi 2Mi -"), list("hugepages-2Mi", "4Mi"), nil), solver.Objects{}, []string{
			"container c-0: set the hugepages-2Mi limit to 2Mi", "pod: set the hugepages-2Mi limit to 4Mi"}},
		{"a pod-level limit of hugepages", whole(pod("app hugepages-2Mi 2Mi -"), nil, list("hugepages-2Mi", "4Mi")), both(ofPod(item{Max: list("hugepages-2Mi", "2Mi")}), left("hugepages-2Mi", "4Mi")), []string{
			"container c-0: set the hugepages-2Mi limit to 2Mi", "pod: set the hugepages-2Mi request to 4Mi"}},
		{"a resource that cannot be set at pod level", whole(pod("app cpu 1 -"), list("example.com/gpu", "4"), nil), left("requests.example.com/gpu", "0", "cpu", "1"), []string{"pod: set the cpu request to 1"}},
		{"limits with a pod-level request in 1.36", whole(pod("app cpu - -", "app cpu - -"), list("cpu", "2"), nil),
			in136(both(ofPod(item{Min: list("cpu", "2")}), ofContainer(item{Max: list("cpu", "1500m"), MaxLimitRequestRatio: list("cpu", "2")}))), []string{
				"container c-0: set the cpu request to 750m", "container c-0: set the cpu limit to 1500m",
				"container c-1: set the cpu request to 250m", "container c-1: set the cpu limit to 500m"}},

		{"amounts finer than a milli-unit", pod("app cpu 100n 1500u"), solver.Objects{}, []string{
			"container c-0: change the cpu request from 100n to 1m", "container c-0: change the cpu limit from 1500u to 2m"}},
		{"a large amount finer than a milli-unit", pod("app memory 9300000000000000.0001 -"), solver.Objects{}, []string{
			"container c-0: change the memory request from 9300000000000000000100u to 9300000000000000001m"}},
		{"pod-level amounts finer than a milli-unit", whole(pod(), list("memory", "1n", "storage", "2u"), list("cpu", "100n", "memory", "1", "storage", "1500u")), solver.Objects{}, []string{
			"pod: set the cpu request to 0", "pod: change the cpu limit from 100n to 1m", "pod: change the memory request from 1n to 1m",
			"pod: change the storage request from 2u to 1m", "pod: change the storage limit from 1500u to 2m"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			solution, err := solver.SolveObjects(test.spec, test.p)
			testkit.OK(t, err)
			var got []string
			for _, c := range solution.Changes {
				got = append(got, c.String())
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// Who changes what a solution changes does not change its parts.
func TestChangesShareNoAmounts(t *testing.T) {
	solution, err := solver.SolveObjects(pod("app memory 9300000000000000.0001 -"), solver.Objects{})
	if err != nil || len(solution.Changes) != 1 {
		t.Fatalf("%v %v", solution.Changes, err)
	}
	solution.Changes[0].To.Add(resource.MustParse("1"))
	if got := solution.Parts[0].Requests["memory"]; got.String() != "9300000000000000001m" {
		t.Errorf("%s", got.String())
	}
}

// A pod that sets anything at pod level needs no more in its containers for a quota's sake.
func TestQuotaBesideAnythingAsAWhole(t *testing.T) {
	one := list("cpu", "1")
	for name, test := range map[string]struct {
		requests, limits corev1.ResourceList
		want             int
	}{
		"nothing": {nil, nil, 1}, "a request": {one, nil, 0}, "a limit": {nil, one, 0}, "both": {one, one, 0},
	} {
		changes, err := solver.ApplyObjects(whole(pod("app cpu 1 1"), test.requests, test.limits), left("requests.memory", "1Gi"))
		ofMemory := 0
		for _, c := range changes {
			if c.Resource == "memory" {
				ofMemory++
			}
		}
		if err != nil || ofMemory != test.want {
			t.Errorf("%s at pod level: %v %v", name, changes, err)
		}
	}
}

// source is "LimitRange limits", "range" or the like.
func source(s string) computeresources.Source {
	kind, name, _ := strings.Cut(s, " ")
	return computeresources.Source{Kind: kind, Name: name}
}

// A GlobalResourceQuota of which more is used than there is of something refuses any request, unlike other quotas.
func TestOverdrawnGlobalResourceQuota(t *testing.T) {
	for kind, want := range map[string]string{
		"ResourceQuota": "<nil>", "ClusterResourceQuota": "<nil>",
		"GlobalResourceQuota": "cpu: no amount satisfies all of: requests.cpu remaining 0 of GlobalResourceQuota compute; container c-0 cpu request 1",
	} {
		q := quotaOf("requests.cpu", "4", "1")
		q.Kind = kind
		q.Status.Hard["persistentvolumeclaims"], q.Status.Used["persistentvolumeclaims"] = resource.MustParse("1"), resource.MustParse("2")
		_, err := solver.Solve(pod("app cpu 1 -"), solver.Input{Quotas: []*corev1.ResourceQuota{q}})
		testkit.Equal(t, fmt.Sprint(err), want, kind)
	}
}
