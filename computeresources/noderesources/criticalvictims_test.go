package noderesources_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func ofClass(pod *corev1.Pod, class corev1.PodQOSClass) *corev1.Pod {
	pod.Status.QOSClass = class
	return pod
}

// shortOf returns shortages of these amounts.
func shortOf(name corev1.ResourceName, amount int64) noderesources.Shortage {
	return noderesources.Shortage{Resource: name, Requested: amount + 3, Used: 7, Capacity: 10}
}

func TestCriticalVictims(t *testing.T) {
	small := func(name string) *corev1.Pod { return onNode(name, testkit.List("cpu", "100m", "memory", "100")) }
	large := func(name string) *corev1.Pod { return onNode(name, testkit.List("cpu", "300m", "memory", "300")) }
	guaranteed := func(pod *corev1.Pod) *corev1.Pod { return ofClass(pod, corev1.PodQOSGuaranteed) }
	ended := large("ended")
	ended.Status.Phase = corev1.PodSucceeded
	mirror := large("mirror")
	mirror.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""}
	podLevel := onNode("pod level", testkit.List("memory", "300", "ephemeral-storage", "9"))
	podLevel.Spec.Resources = &corev1.ResourceRequirements{Limits: testkit.List("cpu", "300m"), Requests: testkit.List("cpu", "300m")}
	overhead := onNode("overhead", testkit.List("cpu", "100m", "memory", "0"))
	overhead.Spec.Overhead = testkit.List("cpu", "200m", "memory", "300")
	podLevelResize := onNode("resized", nil)
	podLevelResize.Spec.Resources = &corev1.ResourceRequirements{Limits: testkit.List("cpu", "2", "memory", "1"), Requests: testkit.List("cpu", "2", "memory", "1")}
	podLevelResize.Status.AllocatedResources = testkit.List("cpu", "1", "memory", "1")
	ignored := noderesources.KubeletOptions{Gates: computeresources.Gates{IgnorePodLevel: true}}

	tests := []struct {
		name  string
		pod   *corev1.Pod
		short noderesources.Shortages
		pods  []*corev1.Pod
		want  []int
		err   string
		opts  noderesources.KubeletOptions
	}{
		{name: "nothing is short", pods: []*corev1.Pod{large("a")}},
		{name: "a pod of each class, the lowest is enough", short: noderesources.Shortages{shortOf("pods", 1)},
			pods: []*corev1.Pod{guaranteed(small("g")), small("b"), newPod()}, want: []int{2}},
		{name: "the lowest has nothing", short: noderesources.Shortages{shortOf("cpu", 100)},
			pods: []*corev1.Pod{guaranteed(small("g")), small("b"), newPod()}, want: []int{1}},
		{name: "the class of the status", short: noderesources.Shortages{shortOf("cpu", 100)},
			pods: []*corev1.Pod{ofClass(small("best effort"), corev1.PodQOSBestEffort), small("b")}, want: []int{0}},
		{name: "an unknown class", short: noderesources.Shortages{shortOf("cpu", 100)}, pods: []*corev1.Pod{ofClass(small("a"), "Other")},
			err: "no set of running pods found to reclaim resources: [(res: cpu, q: 100), ]"},
		{name: "the smaller one that is enough", short: noderesources.Shortages{shortOf("cpu", 100), shortOf("memory", 100)},
			pods: []*corev1.Pod{large("a"), small("b")}, want: []int{1}},
		{name: "the larger one if the smaller one is not", short: noderesources.Shortages{shortOf("cpu", 101)},
			pods: []*corev1.Pod{small("a"), large("b")}, want: []int{1}},
		{name: "the nearest one first, then another", short: noderesources.Shortages{shortOf("cpu", 301)},
			pods: []*corev1.Pod{small("a"), small("b"), large("c")}, want: []int{2, 0}},
		{name: "less memory before less cpu", short: noderesources.Shortages{shortOf("pods", 1)},
			pods: []*corev1.Pod{onNode("a", testkit.List("cpu", "1m", "memory", "2")), onNode("b", testkit.List("cpu", "9", "memory", "1"))}, want: []int{1}},
		{name: "less cpu", short: noderesources.Shortages{shortOf("pods", 1)},
			pods: []*corev1.Pod{onNode("a", testkit.List("cpu", "2m", "memory", "1")), onNode("b", testkit.List("cpu", "1m", "memory", "1"))}, want: []int{1}},
		{name: "of equal ones the first by name, in any order", short: noderesources.Shortages{shortOf("pods", 2)},
			pods: []*corev1.Pod{small("c"), small("b"), small("a")}, want: []int{2, 1}},
		{name: "no Burstable pod that a Guaranteed one makes unnecessary", short: noderesources.Shortages{shortOf("memory", 550)},
			pods: []*corev1.Pod{newPod(), small("b"), large("c"), guaranteed(small("g")), guaranteed(large("h"))}, want: []int{2, 4}},
		{name: "half of two resources is nearer than all of one", short: noderesources.Shortages{shortOf("cpu", 200), shortOf("memory", 200)},
			pods: []*corev1.Pod{onNode("a", testkit.List("cpu", "200m")), onNode("b", testkit.List("memory", "201")), small("c"), small("d")}, want: []int{2, 3}},
		{name: "more than all pods have", short: noderesources.Shortages{shortOf("cpu", 500), shortOf("pods", 1), shortOf("memory", 401)},
			pods: []*corev1.Pod{small("a"), large("b")}, err: "no set of running pods found to reclaim resources: [(res: cpu, q: 100), (res: memory, q: 1), ]"},
		{name: "pods that do not count", short: noderesources.Shortages{shortOf("cpu", 100)}, pods: []*corev1.Pod{nil, ended, mirror, withPriority(large("critical"), critical)},
			err: "no set of running pods found to reclaim resources: [(res: cpu, q: 100), ]"},
		{name: "a critical pod with less priority", pod: withPriority(newPod(), critical+1), short: noderesources.Shortages{shortOf("cpu", 100)},
			pods: []*corev1.Pod{withPriority(small("a"), critical+1), withPriority(small("b"), critical)}, want: []int{1}},
		{name: "a pod that is not critical, but has more priority", pod: withPriority(newPod(), 8), short: noderesources.Shortages{shortOf("cpu", 100)},
			pods: []*corev1.Pod{small("a"), withPriority(small("b"), 8), withPriority(small("c"), 7)}, want: []int{2}},
		{name: "allocated resources count, not desired ones", short: noderesources.Shortages{shortOf("cpu", 200)},
			pods: []*corev1.Pod{resizing("a", testkit.List("cpu", "100m"), testkit.List("cpu", "1")), resizing("b", testkit.List("cpu", "200m"), testkit.List("cpu", "1m"))}, want: []int{1}},
		{name: "containers do not count beside pod-level resources", short: noderesources.Shortages{shortOf("ephemeral-storage", 1)}, pods: []*corev1.Pod{podLevel},
			err: "no set of running pods found to reclaim resources: [(res: ephemeral-storage, q: 1), ]"},
		{name: "pod-level resources that do not count", short: noderesources.Shortages{shortOf("ephemeral-storage", 9)}, pods: []*corev1.Pod{podLevel}, want: []int{0}, opts: ignored},
		{name: "a Guaranteed pod whose pod-level resources are resized", short: noderesources.Shortages{shortOf("cpu", 300)}, pods: []*corev1.Pod{podLevelResize, large("b")}, want: []int{1}},
		{name: "overhead beside a request", short: noderesources.Shortages{shortOf("cpu", 300)}, pods: []*corev1.Pod{overhead}, want: []int{0}},
		{name: "overhead alone", short: noderesources.Shortages{shortOf("memory", 300)}, pods: []*corev1.Pod{overhead},
			err: "no set of running pods found to reclaim resources: [(res: memory, q: 300), ]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pod := test.pod
			if pod == nil {
				pod = withPriority(newPod(), critical)
			}
			got, err := noderesources.CriticalVictims(pod, test.short, test.pods, test.opts)
			testkit.NoDiff(t, got, test.want)
			testkit.Equal(t, fmt.Sprint(err), map[bool]string{true: "<nil>", false: test.err}[test.err == ""])
		})
	}
	if _, err := noderesources.CriticalVictims(nil, noderesources.Shortages{shortOf("pods", 1)}, []*corev1.Pod{small("a")}, noderesources.KubeletOptions{}); err == nil {
		t.Error("a nil pod evicts another")
	}
}

