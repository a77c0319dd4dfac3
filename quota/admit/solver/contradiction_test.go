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
		p    solver.Input
		want string
	}{
		{"request above limit", pod("app cpu 2 1"), solver.Input{},
			"cpu: nothing satisfies all of: container c-0: request cpu 2; container c-0: limit cpu 1"},
		{"request beside another limit", pod("app example.com/gpu 1 2"), solver.Input{},
			"example.com/gpu: nothing satisfies all of: container c-0: request example.com/gpu 1; container c-0: limit example.com/gpu 2"},
		{"a request below zero", pod("app cpu -1 1"), solver.Input{}, "cpu: nothing satisfies container c-0: request cpu -1"},
		{"overhead below zero", overhead(pod(), list("cpu", "-1m")), solver.Input{}, "cpu: nothing satisfies pod: overhead cpu -1m"},
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
		{"fewer constraints first", pod("app cpu 2 1", "app memory -1 -"), solver.Input{},
			"memory: nothing satisfies container c-1: request memory -1\ncpu: nothing satisfies all of: container c-0: request cpu 2; container c-0: limit cpu 1"},
		{"the pod as a whole below its containers", whole(pod("app cpu 2 -"), list("cpu", "1"), nil), solver.Input{},
			"cpu: nothing satisfies all of: pod: request cpu 1; container c-0: request cpu 2"},
		{"an app container above the limit as a whole", whole(pod("app cpu 0 2"), nil, list("cpu", "1")), solver.Input{},
			"cpu: nothing satisfies all of: pod: limit cpu 1; container c-0: limit cpu 2"},
		{"a ratio that needs limits, of which none are left, beside nothing as a whole", whole(pod("app cpu 0 0"), list("cpu", "0"), list("cpu", "0")),
			both(ofContainer(item{Min: list("cpu", "0"), Default: list("cpu", "0"), DefaultRequest: list("cpu", "0")}), ofPod(item{Min: list("cpu", "0"), MaxLimitRequestRatio: list("cpu", "1")}), left("limits.cpu", "0")),
			"cpu: nothing satisfies all of: range: Pod maxLimitRequestRatio cpu 1; quota: limits.cpu 0 left"},
		{"hugepages as a whole that differ", whole(pod(), list("hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "4Mi")), solver.Input{},
			"hugepages-2Mi: nothing satisfies all of: pod: request hugepages-2Mi 2Mi; pod: limit hugepages-2Mi 4Mi"},
		{"hugepages as a whole above a quota", whole(pod(), list("hugepages-2Mi", "4Mi"), nil), left("requests.hugepages-2Mi", "2Mi"),
			"hugepages-2Mi: nothing satisfies all of: quota: requests.hugepages-2Mi 2Mi left; pod: request hugepages-2Mi 4Mi"},
		{"pod-level hugepages and overhead above a quota", overhead(whole(pod(), list("hugepages-2Mi", "4Mi"), nil), list("hugepages-2Mi", "2Mi")), left("requests.hugepages-2Mi", "4Mi"),
			"hugepages-2Mi: nothing satisfies all of: quota: requests.hugepages-2Mi 4Mi left; pod: overhead hugepages-2Mi 2Mi; pod: request hugepages-2Mi 4Mi"},
		{"a pod-level request and overhead above a quota", overhead(whole(pod(), list("cpu", "1"), nil), list("cpu", "100m")), left("requests.cpu", "1"),
			"cpu: nothing satisfies all of: quota: requests.cpu 1 left; pod: overhead cpu 100m; pod: request cpu 1"},
		{"a pod-level limit and overhead above a quota", overhead(whole(pod(), nil, list("cpu", "1")), list("cpu", "100m")), left("limits.cpu", "1"),
			"cpu: nothing satisfies all of: quota: limits.cpu 1 left; pod: overhead cpu 100m; pod: limit cpu 1"},
		{"a Pod ratio of the pod-level request, and the limits of containers", whole(pod("app cpu 1 3"), list("cpu", "1"), nil), ofPod(item{MaxLimitRequestRatio: list("cpu", "2")}),
			"cpu: nothing satisfies all of: range: Pod maxLimitRequestRatio cpu 2; pod: request cpu 1; container c-0: limit cpu 3"},
		{"a request above a Pod max, beside limits that a pod-level limit allows", whole(pod("app cpu 5m 2m", "init cpu 3m -", "sidecar cpu - 5m"), nil, list("cpu", "2m")),
			both(ofPod(item{Max: list("cpu", "3m")}), ofContainer(item{Min: list("cpu", "1m"), Max: list("cpu", "5m"), MaxLimitRequestRatio: list("cpu", "2")}), left("limits.cpu", "6m")),
			"cpu: nothing satisfies all of: range: Pod max cpu 3m; container c-0: request cpu 5m"},
		{"a ratio as a whole, beside limits that a limit as a whole would hold", whole(pod("app memory 0 4", "app memory 0 4"), list("memory", "1"), list("memory", "5")), ofPod(item{Max: list("memory", "5"), MaxLimitRequestRatio: list("memory", "2")}),
			"memory: nothing satisfies all of: range: Pod maxLimitRequestRatio memory 2; pod: request memory 1; pod: limit memory 5"},
		{"a request that allows no limit as large", whole(pod("app memory 1 -"), list("memory", "4"), nil), both(ofPod(item{Min: list("memory", "4")}), ofContainer(item{MaxLimitRequestRatio: list("memory", "2")})),
			"memory: nothing satisfies all of: range: Pod min memory 4; range: Container maxLimitRequestRatio memory 2; container c-0: request memory 1"},
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
			var found *solver.ContradictionError
			if errors.As(err, &found) && !found.Contradictions[0].Smallest {
				t.Error("not proven to be smallest")
			}
		})
	}
}

