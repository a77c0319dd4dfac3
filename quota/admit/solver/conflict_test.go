package solver_test

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestContradictions(t *testing.T) {
	type item = corev1.LimitRangeItem
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		p    solver.Objects
		want string
	}{
		{"request above limit", pod("app cpu 2 1"), solver.Objects{},
			"cpu: no amount satisfies all of: container c-0 cpu request 2; container c-0 cpu limit 1"},
		{"a request of an extended resource that differs from its limit", pod("app example.com/gpu 1 2"), solver.Objects{},
			"example.com/gpu: no amount satisfies all of: container c-0 example.com/gpu request 1; container c-0 example.com/gpu limit 2"},
		{"a request below zero", pod("app cpu -1 1"), solver.Objects{}, "cpu: no amount satisfies all of: container c-0 cpu request -1"},
		{"overhead below zero", overhead(pod(), list("cpu", "-1m")), solver.Objects{}, "cpu: no amount satisfies all of: pod cpu overhead -1m"},
		{"a maximum below zero", pod("app cpu - -"), ofContainer(item{Max: list("cpu", "-1")}), "cpu: no amount satisfies all of: Container cpu max -1 of range"},
		{"a minimum", pod("sidecar cpu 1 -"), ofContainer(item{Min: list("cpu", "1001m")}),
			"cpu: no amount satisfies all of: Container cpu min 1001m of range; sidecar c-0 cpu request 1"},
		{"a minimum of limits", pod("init cpu - 1"), ofContainer(item{Min: list("cpu", "1001m")}),
			"cpu: no amount satisfies all of: Container cpu min 1001m of range; init container c-0 cpu limit 1"},
		{"ratio below one", pod("app cpu - -"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "999m")}),
			"cpu: no amount satisfies all of: Container cpu maxLimitRequestRatio 999m of range"},
		{"ratio of zero", pod("app cpu 1 1"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "0")}),
			"cpu: no amount satisfies all of: Container cpu maxLimitRequestRatio 0 of range"},
		{"ratio below zero", pod("app cpu 1 1"), ofPod(item{MaxLimitRequestRatio: list("cpu", "-2")}),
			"cpu: no amount satisfies all of: Pod cpu maxLimitRequestRatio -2 of range"},
		{"ratio of zero limits", pod("app cpu - 0"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2")}),
			"cpu: no amount satisfies all of: Container cpu maxLimitRequestRatio 2 of range; container c-0 cpu limit 0"},
		{"ratio", pod("app cpu 1 2001m"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2")}),
			"cpu: no amount satisfies all of: Container cpu maxLimitRequestRatio 2 of range; container c-0 cpu request 1; container c-0 cpu limit 2001m"},
		{"ratio in the server's floats", pod("app cpu 1 2007m"), ofContainer(item{MaxLimitRequestRatio: list("cpu", "2.007")}),
			"cpu: no amount satisfies all of: Container cpu maxLimitRequestRatio 2.007 of range; container c-0 cpu request 1; container c-0 cpu limit 2007m"},
		{"min above max", pod("app cpu - -"), both(ofContainer(item{Min: list("cpu", "2")}), ofContainer(item{Max: list("cpu", "1")})),
			"cpu: no amount satisfies all of: Container cpu min 2 of range; Container cpu max 1 of range"},
		{"bounds without a whole byte", pod("app memory - -"), ofContainer(item{Min: list("memory", "1100m"), Max: list("memory", "1900m")}),
			"memory: no amount satisfies all of: Container memory min 1100m of range; Container memory max 1900m of range"},
		{"Pod min above what containers may have", pod("app cpu - -", "app cpu - -"), both(ofPod(item{Min: list("cpu", "2001m")}), ofContainer(item{Max: list("cpu", "1")})),
			"cpu: no amount satisfies all of: Pod cpu min 2001m of range; Container cpu max 1 of range"},
		{"Pod bounds without containers", pod(), ofPod(item{Min: list("cpu", "0"), Max: list("memory", "1"), MaxLimitRequestRatio: list("ephemeral-storage", "2")}),
			"cpu: no amount satisfies all of: Pod cpu min 0 of range\nephemeral-storage: no amount satisfies all of: Pod ephemeral-storage maxLimitRequestRatio 2 of range\nmemory: no amount satisfies all of: Pod memory max 1 of range"},
		{"a default limit", pod("app ephemeral-storage 2 -"), both(ofContainer(item{Default: list("ephemeral-storage", "3")}), left("limits.ephemeral-storage", "1")),
			"ephemeral-storage: no amount satisfies all of: Container ephemeral-storage default 3 of range; limits.ephemeral-storage remaining 1 of quota; container c-0 ephemeral-storage request 2"},
		{"quota and overhead", overhead(pod("app cpu 1 -"), list("cpu", "100m")), left("requests.cpu", "1"),
			"cpu: no amount satisfies all of: requests.cpu remaining 1 of quota; pod cpu overhead 100m; container c-0 cpu request 1"},
		{"quota on limits and overhead", overhead(pod("app cpu - 1"), list("cpu", "100m")), left("limits.cpu", "1"),
			"cpu: no amount satisfies all of: limits.cpu remaining 1 of quota; pod cpu overhead 100m; container c-0 cpu limit 1"},
		{"quota on limits that every container must have", pod("app cpu 2 -"), left("limits.cpu", "1"),
			"cpu: no amount satisfies all of: limits.cpu remaining 1 of quota; container c-0 cpu request 2"},
		{"a negative amount remains", pod("app cpu 1m -"), left("cpu", "-1"),
			"cpu: no amount satisfies all of: cpu remaining -1 of quota; container c-0 cpu request 1m"},
		{"no pods left", pod(), left("count/pods", "0", "pods", "0.5"), "pods: no amount satisfies all of: count/pods remaining 0 of quota"},
		{"half a pod left", pod(), left("pods", "0.5"), "pods: no amount satisfies all of: pods remaining 500m of quota"},
		{"the tightest of a hundred", pod("app cpu 2 -"), hundred(),
			"cpu: no amount satisfies all of: Container cpu max 1 of range-50; container c-0 cpu request 2"},
		{"duplicate types in one object", pod("app cpu - -"), both(ofContainer(item{Min: list("cpu", "2")}), ofContainer(item{Min: list("cpu", "3")}), ofContainer(item{Max: list("cpu", "2500m")})),
			"cpu: no amount satisfies all of: Container cpu min 3 of range; Container cpu max 2500m of range"},
		{"fewer constraints first", pod("app cpu 2 1", "app memory -1 -"), solver.Objects{},
			"memory: no amount satisfies all of: container c-1 memory request -1\ncpu: no amount satisfies all of: container c-0 cpu request 2; container c-0 cpu limit 1"},
		{"pod-level request below those of the containers", whole(pod("app cpu 2 -"), list("cpu", "1"), nil), solver.Objects{},
			"cpu: no amount satisfies all of: pod cpu request 1; container c-0 cpu request 2"},
		{"an app container above the pod-level limit", whole(pod("app cpu 0 2"), nil, list("cpu", "1")), solver.Objects{},
			"cpu: no amount satisfies all of: pod cpu limit 1; container c-0 cpu limit 2"},
		{"a ratio that requires limits without remaining quota, and a pod-level request of zero", whole(pod("app cpu 0 0"), list("cpu", "0"), list("cpu", "0")),
			both(ofContainer(item{Min: list("cpu", "0"), Default: list("cpu", "0"), DefaultRequest: list("cpu", "0")}), ofPod(item{Min: list("cpu", "0"), MaxLimitRequestRatio: list("cpu", "1")}), left("limits.cpu", "0")),
			"cpu: no amount satisfies all of: Pod cpu maxLimitRequestRatio 1 of range; limits.cpu remaining 0 of quota"},
		{"pod-level hugepages that differ", whole(pod(), list("hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "4Mi")), solver.Objects{},
			"hugepages-2Mi: no amount satisfies all of: pod hugepages-2Mi request 2Mi; pod hugepages-2Mi limit 4Mi"},
		{"pod-level hugepages above a quota", whole(pod(), list("hugepages-2Mi", "4Mi"), nil), left("requests.hugepages-2Mi", "2Mi"),
			"hugepages-2Mi: no amount satisfies all of: requests.hugepages-2Mi remaining 2Mi of quota; pod hugepages-2Mi request 4Mi"},
		{"pod-level hugepages and overhead above a quota", overhead(whole(pod(), list("hugepages-2Mi", "4Mi"), nil), list("hugepages-2Mi", "2Mi")), left("requests.hugepages-2Mi", "4Mi"),
			"hugepages-2Mi: no amount satisfies all of: requests.hugepages-2Mi remaining 4Mi of quota; pod hugepages-2Mi overhead 2Mi; pod hugepages-2Mi request 4Mi"},
		{"a pod-level request and overhead above a quota", overhead(whole(pod(), list("cpu", "1"), nil), list("cpu", "100m")), left("requests.cpu", "1"),
			"cpu: no amount satisfies all of: requests.cpu remaining 1 of quota; pod cpu overhead 100m; pod cpu request 1"},
		{"a pod-level limit and overhead above a quota", overhead(whole(pod(), nil, list("cpu", "1")), list("cpu", "100m")), left("limits.cpu", "1"),
			"cpu: no amount satisfies all of: limits.cpu remaining 1 of quota; pod cpu overhead 100m; pod cpu limit 1"},
		{"a Pod ratio of the pod-level request, and the limits of containers", whole(pod("app cpu 1 3"), list("cpu", "1"), nil), ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}),
			"cpu: no amount satisfies all of: Pod cpu maxLimitRequestRatio 2 of range; pod cpu request 1; container c-0 cpu limit 3"},
		{"a request above a Pod max, and limits that a pod-level limit allows", whole(pod("app cpu 5m 2m", "init cpu 3m -", "sidecar cpu - 5m"), nil, list("cpu", "2m")),
			both(ofPod(item{Max: list("cpu", "3m")}), ofContainer(item{Min: list("cpu", "1m"), Max: list("cpu", "5m"), MaxLimitRequestRatio: list("cpu", "2")}), left("limits.cpu", "6m")),
			"cpu: no amount satisfies all of: Pod cpu max 3m of range; container c-0 cpu request 5m"},
		{"a pod-level ratio, and a maximum that a smaller pod-level limit meets", whole(pod("app cpu - 2", "app cpu - 2"), list("cpu", "1"), list("cpu", "3")), ofPod(item{Max: list("cpu", "3"), MaxLimitRequestRatio: list("cpu", "2")}),
			"cpu: no amount satisfies all of: Pod cpu maxLimitRequestRatio 2 of range; pod cpu request 1; pod cpu limit 3"},
		{"a ratio of pods, and a pod that is left", pod("app cpu - -"), both(ofContainer(item{MaxLimitRequestRatio: list("pods", "0.5")}), left("pods", "1")),
			"pods: no amount satisfies all of: Container pods maxLimitRequestRatio 500m of range"},
		{"a pod-level ratio, and limits that a pod-level limit would bound", whole(pod("app memory 0 4", "app memory 0 4"), list("memory", "1"), list("memory", "5")), ofPod(item{Max: list("memory", "5"), MaxLimitRequestRatio: list("memory", "2")}),
			"memory: no amount satisfies all of: Pod memory maxLimitRequestRatio 2 of range; pod memory request 1; pod memory limit 5"},
		{"a request that allows no limit of that size", whole(pod("app memory 1 -"), list("memory", "4"), nil), in136(both(ofPod(item{Min: list("memory", "4")}), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")}))),
			"memory: no amount satisfies all of: Pod memory min 4 of range; Container memory maxLimitRequestRatio 2 of range; container c-0 memory request 1"},
		{"a pod-level request that becomes a limit beyond a quota", whole(pod("app cpu 1 -"), list("cpu", "4"), nil), both(ofContainer(item{Max: list("cpu", "2")}), left("limits.cpu", "3")),
			"cpu: no amount satisfies all of: Container cpu max 2 of range; limits.cpu remaining 3 of quota; pod cpu request 4"},
		{"a bound beyond int64", pod("app cpu 9223372036854775807 -"), ofContainer(item{Min: list("cpu", "9223372036854775807"), Max: list("cpu", "9E")}),
			"cpu: no amount satisfies all of: Container cpu min 9223372036854775807 of range; Container cpu max 9E of range"},
	} {
		t.Run(test.name, func(t *testing.T) {
			solution, err := solver.SolveObjects(test.spec, test.p)
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if len(solution.Parts) > 0 || len(solution.Changes) > 0 {
				t.Errorf("a solution beside the error: %v", solution)
			}
			var found *solver.ConflictError
			if errors.As(err, &found) && found.Conflicts[0].NotSmallest {
				t.Error("not proven to be smallest")
			}
		})
	}
}

// hundred returns bounds. Number 50 and number 51 are the tightest.
func hundred() solver.Objects {
	var p solver.Objects
	for i := range 100 {
		most := max(50-i, i-51, 0) + 1
		p.Items = append(p.Items, solver.RangeItem{Source: source(fmt.Sprint("range-", i)), Item: corev1.LimitRangeItem{
			Type: corev1.LimitTypeContainer, Max: list("cpu", fmt.Sprint(most)),
		}})
	}
	return p
}

// The conflict has the fewest amounts that exceed the remaining quota, which are the largest ones. Of
// equal ones, it has the first.
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
		{"ten equal", equal, "550m", 7, "container c-0 cpu request 100m", true},
		{"ten of several sizes", sized(10), "300m", 3, "container c-2 cpu request 120m", true},
		{"a hundred", sized(100), "20", 22, "container c-79 cpu request 890m", false},
		{"a hundred, and an overhead that is smaller than each", overhead(sized(100), list("cpu", "50m")), "19940m", 22, "container c-79 cpu request 890m", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := solver.SolveObjects(test.spec, left("requests.cpu", test.left))
			var found *solver.ConflictError
			if !errors.As(err, &found) || len(found.Conflicts) != 1 {
				t.Fatal(err)
			}
			got := found.Conflicts[0]
			if len(got.Values) != test.count || got.Values[1].String() != test.first || got.NotSmallest == test.smallest {
				t.Errorf("%d constraints, from %v, smallest %v: want %d, %s, %v", len(got.Values), got.Values[1], !got.NotSmallest, test.count, test.first, test.smallest)
			}
			if want := "requests.cpu remaining " + test.left + " of quota"; got.Values[0].String() != want {
				t.Errorf("first is %v, want %s", got.Values[0], want)
			}
		})
	}
}