// slowFreed returns what the kubelet counts as free of cpu or memory if pods are evicted, in milli-CPU or bytes.
func slowFreed(name corev1.ResourceName, pods []testkit.Resizing, victims []int) (sum int64) {
	for _, i := range victims {
		spec := pods[i].Allocated.Spec
		spec.Overhead = nil
		if amounts, _ := testkit.SpecSums(&spec); amounts[name] != nil && amounts[name].Sign() > 0 {
			amounts, _ = testkit.SpecSums(&pods[i].Allocated.Spec)
			n, _ := amounts[name].Float64() // small numbers
			sum += int64(n * map[corev1.ResourceName]float64{"cpu": 1000, "memory": 1}[name])
		}
	}
	return sum
}

// The victims make enough free, are evictable, and are of a higher class only if all of the lower ones
// are not enough. Their order does not depend on that of the pods.
func TestCriticalVictimsLaws(t *testing.T) {
	rank := map[corev1.PodQOSClass]int{corev1.PodQOSBestEffort: 0, corev1.PodQOSBurstable: 1, corev1.PodQOSGuaranteed: 2}
	rapid.Check(t, func(t *rapid.T) {
		var drawn []testkit.Resizing
		var pods []*corev1.Pod
		var byClass [3][]int
		for i := range rapid.IntRange(0, 6).Draw(t, "pods") {
			r := testkit.ResizingPod(string(rune('a'+i))).Draw(t, "pod")
			// Others are in the table.
			r.Pod.Spec.Priority, r.Pod.Annotations, r.Pod.Status.Phase = nil, nil, corev1.PodRunning
			class := rapid.SampledFrom([]corev1.PodQOSClass{corev1.PodQOSBestEffort, corev1.PodQOSBurstable, corev1.PodQOSGuaranteed}).Draw(t, "class")
			r.Pod.Status.QOSClass = class
			drawn, pods = append(drawn, r), append(pods, r.Pod)
			byClass[rank[class]] = append(byClass[rank[class]], i)
		}
		short := noderesources.Shortages{
			shortOf("pods", rapid.Int64Range(0, 2).Draw(t, "missing pods")),
			shortOf("cpu", rapid.Int64Range(0, 4000).Draw(t, "missing cpu")), shortOf("memory", rapid.Int64Range(0, 4<<30).Draw(t, "missing memory")),
		}
		enough := func(evicted []int) bool {
			return int64(len(evicted)) >= short[0].Requested-3 && slowFreed("cpu", drawn, evicted) >= short[1].Requested-3 &&
				slowFreed("memory", drawn, evicted) >= short[2].Requested-3
		}
		pod := withPriority(newPod(), critical)
		victims, err := noderesources.CriticalVictims(pod, short, pods, noderesources.KubeletOptions{})
		all := slices.Concat(byClass[0], byClass[1], byClass[2])
		testkit.Equal(t, err == nil, enough(all), "an answer if all pods are enough")
		if err != nil {
			return
		}
		var of [3][]int
		for _, i := range victims {
			class := rank[pods[i].Status.QOSClass]
			of[class] = append(of[class], i)
		}
		if !enough(victims) {
			t.Fatalf("victims %v are not enough", victims)
		}
		testkit.NoDiff(t, victims, append(append(slices.Clone(of[0]), of[1]...), of[2]...), "by class")
		if len(of[2]) > 0 {
			testkit.Equal(t, enough(slices.Concat(byClass[0], byClass[1], of[2][:len(of[2])-1])), false, "without the last Guaranteed victim")
		}
		if len(of[1]) > 0 {
			testkit.Equal(t, enough(slices.Concat(byClass[0], of[1][:len(of[1])-1], of[2])), false, "without the last Burstable victim")
		}
		if len(of[0]) > 0 {
			testkit.Equal(t, enough(slices.Concat(of[0][:len(of[0])-1], of[1], of[2])), false, "without the last BestEffort victim")
		}
		order := rapid.Permutation(all).Draw(t, "order")
		shuffled := make([]*corev1.Pod, len(pods))
		for to, from := range order {
			shuffled[to] = pods[from]
		}
		again, _ := noderesources.CriticalVictims(pod, short, shuffled, noderesources.KubeletOptions{})
		for i := range again {
			again[i] = order[again[i]]
		}
		testkit.NoDiff(t, again, victims, "of the pods in another order")
	})
}