// hundred returns bounds of which number 50 is the tightest, and shares that with 51.
func hundred() solver.Input {
	var p solver.Input
	for i := range 100 {
		most := max(50-i, i-51, 0) + 1
		p.Items = append(p.Items, solver.RangeItem{Object: fmt.Sprint("range-", i), Item: corev1.LimitRangeItem{
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
			var found *solver.ContradictionError
			if !errors.As(err, &found) || len(found.Contradictions) != 1 {
				t.Fatal(err)
			}
			got := found.Contradictions[0]
			if len(got.Constraints) != test.count || got.Constraints[1].String() != test.first || got.Smallest != test.smallest {
				t.Errorf("%d constraints, from %v, smallest %v: want %d, %s, %v", len(got.Constraints), got.Constraints[1], got.Smallest, test.count, test.first, test.smallest)
			}
			if want := "quota: requests.cpu " + test.left + " left"; got.Constraints[0].String() != want {
				t.Errorf("first is %v, want %s", got.Constraints[0], want)
			}
		})
	}
}

// A smaller set of large amounts is found beside the bound that makes it so, not beside the
// other.
func TestContradictionKeepsTheTighterBound(t *testing.T) {
	spec := &corev1.PodSpec{}
	for i := range 100 {
		spec.Containers = append(spec.Containers, testkit.Container(fmt.Sprint("c-", i), list("cpu", fmt.Sprint(100+i*37%100*10, "m")), nil))
	}
	for _, test := range []struct{ most, left, want string }{
		{"20", "19", "quota: requests.cpu 19 left"},
		{"19", "20", "range: Pod max cpu 19"},
	} {
		_, err := solver.Solve(spec, both(ofPod(corev1.LimitRangeItem{Max: list("cpu", test.most)}), left("requests.cpu", test.left)))
		var found *solver.ContradictionError
		if !errors.As(err, &found) || len(found.Contradictions) != 1 {
			t.Fatal(err)
		}
		got := found.Contradictions[0].Constraints
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

func TestUnknownRule(t *testing.T) {
	c := solver.Constraint{Rule: 99, Object: "LimitRange a", Resource: "cpu"}
	if got := c.String(); got != "LimitRange a: unknown cpu 0" {
		t.Errorf("%q", got)
	}
}
