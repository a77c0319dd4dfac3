package solver_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The bound that caps an amount is the first that the moved pod violates, found by solving all of it again.
func TestCappedEqualsSlow(t *testing.T) {
	capped := 0
	rapid.Check(t, func(t *rapid.T) {
		c := slowSizes(rapid.IntRange(1, 5).Draw(t, "containers"), rapid.Bool().Draw(t, "pod level")).Draw(t, "case")
		got, want, err := solver.Capped(c.spec, c.recs, c.in)
		testkit.OK(t, err)
		capped += len(got)
		testkit.NoDiff(t, got, want)
	})
	t.Log(capped, "capped")
	if capped == 0 {
		t.Error("nothing is capped")
	}
}

// A pod-level limit that only another constraint fixes may have any value: the ratio of the pod does not cap then.
func TestCappedByPodLevelLimit(t *testing.T) {
	spec := &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: testkit.List("cpu", "1m")}, Containers: []corev1.Container{
		testkit.Container("a", testkit.List("cpu", "0"), testkit.List("cpu", "0")), testkit.Container("b", nil, nil)}}
	in := inputOf(solver.Objects{Items: []solver.RangeItem{{Item: corev1.LimitRangeItem{Type: corev1.LimitTypePod, MaxLimitRequestRatio: testkit.List("cpu", "1")}}}})
	in.Kubernetes.Release = "1.36"
	got, err := solver.RightSize(spec, []solver.Recommendation{{Ref: computeresources.Ref{Name: "b"}, Requests: testkit.List("cpu", "2m")}}, in)
	testkit.OK(t, err)
	testkit.Equal(t, fmt.Sprint(got.Capped), "[container b: change the cpu request from 2m to 1m (Pod)]")
	testkit.Equal(t, got.Capped[0].Source.Field, "spec.resources.limits[cpu]")
}

// manyContainers has two resources that are above a ratio, and a quota of each. Every third container is a sidecar.
// With a ratio of the pod, no container can keep its own.
func manyContainers(n int, ofPod bool) (*corev1.PodSpec, []solver.Recommendation, solver.Input) {
	list, spec, recs := testkit.List, &corev1.PodSpec{}, []solver.Recommendation{}
	for i := range n {
		name, requests := fmt.Sprint("c-", i), list("cpu", fmt.Sprint(100+i, "m"), "memory", fmt.Sprint(100+i, "Mi"))
		limits := list("cpu", fmt.Sprint(170+2*i, "m"), "memory", fmt.Sprint(333+i, "Mi"))
		if i%3 == 0 {
			spec.InitContainers = append(spec.InitContainers, testkit.Sidecar(name, requests, limits))
		} else {
			spec.Containers = append(spec.Containers, testkit.Container(name, requests, limits))
		}
		recs = append(recs, solver.Recommendation{Ref: computeresources.Ref{Name: name},
			Requests: list("cpu", fmt.Sprint(60+i%70, "m"), "memory", fmt.Sprint(40+i%90, "Mi"))})
	}
	pod := corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "20", "memory", "20Gi"), Min: list("cpu", "1")}
	if ofPod {
		pod.MaxLimitRequestRatio = list("cpu", "1.1", "memory", "1.1")
	}
	return spec, recs, inputOf(solver.Objects{
		Items: []solver.RangeItem{{Item: pod}, {Item: corev1.LimitRangeItem{Type: corev1.LimitTypeContainer,
			Max: list("cpu", "300m"), Min: list("cpu", "10m"), MaxLimitRequestRatio: list("cpu", "1.2", "memory", "1.5")}}},
		Budgets: []solver.Budget{{Remaining: list("requests.cpu", "15", "limits.memory", "18Gi")}},
	})
}

// The bounds of hundreds of containers are looked for without solving the pod again for each.
func TestRightSizeAllocatesLittle(t *testing.T) {
	for _, test := range []struct {
		name  string
		ofPod bool
		most  uint64 // twice of what it takes
	}{{"ratios above that of a LimitRange", false, 20e6}, {"ratios given up", true, 28e6}} {
		spec, recs, in := manyContainers(300, test.ofPod)
		var sized solver.RightSized
		var err error
		allocated := testkit.Allocated(func() { sized, err = solver.RightSize(spec, recs, in) })
		if err != nil || len(sized.Capped) < 300 {
			t.Fatalf("%s: %d are capped, %v", test.name, len(sized.Capped), err)
		}
		if allocated > test.most {
			t.Errorf("%s: %d bytes, at most %d", test.name, allocated, test.most)
		}
	}
}

// A request is capped by several bounds together only if each of them alone allows one unit more, with some limit.
func TestEachBoundAloneAllowsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(name string) corev1.ResourceList {
			return list("cpu", fmt.Sprint(rapid.IntRange(0, 6).Draw(t, name), "m"))
		}
		spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c-0", nil, nil)}}
		set := &spec.Containers[0].Resources
		if rapid.Bool().Draw(t, "requested") {
			set.Requests = amount("request")
		}
		if rapid.Bool().Draw(t, "limited") {
			set.Limits = amount("limit")
		}
		var items []solver.RangeItem
		for range rapid.IntRange(1, 3).Draw(t, "bounds") {
			item := corev1.LimitRangeItem{Type: rapid.SampledFrom([]corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod}).Draw(t, "type")}
			switch rapid.IntRange(0, 2).Draw(t, "bound") {
			case 0:
				item.Min = amount("min")
			case 1:
				item.Max = amount("max")
			default:
				item.MaxLimitRequestRatio = list("cpu", rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "ratio"))
			}
			items = append(items, solver.RangeItem{Item: item})
		}
		in := inputOf(solver.Objects{Items: items})
		recs := []solver.Recommendation{{Ref: computeresources.Ref{Name: "c-0"}, Requests: amount("wanted"), KeepLimits: rapid.Bool().Draw(t, "keep")}}
		got, err := solver.RightSize(spec, recs, in)
		if err != nil {
			return
		}
		for _, c := range got.Capped {
			if c.Source != (computeresources.Source{}) || c.List != computeresources.Requests {
				continue
			}
			moved := spec.DeepCopy()
			moved.Containers[0].Resources.Requests = list("cpu", fmt.Sprint(c.To.MilliValue()+int64(c.From.Cmp(*c.To)), "m"))
			if !recs[0].KeepLimits {
				moved.Containers[0].Resources.Limits = nil
			}
			for _, lr := range in.LimitRanges {
				if _, err := solver.Solve(moved, solver.Input{LimitRanges: []*corev1.LimitRange{lr}}); err != nil {
					t.Fatalf("%v: %v", got.Capped, err)
				}
			}
		}
	})
}
