package peak_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// One node of 4 CPU, and a run whose largest task needs 3. If the placeholder keeps its
// reservation, the run needs 6. If the placeholder shrinks, the run fits at all times.
func TestNothingIsReservedTwice(t *testing.T) {
	run := &affinity.Run{Name: "run", UID: "uid", Tasks: []affinity.Task{task("clone", list("cpu", "1")), task("build", list("cpu", "3", "memory", "1Gi"), "clone")}}
	p := plan(t, run, affinity.PerRun)
	requests := func() corev1.ResourceList {
		return p.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources.Requests
	}
	least := requests()
	if _, err := peak.ApplySizes(p, run, peak.Options{ResizableOnly: true}); err != nil {
		t.Fatal(err)
	}
	size := requests()
	only := &candidate{Allocatable: list("cpu", "4", "memory", "8Gi", "pods", "110")}
	demand := of(t, run, peak.Options{})
	if v := verdictOn(demand.With(size, size), only); v.Room != peak.Never || v.Shortages[0].Requested != 6000 {
		t.Errorf("beside its full size: %+v", v)
	}
	shrinking := demand.With(size, least)
	if v := verdictOn(shrinking, only); v.Room != peak.Holds {
		t.Errorf("making way: %+v", v)
	}
	want := []most{{"cpu", "3050m", []string{"build"}, "3050m"}, {"memory", "1124Mi", []string{"build"}, "1124Mi"}, {"pods", "2", []string{"build", "clone"}, "2"}}
	want[2].Tasks = []string{"clone"}
	testkit.NoDiff(t, printed(shrinking), want)

	// The scheduler's view during the run.
	node := noderesources.NewLedger(only.Allocatable)
	spec := &p.StatefulSets[0].Spec.Template.Spec
	testkit.OK(t, node.Add("placeholder", noderesources.SpecRequest(spec, computeresources.Options{})))
	for _, task := range run.Tasks {
		pod := noderesources.SpecRequest(&corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: task.Requests}}}}, computeresources.Options{})
		if task.Name == "build" && node.Fits(pod, noderesources.FitOptions{}) {
			t.Error("there is room before the placeholder makes way")
		}
		changes := peak.Shrink(spec, size, least, []corev1.ResourceList{task.Requests})
		testkit.OK(t, computeresources.ApplyChanges(spec, changes))
		testkit.OK(t, node.Update("placeholder", noderesources.SpecRequest(spec, computeresources.Options{})))
		if shortages := node.Shortages(pod, noderesources.FitOptions{}); shortages != nil {
			t.Errorf("%s: %v", task.Name, shortages.Err())
		}
	}
}

// A size larger than the tasks and the minimum still has to fit on its own. Resources that cannot be
// resized in place are reserved in addition to the tasks.
func TestWithShrinking(t *testing.T) {
	run := &affinity.Run{Name: "run", UID: "uid", Tasks: []affinity.Task{task("build", list("cpu", "1", "example.com/gpu", "1"))}}
	size := list("cpu", "3", "example.com/gpu", "2")
	got := printed(of(t, run, peak.Options{}).With(size, list("cpu", "50m")))
	build := []string{"build"}
	want := []most{{"cpu", "3", build, "3"}, {"example.com/gpu", "3", build, "3"}, {"pods", "2", build, "2"}}
	testkit.NoDiff(t, got, want)
}