// A smaller set of large amounts is found with the bound that makes it a conflict, not with the other.
func TestContradictionKeepsTheTighterBound(t *testing.T) {
	spec := &corev1.PodSpec{}
	for i := range 100 {
		spec.Containers = append(spec.Containers, testkit.Container(fmt.Sprint("c-", i), list("cpu", fmt.Sprint(100+i*37%100*10, "m")), nil))
	}
	for _, test := range []struct{ most, left, want string }{
		{"20", "19", "requests.cpu remaining 19 of quota"},
		{"19", "20", "Pod cpu max 19 of range"},
		{"19", "19", "Pod cpu max 19 of range"},
	} {
		_, err := solver.SolveObjects(spec, both(ofPod(corev1.LimitRangeItem{Max: list("cpu", test.most)}), left("requests.cpu", test.left)))
		var found *solver.ConflictError
		if !errors.As(err, &found) || len(found.Conflicts) != 1 {
			t.Fatal(err)
		}
		got := found.Conflicts[0].Values
		if len(got) != 21 || got[0].String() != test.want {
			t.Errorf("%d constraints, %v first; want 21, %s first", len(got), got[0], test.want)
		}
		for _, c := range got[1:] {
			if c.Amount.MilliValue() < 900 {
				t.Errorf("%v is not one of the largest", c)
			}
		}
	}
}
