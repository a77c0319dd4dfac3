package solver_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/solver"
	"github.com/kubemath/kubemath/internal/testkit"
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

func ofContainer(item corev1.LimitRangeItem) solver.Problem {
	item.Type = corev1.LimitTypeContainer
	return solver.Problem{Bounds: []solver.Bound{{Source: "range", Item: item}}}
}

func ofPod(item corev1.LimitRangeItem) solver.Problem {
	item.Type = corev1.LimitTypePod
	return solver.Problem{Bounds: []solver.Bound{{Source: "range", Item: item}}}
}

func left(pairs ...string) solver.Problem {
	return solver.Problem{Budgets: []solver.Budget{{Source: "quota", Remaining: list(pairs...)}}}
}

func both(problems ...solver.Problem) (all solver.Problem) {
	for _, p := range problems {
		all.Bounds = append(all.Bounds, p.Bounds...)
		all.Budgets = append(all.Budgets, p.Budgets...)
	}
	return all
}

func TestSolve(t *testing.T) {
	type item = corev1.LimitRangeItem
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		p    solver.Problem
		want []string
	}{
		{"nothing is demanded", pod("app cpu - -"), solver.Problem{}, nil},
		{"a request needs no limit", pod("app cpu 1 -"), solver.Problem{}, nil},
		{"a limit without request", pod("app cpu - 1"), solver.Problem{}, []string{"container c-0: set the cpu request to 0"}},
		{"min", pod("app cpu - -"), ofContainer(item{Min: list("cpu", "100m")}), []string{"container c-0: set the cpu request to 100m"}},
		{"min beside a limit", pod("app cpu - 1"), ofContainer(item{Min: list("cpu", "1")}), []string{"container c-0: set the cpu request to 1"}},
		{"min finer than a thousandth", pod("app cpu - -"), ofContainer(item{Min: list("cpu", "100n")}), []string{"container c-0: set the cpu request to 1m"}},
		{"min of a fraction of a byte", pod("app memory - -"), ofContainer(item{Min: list("memory", "1500m")}), []string{"container c-0: set the memory request to 2"}},
		{"min below zero", pod("app cpu - -"), ofContainer(item{Min: list("cpu", "-1")}), []string{"container c-0: set the cpu request to 0"}},
		{"max", pod("app cpu - -", "app cpu 300m -"), ofContainer(item{Max: list("cpu", "1")}), []string{
			"container c-0: set the cpu request to 0", "container c-0: set the cpu limit to 0", "container c-1: set the cpu limit to 300m"}},
		{"max of nothing", pod("app cpu - -"), ofContainer(item{Max: list("example.com/gpu", "0")}), []string{
			"container c-0: set the example.com/gpu request to 0", "container c-0: set the example.com/gpu limit to 0"}},
		{"ratio", pod("app cpu - 1", "app cpu - -", "app cpu 2 -"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "3")}), []string{
			"container c-0: set the cpu request to 334m",
			"container c-1: set the cpu request to 1m", "container c-1: set the cpu limit to 1m",
			"container c-2: set the cpu limit to 2"}},
		{"ratio of bytes", pod("app memory - 1Gi"), ofContainer(item{MaxLimitRequestRatio: list("memory", "1.5")}), []string{
			"container c-0: set the memory request to 715827883"}},
		{"ratio of one", pod("app memory - 1Gi"), ofContainer(item{MaxLimitRequestRatio: list("memory", "1")}), []string{
			"container c-0: set the memory request to 1Gi"}},
		// 2007m / 1 · 1000 is above 2007 in the server's floats.
		{"ratio in the server's floats", pod("app cpu - 2007m"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2.007")}), []string{
			"container c-0: set the cpu request to 1001m"}},
		{"ratio beyond thousandths", pod("app memory - 9223372036854775807"), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")}), []string{
			"container c-0: set the memory request to 4Ei"}},
		{"a ratio beyond thousandths", pod("app memory - 9223372036854775806"), ofContainer(item{MaxLimitRequestRatio: list("memory", "9223372036854775807")}), []string{
			"container c-0: set the memory request to 1"}},
		{"default", pod("app cpu 200m -"), ofContainer(item{Default: list("cpu", "1")}), []string{"container c-0: set the cpu limit to 200m"}},
		{"default request", pod("app cpu - -"), ofContainer(item{DefaultRequest: list("cpu", "1")}), []string{"container c-0: set the cpu request to 0"}},
		{"default of a claim and of a pod", pod("app cpu - -"), both(
			ofPod(item{Default: list("cpu", "1"), DefaultRequest: list("cpu", "1")}),
			solver.Problem{Bounds: []solver.Bound{{Source: "range", Item: item{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", "1"), Default: list("cpu", "1")}}}},
		), nil},

		{"extended resources have limits", pod("app example.com/gpu 1 -", "app cpu - -"), solver.Problem{}, []string{
			"container c-0: set the example.com/gpu limit to 1"}},
		{"extended resources have requests", pod("app example.com/gpu - 1"), ofPod(item{Min: list("example.com/gpu", "1")}), []string{
			"container c-0: set the example.com/gpu request to 1"}},
		{"Pod min of an extended resource", pod("app cpu - -", "app cpu - -"), ofPod(item{Min: list("example.com/gpu", "2")}), []string{
			"container c-0: set the example.com/gpu request to 2", "container c-0: set the example.com/gpu limit to 2"}},
		{"Pod min of no extended resource", pod("app cpu - -", "app cpu - -"), ofPod(item{Min: list("example.com/gpu", "0")}), []string{
			"container c-0: set the example.com/gpu request to 0", "container c-0: set the example.com/gpu limit to 0"}},
		{"a native resource by its domain", pod("app kubernetes.io/foo 1 2"), solver.Problem{}, nil},
		{"hugepages by the page", pod("app hugepages-2Mi 2Mi 2Mi", "app hugepages-2Mi - -"), ofPod(item{Min: list("hugepages-2Mi", "5Mi")}), []string{
			"container c-1: set the hugepages-2Mi request to 4Mi", "container c-1: set the hugepages-2Mi limit to 4Mi"}},
		{"pages of no size", pod("app hugepages-2Ei - -"), ofPod(item{Min: list("hugepages-2Ei", "5", "hugepages-x", "3", "hugepages--1Mi", "2")}), []string{
			"container c-0: set the hugepages--1Mi request to 2", "container c-0: set the hugepages--1Mi limit to 2",
			"container c-0: set the hugepages-2Ei request to 5", "container c-0: set the hugepages-2Ei limit to 5",
			"container c-0: set the hugepages-x request to 3", "container c-0: set the hugepages-x limit to 3"}},
		{"fractions of a byte where some are stated", pod("app memory - 100m"), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")}), []string{
			"container c-0: set the memory request to 50m"}},

		{"quotas on cpu and memory", pod("app cpu - -", "init cpu - -"), left("cpu", "1", "limits.memory", "1Gi", "ephemeral-storage", "1"), []string{
			"init container c-1: set the cpu request to 0", "init container c-1: set the memory request to 0", "init container c-1: set the memory limit to 0",
			"container c-0: set the cpu request to 0", "container c-0: set the memory request to 0", "container c-0: set the memory limit to 0"}},
		{"quotas and a pod that states memory as a whole", whole(pod("app cpu - -"), list("memory", "1Gi"), nil), left("cpu", "1", "limits.cpu", "1"), nil},
		{"nothing fits where less than nothing is left", pod("app cpu - -"), left("cpu", "-1", "limits.cpu", "-1"), []string{
			"container c-0: set the cpu request to 0", "container c-0: set the cpu limit to 0"}},
		{"overhead costs no limits where there are none", overhead(pod("app ephemeral-storage 1 -"), list("ephemeral-storage", "1")), left("limits.ephemeral-storage", "0", "requests.ephemeral-storage", "2"), nil},
		{"what costs a pod nothing", pod("app cpu 1 -"), left("services", "0", "requests.storage", "0", "example.com/gpu", "0", "limits.example.com/gpu", "0"), nil},
		{"pods are left", pod("app cpu 1 -"), left("pods", "1", "count/pods", "1"), nil},

		{"Pod min goes to the first app container", pod("init cpu - -", "sidecar cpu - -", "app cpu 1 -", "app cpu - -", "app cpu - -"), ofPod(item{Min: list("cpu", "3")}), []string{
			"container c-3: set the cpu request to 2"}},
		{"and to the next, if that has a limit", pod("app cpu - 1", "app cpu - -", "app cpu - -"), ofPod(item{Min: list("cpu", "3")}), []string{
			"container c-0: set the cpu request to 1", "container c-1: set the cpu request to 2", "container c-1: set the cpu limit to 2"}},
		{"Pod min goes to what has limits already", pod("app cpu - -", "app cpu - 3"), both(ofPod(item{Min: list("cpu", "3")}), ofContainer(item{Max: list("cpu", "4")})), []string{
			"container c-0: set the cpu request to 0", "container c-0: set the cpu limit to 0", "container c-1: set the cpu request to 3"}},
		{"Pod min goes to an init container before a sidecar", pod("sidecar cpu - -", "init cpu - -", "app cpu 1 -"), ofPod(item{Min: list("cpu", "2")}), []string{
			"init container c-1: set the cpu request to 2"}},
		{"Pod min goes to the last sidecar", pod("sidecar cpu - -", "init cpu 1 -", "sidecar cpu - -", "app cpu 1 -"), ofPod(item{Min: list("cpu", "4")}), []string{
			"sidecar c-2: set the cpu request to 3"}},
		{"Pod min goes to a sidecar, and an init container beside it", pod("sidecar cpu - -", "init cpu 1 -", "app cpu 1 -"), ofPod(item{Min: list("cpu", "4")}), []string{
			"sidecar c-0: set the cpu request to 3"}},
		{"Pod min beside limits of some", pod("app cpu - 1", "app cpu - -"), ofPod(item{Min: list("cpu", "2")}), []string{
			"container c-0: set the cpu request to 1", "container c-1: set the cpu request to 1", "container c-1: set the cpu limit to 1"}},
		{"Pod max needs some limit", pod("app cpu 1 -", "app cpu - -"), ofPod(item{Max: list("cpu", "2")}), []string{
			"container c-1: set the cpu request to 0", "container c-1: set the cpu limit to 0"}},
		{"Pod ratio raises requests", pod("app cpu - 3", "app cpu - 3"), ofPod(item{MaxLimitRequestRatio: list("cpu", "1.5")}), []string{
			"container c-0: set the cpu request to 3", "container c-1: set the cpu request to 1"}},
		{"Pod ratio raises requests and limits", pod("app cpu 1 4", "app cpu - -"), both(ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}), ofContainer(item{Max: list("cpu", "4")})), []string{
			"container c-1: set the cpu request to 2", "container c-1: set the cpu limit to 2"}},
		{"Pod ratio needs both", pod("app cpu - -", "app cpu - -"), ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"container c-0: set the cpu request to 1m", "container c-0: set the cpu limit to 1m"}},

		{"the pod as a whole counts", whole(pod("app cpu 1 -"), list("cpu", "3"), nil), both(ofPod(item{Min: list("cpu", "3")}), left("requests.cpu", "3")), nil},
		{"a limit of the pod as a whole", whole(pod("app cpu 1 -"), nil, list("cpu", "3")), ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"pod: set the cpu request to 1500m"}},
		{"a limit of the pod as a whole, and what its containers request", whole(pod("app cpu 1 -"), nil, list("cpu", "3", "memory", "1Gi")), solver.Problem{}, []string{
			"pod: set the cpu request to 1", "pod: set the memory request to 0"}},
		{"what the server derives from a limit as a whole", whole(pod("app cpu 1 -"), nil, list("memory", "1Gi")), solver.Problem{}, []string{
			"pod: set the cpu request to 1", "pod: set the memory request to 0"}},
		{"hugepages as a whole", whole(pod("app hugepages-2Mi 2Mi -"), list("hugepages-2Mi", "4Mi"), nil), solver.Problem{}, []string{
			"container c-0: set the hugepages-2Mi limit to 2Mi", "pod: set the hugepages-2Mi limit to 4Mi"}},
		{"a limit of hugepages as a whole", whole(pod("app hugepages-2Mi 2Mi -"), nil, list("hugepages-2Mi", "4Mi")), both(ofPod(item{Max: list("hugepages-2Mi", "2Mi")}), left("hugepages-2Mi", "4Mi")), []string{
			"container c-0: set the hugepages-2Mi limit to 2Mi", "pod: set the hugepages-2Mi request to 4Mi"}},
		{"what cannot be stated as a whole", whole(pod("app cpu 1 -"), list("example.com/gpu", "4"), nil), left("requests.example.com/gpu", "0", "cpu", "1"), nil},
		{"limits beside a request as a whole", whole(pod("app cpu - -", "app cpu - -"), list("cpu", "2"), nil),
			both(ofPod(item{Min: list("cpu", "2")}), ofContainer(item{Max: list("cpu", "1500m"), MaxLimitRequestRatio: list("cpu", "2")})), []string{
				"container c-0: set the cpu request to 750m", "container c-0: set the cpu limit to 1500m",
				"container c-1: set the cpu request to 250m", "container c-1: set the cpu limit to 500m"}},

		{"amounts finer than a thousandth", pod("app cpu 100n 1500u"), solver.Problem{}, []string{
			"container c-0: round the cpu request from 100n up to 1m", "container c-0: round the cpu limit from 1500u up to 2m"}},
		{"amounts as a whole finer than a thousandth", whole(pod(), list("memory", "1n", "storage", "2u"), list("cpu", "100n", "memory", "1", "storage", "1500u")), solver.Problem{}, []string{
			"pod: set the cpu request to 0", "pod: round the cpu limit from 100n up to 1m", "pod: round the memory request from 1n up to 1m",
			"pod: round the storage request from 2u up to 1m", "pod: round the storage limit from 1500u up to 2m"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			solution, err := solver.Solve(test.spec, test.p)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range solution.Changes {
				got = append(got, c.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestContradictions(t *testing.T) {
	type item = corev1.LimitRangeItem
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		p    solver.Problem
		want string
	}{
		{"request above limit", pod("app cpu 2 1"), solver.Problem{},
			"cpu: nothing satisfies all of: container c-0: request cpu 2; container c-0: limit cpu 1"},
		{"request beside another limit", pod("app example.com/gpu 1 2"), solver.Problem{},
			"example.com/gpu: nothing satisfies all of: container c-0: request example.com/gpu 1; container c-0: limit example.com/gpu 2"},
		{"a request below zero", pod("app cpu -1 1"), solver.Problem{}, "cpu: nothing satisfies container c-0: request cpu -1"},
		{"overhead below zero", overhead(pod(), list("cpu", "-1m")), solver.Problem{}, "cpu: nothing satisfies pod: overhead cpu -1m"},
		{"a maximum below zero", pod("app cpu - -"), ofContainer(item{Max: list("cpu", "-1")}), "cpu: nothing satisfies range: Container max cpu -1"},
		{"a minimum", pod("sidecar cpu 1 -"), ofContainer(item{Min: list("cpu", "1001m")}),
			"cpu: nothing satisfies all of: range: Container min cpu 1001m; sidecar c-0: request cpu 1"},
		{"a minimum of limits", pod("init cpu - 1"), ofContainer(item{Min: list("cpu", "1001m")}),
			"cpu: nothing satisfies all of: range: Container min cpu 1001m; init container c-0: limit cpu 1"},
		{"ratio below one", pod("app cpu - -"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "999m")}),
			"cpu: nothing satisfies range: Container maxLimitRequestRatio cpu 999m"},
		{"ratio of zero", pod("app cpu 1 1"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "0")}),
			"cpu: nothing satisfies range: Container maxLimitRequestRatio cpu 0"},
		{"ratio below zero", pod("app cpu 1 1"), ofPod(item{MaxLimitRequestRatio: list("cpu", "-2")}),
			"cpu: nothing satisfies range: Pod maxLimitRequestRatio cpu -2"},
		{"ratio of zero limits", pod("app cpu - 0"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2")}),
			"cpu: nothing satisfies all of: range: Container maxLimitRequestRatio cpu 2; container c-0: limit cpu 0"},
		{"ratio", pod("app cpu 1 2001m"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2")}),
			"cpu: nothing satisfies all of: range: Container maxLimitRequestRatio cpu 2; container c-0: request cpu 1; container c-0: limit cpu 2001m"},
		{"ratio in the server's floats", pod("app cpu 1 2007m"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2.007")}),
			"cpu: nothing satisfies all of: range: Container maxLimitRequestRatio cpu 2.007; container c-0: request cpu 1; container c-0: limit cpu 2007m"},
		{"min above max", pod("app cpu - -"), both(ofContainer(item{Min: list("cpu", "2")}), ofContainer(item{Max: list("cpu", "1")})),
			"cpu: nothing satisfies all of: range: Container min cpu 2; range: Container max cpu 1"},
		{"bounds without a whole byte", pod("app memory - -"), ofContainer(item{Min: list("memory", "1100m"), Max: list("memory", "1900m")}),
			"memory: nothing satisfies all of: range: Container min memory 1100m; range: Container max memory 1900m"},
		{"Pod min above what containers may have", pod("app cpu - -", "app cpu - -"), both(ofPod(item{Min: list("cpu", "2001m")}), ofContainer(item{Max: list("cpu", "1")})),
			"cpu: nothing satisfies all of: range: Pod min cpu 2001m; range: Container max cpu 1"},
		{"Pod bounds without containers", pod(), ofPod(item{Min: list("cpu", "0"), Max: list("memory", "1"), MaxLimitRequestRatio: list("ephemeral-storage", "2")}),
			"cpu: nothing satisfies range: Pod min cpu 0\nephemeral-storage: nothing satisfies range: Pod maxLimitRequestRatio ephemeral-storage 2\nmemory: nothing satisfies range: Pod max memory 1"},
		{"a default that would be filled in", pod("app ephemeral-storage 2 -"), both(ofContainer(item{Default: list("ephemeral-storage", "3")}), left("limits.ephemeral-storage", "1")),
			"ephemeral-storage: nothing satisfies all of: range: Container default ephemeral-storage 3; quota: limits.ephemeral-storage 1 left; container c-0: request ephemeral-storage 2"},
		{"quota and overhead", overhead(pod("app cpu 1 -"), list("cpu", "100m")), left("requests.cpu", "1"),
			"cpu: nothing satisfies all of: quota: requests.cpu 1 left; pod: overhead cpu 100m; container c-0: request cpu 1"},
		{"quota on limits and overhead", overhead(pod("app cpu - 1"), list("cpu", "100m")), left("limits.cpu", "1"),
			"cpu: nothing satisfies all of: quota: limits.cpu 1 left; pod: overhead cpu 100m; container c-0: limit cpu 1"},
		{"quota on limits that every container must have", pod("app cpu 2 -"), left("limits.cpu", "1"),
			"cpu: nothing satisfies all of: quota: limits.cpu 1 left; container c-0: request cpu 2"},
		{"less than nothing is left", pod("app cpu 1m -"), left("cpu", "-1"),
			"cpu: nothing satisfies all of: quota: cpu -1 left; container c-0: request cpu 1m"},
		{"no pods left", pod(), left("count/pods", "0", "pods", "0.5"), "pods: nothing satisfies quota: count/pods 0 left"},
		{"half a pod left", pod(), left("pods", "0.5"), "pods: nothing satisfies quota: pods 500m left"},
		{"the tightest of a hundred", pod("app cpu 2 -"), hundred(),
			"cpu: nothing satisfies all of: range-50: Container max cpu 1; container c-0: request cpu 2"},
		{"duplicate types in one object", pod("app cpu - -"), both(ofContainer(item{Min: list("cpu", "2")}), ofContainer(item{Min: list("cpu", "3")}), ofContainer(item{Max: list("cpu", "2500m")})),
			"cpu: nothing satisfies all of: range: Container min cpu 3; range: Container max cpu 2500m"},
		{"fewer constraints first", pod("app cpu 2 1", "app memory -1 -"), solver.Problem{},
			"memory: nothing satisfies container c-1: request memory -1\ncpu: nothing satisfies all of: container c-0: request cpu 2; container c-0: limit cpu 1"},
		{"the pod as a whole below its containers", whole(pod("app cpu 2 -"), list("cpu", "1"), nil), solver.Problem{},
			"cpu: nothing satisfies all of: pod: request cpu 1; container c-0: request cpu 2"},
		{"an app container above the limit as a whole", whole(pod("app cpu 0 2"), nil, list("cpu", "1")), solver.Problem{},
			"cpu: nothing satisfies all of: pod: limit cpu 1; container c-0: limit cpu 2"},
		{"hugepages as a whole that differ", whole(pod(), list("hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "4Mi")), solver.Problem{},
			"hugepages-2Mi: nothing satisfies all of: pod: request hugepages-2Mi 2Mi; pod: limit hugepages-2Mi 4Mi"},
		{"hugepages as a whole above a quota", whole(pod(), list("hugepages-2Mi", "4Mi"), nil), left("requests.hugepages-2Mi", "2Mi"),
			"hugepages-2Mi: nothing satisfies all of: quota: requests.hugepages-2Mi 2Mi left; pod: request hugepages-2Mi 4Mi"},
		{"beyond what can be stated", pod("app cpu 9223372036854775807 -"), ofContainer(item{Min: list("cpu", "9223372036854775807"), Max: list("cpu", "9E")}),
			"cpu: nothing satisfies all of: range: Container min cpu 9223372036854775807; range: Container max cpu 9E"},
	} {
		t.Run(test.name, func(t *testing.T) {
			solution, err := solver.Solve(test.spec, test.p)
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if len(solution.Parts) > 0 || len(solution.Changes) > 0 {
				t.Errorf("a solution beside the error: %v", solution)
			}
			var found solver.Contradictions
			if errors.As(err, &found) && !found[0].Smallest {
				t.Error("not proven to be smallest")
			}
		})
	}
}

// hundred returns bounds of which number 50 is the tightest, and shares that with 51.
func hundred() solver.Problem {
	var p solver.Problem
	for i := range 100 {
		most := max(50-i, i-51, 0) + 1
		p.Bounds = append(p.Bounds, solver.Bound{Source: fmt.Sprint("range-", i), Item: corev1.LimitRangeItem{
			Type: corev1.LimitTypeContainer, Max: list("cpu", fmt.Sprint(most)),
		}})
	}
	return p
}

// What adds up to more than is left is the fewest: the largest amounts. Of equal ones, it is
// the first.
func TestContradictionOfManyContainers(t *testing.T) {
	sized := func(n int) *corev1.PodSpec {
		spec := &corev1.PodSpec{}
		for i := range n {
			spec.Containers = append(spec.Containers, testkit.Container(fmt.Sprint("c-", i), list("cpu", fmt.Sprint(100+i*10, "m")), nil))
		}
		return spec
	}
	equal := sized(10)
	for i := range equal.Containers {
		equal.Containers[i].Resources.Requests = list("cpu", "100m")
	}
	for _, test := range []struct {
		name     string
		spec     *corev1.PodSpec
		left     string
		count    int
		first    string
		smallest bool
	}{
		{"ten equal", equal, "550m", 7, "container c-0: request cpu 100m", true},
		{"ten of several sizes", sized(10), "300m", 3, "container c-2: request cpu 120m", true},
		{"a hundred", sized(100), "20", 22, "container c-79: request cpu 890m", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := solver.Solve(test.spec, left("requests.cpu", test.left))
			var found solver.Contradictions
			if !errors.As(err, &found) || len(found) != 1 {
				t.Fatal(err)
			}
			got := found[0]
			if len(got.Constraints) != test.count || got.Constraints[1].String() != test.first || got.Smallest != test.smallest {
				t.Errorf("%d constraints, from %v, smallest %v: want %d, %s, %v", len(got.Constraints), got.Constraints[1], got.Smallest, test.count, test.first, test.smallest)
			}
			if want := "quota: requests.cpu " + test.left + " left"; got.Constraints[0].String() != want {
				t.Errorf("first is %v, want %s", got.Constraints[0], want)
			}
		})
	}
}

func TestNil(t *testing.T) {
	none := solver.Solution{}
	for _, spec := range []*corev1.PodSpec{nil, {}} {
		for _, p := range []solver.Problem{{}, ofContainer(corev1.LimitRangeItem{Min: list("cpu", "1"), MaxLimitRequestRatio: list("cpu", "0")}), left("cpu", "0"), {Bounds: []solver.Bound{{Item: corev1.LimitRangeItem{Type: "Pod"}}}}} {
			solution, err := solver.Solve(spec, p)
			if diff := cmp.Diff(none, solution); diff != "" || err != nil {
				t.Errorf("%v %s", err, diff)
			}
			if changes, err := solver.Apply(spec, p); changes != nil || err != nil {
				t.Errorf("%v %v", changes, err)
			}
		}
	}
}

func TestTypedAnswers(t *testing.T) {
	quantity := resource.MustParse
	solution, err := solver.Solve(pod("app cpu 1500u -"), ofContainer(corev1.LimitRangeItem{Default: list("cpu", "1")}))
	if err != nil {
		t.Fatal(err)
	}
	app := computeresources.Ref{Kind: computeresources.App, Name: "c-0"}
	from := quantity("1500u")
	want := solver.Solution{
		Parts: []solver.Part{{Ref: app, Requests: list("cpu", "2m"), Limits: list("cpu", "2m")}},
		Changes: []solver.Change{
			{Ref: app, Resource: "cpu", To: quantity("2m"), From: &from},
			{Ref: app, Limit: true, Resource: "cpu", To: quantity("2m")},
		},
	}
	if diff := cmp.Diff(want, solution); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_, err = solver.Solve(pod("app cpu 2 -"), both(left("limits.cpu", "1"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "3")})))
	wantErr := solver.Contradictions{{Resource: "cpu", Smallest: true, Constraints: []solver.Constraint{
		{Rule: solver.Quota, Source: "quota", Resource: "limits.cpu", Value: quantity("1")},
		{Rule: solver.Request, Ref: app, Resource: "cpu", Value: quantity("2")},
	}}}
	if diff := cmp.Diff(error(wantErr), err); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_, err = solver.Solve(pod("app cpu 4 -"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "3")}))
	wantErr = solver.Contradictions{{Resource: "cpu", Smallest: true, Constraints: []solver.Constraint{
		{Rule: solver.Maximum, Source: "range", Type: corev1.LimitTypePod, Resource: "cpu", Value: quantity("3")},
		{Rule: solver.Request, Ref: app, Resource: "cpu", Value: quantity("4")},
	}}}
	if diff := cmp.Diff(error(wantErr), err); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRuleString(t *testing.T) {
	want := []string{"min", "max", "maxLimitRequestRatio", "default", "defaultRequest", "quota", "overhead", "request", "limit", "unknown"}
	for rule, name := range want {
		if got := solver.Rule(rule).String(); got != name {
			t.Errorf("rule %d is %q, want %q", rule, got, name)
		}
	}
}