func TestShrink(t *testing.T) {
	placeholder := func(requests, limits corev1.ResourceList) *corev1.PodSpec {
		return &corev1.PodSpec{Containers: []corev1.Container{{Name: "proxy"}, {Name: "affinity-assistant", Resources: corev1.ResourceRequirements{Requests: requests, Limits: limits}}}}
	}
	both := func(l corev1.ResourceList) *corev1.PodSpec { return placeholder(l, l) }
	least := list("cpu", "50m", "memory", "100Mi")
	size := list("cpu", "3", "memory", "1Gi", "example.com/gpu", "1")
	pods := func(lists ...corev1.ResourceList) []corev1.ResourceList { return lists }
	const of = "container affinity-assistant: change the "
	for _, test := range []struct {
		name        string
		placeholder *corev1.PodSpec
		pods        []corev1.ResourceList
		want        []string
	}{
		{"no pods", both(size), nil, nil},
		{"a pod", both(size), pods(list("cpu", "1")), []string{of + "cpu request from 3 to 2", of + "cpu limit from 3 to 2"}},
		{"two pods", both(size), pods(list("cpu", "1"), list("cpu", "1500m", "memory", "512Mi")), []string{
			of + "cpu request from 3 to 500m", of + "cpu limit from 3 to 500m", of + "memory request from 1Gi to 512Mi", of + "memory limit from 1Gi to 512Mi",
		}},
		{"requests are not reduced below the minimum", both(size), pods(list("cpu", "2999m", "memory", "9Gi")), []string{
			of + "cpu request from 3 to 50m", of + "cpu limit from 3 to 50m", of + "memory request from 1Gi to 100Mi", of + "memory limit from 1Gi to 100Mi",
		}},
		{"a resource that cannot be resized", both(size), pods(list("example.com/gpu", "1")), nil},
		{"a pod with a negative request", both(size), pods(list("cpu", "-1")), nil},
		{"a pod has ended", both(list("cpu", "1", "memory", "1Gi")), nil, []string{of + "cpu request from 1 to 3", of + "cpu limit from 1 to 3"}},
		{"separate limit", placeholder(list("cpu", "3", "memory", "1Gi"), list("cpu", "4")), pods(list("cpu", "1")), []string{of + "cpu request from 3 to 2"}},
		{"no limits", placeholder(list("cpu", "3", "memory", "1Gi"), nil), pods(list("cpu", "1")), []string{of + "cpu request from 3 to 2"}},
		{"only limits", placeholder(nil, list("cpu", "3", "memory", "1Gi")), pods(list("cpu", "1")), []string{
			"container affinity-assistant: set the cpu request to 2", of + "cpu limit from 3 to 2", "container affinity-assistant: set the memory request to 1Gi",
		}},
		{"only limits, of a placeholder without other containers", &corev1.PodSpec{Containers: placeholder(nil, list("cpu", "3", "memory", "1Gi")).Containers[1:]}, pods(list("cpu", "1")), []string{
			"container affinity-assistant: set the cpu request to 2", of + "cpu limit from 3 to 2", "container affinity-assistant: set the memory request to 1Gi",
		}},
		{"size above the limit", placeholder(list("cpu", "1", "memory", "1Gi"), list("cpu", "2")), nil, nil},
		{"a size that makes a Burstable placeholder Guaranteed", &corev1.PodSpec{Containers: []corev1.Container{{Name: "affinity-assistant", Resources: corev1.ResourceRequirements{
			Requests: list("cpu", "1", "memory", "1Gi"), Limits: list("cpu", "3", "memory", "1Gi"),
		}}}}, nil, nil},
		{"a size that makes a BestEffort placeholder Burstable", placeholder(nil, nil), nil, nil},
		{"nothing requested", placeholder(list("memory", "1Gi"), nil), nil, []string{"container affinity-assistant: set the cpu request to 3"}},
		{"no placeholder", &corev1.PodSpec{Containers: []corev1.Container{{Name: "web"}}}, pods(list("cpu", "1")), nil},
		{"no spec", nil, pods(list("cpu", "1")), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, c := range peak.Shrink(test.placeholder, size, least, test.pods) {
				got = append(got, c.String())
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
	// A size of zero is none.
	changes := peak.Shrink(both(list("cpu", "1", "memory", "1Gi")), list("cpu", "0", "memory", "1Gi"), least, pods(list("memory", "512Mi")))
	if len(changes) != 2 || changes[0].Resource != "memory" || changes[1].Resource != "memory" {
		t.Errorf("a size without cpu: %v", changes)
	}
}

// If a node holds a run with a placeholder that shrinks, it always has room: for the placeholder
// at full size before any task runs, and for any set of running tasks next to the shrunk
// placeholder. The QoS class of the placeholder does not change, and a second Shrink changes
// nothing.
func TestShrinkingHolds(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		run := runs(6, few()).Draw(t, "run")
		p := plan(t, run, affinity.PerRun)
		spec := &p.StatefulSets[0].Spec.Template.Spec
		least := resourcelist.Add(spec.Containers[0].Resources.Requests, nil)
		if rapid.Bool().Draw(t, "unlimited") {
			spec.Containers[0].Resources.Limits = nil
		}
		if _, err := peak.ApplySizes(p, run, peak.Options{ResizableOnly: rapid.Bool().Draw(t, "resizable")}); err != nil {
			t.Fatal(err)
		}
		size := resourcelist.Add(spec.Containers[0].Resources.Requests, nil)
		class := qos.Class(spec, computeresources.Kubernetes{})
		node := &candidate{Allocatable: corev1.ResourceList{}}
		for _, name := range append([]corev1.ResourceName{corev1.ResourcePods}, testkit.ResourceNames...) {
			node.Allocatable[name] = resourcelist.Quantity(name, rapid.Int64Range(0, 16).Draw(t, "allocatable")*500)
		}
		node.Allocatable[corev1.ResourceMemory] = *resourceMi(rapid.Int64Range(90, 120).Draw(t, "memory"))
		if verdictOn(of(t, run, peak.Options{}).With(size, least), node).Room != peak.Holds {
			return
		}
		for _, set := range simultaneous(run) {
			var pods []corev1.ResourceList
			for _, pod := range podsOf(set) {
				pods = append(pods, pod.Requests)
			}
			changes := peak.Shrink(spec, size, least, pods)
			testkit.OK(t, computeresources.ApplyChanges(spec, changes))
			if again := peak.Shrink(spec, size, least, pods); len(again) > 0 {
				t.Fatalf("%v, and then %v", changes, again)
			}
			if got := qos.Class(spec, computeresources.Kubernetes{}); got != class {
				t.Fatalf("%v becomes %v", class, got)
			}
			all := corev1.ResourceList{}
			for _, pod := range append(pods, spec.Containers[0].Resources.Requests) {
				all = resourcelist.Add(all, pod)
			}
			for name, q := range all {
				if free := node.Allocatable[name]; q.Cmp(free) > 0 {
					t.Fatalf("%s: %s of %s", name, q.String(), free.String())
				}
			}
			held++
		}
	})
	if !testing.Short() && held == 0 {
		t.Error("no node held a run")
	}
}