func TestInputError(t *testing.T) {
	huge := corev1.ResourceList{"cpu": resource.MustParse("1e1000000000")}
	beyond := corev1.ResourceList{"cpu": *resource.NewScaledQuantity(9223372036854775807, 1)}
	just := corev1.ResourceList{"cpu": resource.MustParse("9223372036854775807")}
	just.Cpu().Add(resource.MustParse("1m"))
	over := just["cpu"]
	over.Add(resource.MustParse("1"))
	just["cpu"] = over
	const tooLarge = " is beyond 9223372036854775807, the largest amount that Kubernetes compares"
	for _, amounts := range []corev1.ResourceList{huge, beyond, just} {
		bound := func(item corev1.LimitRangeItem) solver.Problem { return ofContainer(item) }
		for _, test := range []struct {
			spec *corev1.PodSpec
			p    solver.Problem
			want string
		}{
			{nil, bound(corev1.LimitRangeItem{Min: amounts}), "range: Container min[cpu]"},
			{nil, bound(corev1.LimitRangeItem{Max: amounts}), "range: Container max[cpu]"},
			{nil, bound(corev1.LimitRangeItem{MaxLimitRequestRatio: amounts}), "range: Container maxLimitRequestRatio[cpu]"},
			{nil, bound(corev1.LimitRangeItem{Default: amounts}), "range: Container default[cpu]"},
			{nil, bound(corev1.LimitRangeItem{DefaultRequest: amounts}), "range: Container defaultRequest[cpu]"},
			{nil, ofPod(corev1.LimitRangeItem{Max: amounts}), "range: Pod max[cpu]"},
			{nil, solver.Problem{Budgets: []solver.Budget{{Source: "quota", Remaining: amounts}}}, "quota: remaining[cpu]"},
			{overhead(pod(), amounts), solver.Problem{}, "pod: overhead[cpu]"},
			{whole(pod(), amounts, nil), solver.Problem{}, "pod: requests[cpu]"},
			{whole(pod(), nil, amounts), solver.Problem{}, "pod: limits[cpu]"},
			{&corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", amounts, nil)}}, solver.Problem{}, "container c: requests[cpu]"},
			{&corev1.PodSpec{InitContainers: []corev1.Container{testkit.Container("c", nil, amounts)}}, solver.Problem{}, "init container c: limits[cpu]"},
			{overhead(whole(pod(), nil, amounts), amounts), bound(corev1.LimitRangeItem{Max: amounts}), "pod: limits[cpu]"},
		} {
			_, err := solver.Solve(test.spec, test.p)
			var input *solver.InputError
			if !errors.As(err, &input) || err.Error() != test.want+tooLarge {
				t.Errorf("got  %v\nwant %s", err, test.want+tooLarge)
			}
		}
	}
	unknown := solver.Problem{}
	for _, kind := range []corev1.LimitType{"Pod", "Node", "", "container"} {
		unknown.Bounds = append(unknown.Bounds, solver.Bound{Source: "range " + string(kind), Item: corev1.LimitRangeItem{Type: kind}})
	}
	_, err := solver.Apply(pod("app cpu - -"), unknown)
	if want := `range : type "" is not Container, Pod or PersistentVolumeClaim`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if diff := cmp.Diff(error(&solver.InputError{Source: "range ", Field: "type"}), err); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Amounts at the ends of their range, and too small to be counted, have an answer.
func TestAmountsAtTheEnds(t *testing.T) {
	for _, test := range []struct{ min, want string }{
		{"9223372036854775807", "9223372036854775807"},
		{"9223372036854775", "9223372036854775"},
		{"9223372036854775.8", "9223372036854775800m"},
		{"9223372036854776", "9223372036854776"},
		{"1E", "1000000000000000000"},
		{"1n", "1m"},
	} {
		solution, err := solver.Solve(pod("app cpu - -"), ofContainer(corev1.LimitRangeItem{Min: list("cpu", test.min)}))
		if err != nil {
			t.Error(err)
			continue
		}
		want := resource.MustParse(test.want)
		if got := solution.Changes[0].To; got.Cmp(want) != 0 {
			t.Errorf("min %s gives %s, want %s", test.min, got.String(), want.String())
		}
	}
	// What counts for nothing stays as it is.
	ignored := whole(pod(), corev1.ResourceList{"storage": resource.MustParse("1e1000000000")}, nil)
	if changes, err := solver.Apply(ignored, solver.Problem{}); changes != nil || err != nil {
		t.Errorf("%v %v", changes, err)
	}
	least := corev1.ResourceList{"cpu": *resource.NewScaledQuantity(1, -1000000000)}
	changes, err := solver.Apply(&corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", least, nil)}}, solver.Problem{})
	if err != nil || len(changes) != 1 || changes[0].To.String() != "1m" {
		t.Errorf("%v %v", changes, err)
	}
	tiny := *resource.NewScaledQuantity(1, -1000)
	solution, err := solver.Solve(pod("app cpu - -"), ofContainer(corev1.LimitRangeItem{Min: corev1.ResourceList{"cpu": tiny}}))
	if err != nil || solution.Changes[0].To.String() != "1m" {
		t.Errorf("%v %v", solution.Changes, err)
	}
}
