package noderesources_test

import (
	"fmt"
	"math"
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
	later, earlier := small("a"), small("b")
	later.Namespace, earlier.Namespace = "y", "x"
	ignored := noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}

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
			pods: []*corev1.Pod{ofClass(small("best effort"), corev1.PodQOSBestEffort), small("b")}, want: []int{0}, opts: ignored},
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
		{name: "the first by namespace", short: noderesources.Shortages{shortOf("pods", 1)}, pods: []*corev1.Pod{later, earlier}, want: []int{1}},
		{name: "the first of the list", short: noderesources.Shortages{shortOf("pods", 1)}, pods: []*corev1.Pod{newPod("cpu", "1"), newPod("cpu", "1")}, want: []int{0}},
		{name: "no Burstable pod that a Guaranteed one makes unnecessary", short: noderesources.Shortages{shortOf("memory", 550)},
			pods: []*corev1.Pod{newPod(), small("b"), large("c"), guaranteed(small("g")), guaranteed(large("h"))}, want: []int{2, 4}},
		{name: "half of two resources is nearer than all of one", short: noderesources.Shortages{shortOf("cpu", 200), shortOf("memory", 200)},
			pods: []*corev1.Pod{onNode("a", testkit.List("cpu", "200m")), onNode("b", testkit.List("memory", "201")), small("c"), small("d")}, want: []int{2, 3}},
		{name: "parts of what is missing, not amounts, are compared", short: noderesources.Shortages{shortOf("cpu", 100), shortOf("memory", 1000)},
			pods: []*corev1.Pod{onNode("a", testkit.List("memory", "1000")), onNode("b", testkit.List("cpu", "100m", "memory", "1"))}, want: []int{1, 0}},
		{name: "nearest to what is still missing", short: noderesources.Shortages{shortOf("cpu", 100), shortOf("memory", 100)},
			pods: []*corev1.Pod{onNode("a", testkit.List("cpu", "100m", "memory", "50")), onNode("b", testkit.List("cpu", "100m", "memory", "40")), onNode("c", testkit.List("memory", "50"))}, want: []int{0, 2}},
		{name: "a Guaranteed pod only for what others do not have", short: noderesources.Shortages{shortOf("cpu", 100), shortOf("memory", 100)},
			pods: []*corev1.Pod{guaranteed(onNode("a", testkit.List("cpu", "100m", "memory", "50"))), guaranteed(onNode("b", testkit.List("memory", "100"))), onNode("c", testkit.List("cpu", "100m"))}, want: []int{2, 1}},
		{name: "more than all pods have", short: noderesources.Shortages{shortOf("cpu", 500), shortOf("pods", 1), shortOf("memory", 401)},
			pods: []*corev1.Pod{small("a"), large("b")}, err: "no set of running pods found to reclaim resources: [(res: cpu, q: 100), (res: memory, q: 1), ]"},
		{name: "more than an int64", short: noderesources.Shortages{{Resource: "cpu", Requested: math.MaxInt64, Used: 11, Capacity: 10}},
			err: "no set of running pods found to reclaim resources: [(res: cpu, q: 9223372036854775807), ]"},
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
		{name: "containers count instead of them", short: noderesources.Shortages{shortOf("cpu", 1)}, pods: []*corev1.Pod{podLevel}, opts: ignored,
			err: "no set of running pods found to reclaim resources: [(res: cpu, q: 1), ]"},
		{name: "a Guaranteed pod whose pod-level resources are resized", short: noderesources.Shortages{shortOf("cpu", 300)}, pods: []*corev1.Pod{podLevelResize, large("b")}, want: []int{1}},
		{name: "a BestEffort pod whose pod-level resources do not count", short: noderesources.Shortages{shortOf("pods", 1)}, pods: []*corev1.Pod{podLevelResize, small("b")}, want: []int{0}, opts: ignored},
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

// The victims make enough free. Of each class, the last one is necessary beside all pods of lower classes and the
// victims of higher ones. The pods of the result do not depend on their order in the list.
func TestCriticalVictimsLaws(t *testing.T) {
	classes := []corev1.PodQOSClass{corev1.PodQOSBestEffort, corev1.PodQOSBurstable, corev1.PodQOSGuaranteed}
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, 5)
		var pods []*corev1.Pod
		var freed [][3]int64 // cpu, memory and pods of each pod
		var byClass, of [3][]int
		for i := range rapid.IntRange(0, 7).Draw(t, "pods") {
			freed = append(freed, [3]int64{amount.Draw(t, "cpu"), amount.Draw(t, "memory"), 1})
			class := rapid.IntRange(0, 2).Draw(t, "class")
			requests := testkit.List("cpu", fmt.Sprint(freed[i][0], "m"), "memory", fmt.Sprint(freed[i][1]))
			pods = append(pods, ofClass(onNode(string(rune('a'+i)), requests), classes[class]))
			byClass[class] = append(byClass[class], i)
		}
		var need [3]int64
		var short noderesources.Shortages
		for j, name := range []corev1.ResourceName{"cpu", "memory", "pods"} {
			need[j] = rapid.Int64Range(0, 9).Draw(t, "missing") / 3 * int64(3-j)
			short = append(short, shortOf(name, need[j]))
		}
		enough := func(evicted ...[]int) bool {
			open := need
			for _, i := range slices.Concat(evicted...) {
				for j := range open {
					open[j] -= freed[i][j]
				}
			}
			return open[0] <= 0 && open[1] <= 0 && open[2] <= 0
		}
		withoutLast := func(victims []int) []int { return victims[:max(0, len(victims)-1)] }
		pod := withPriority(newPod(), critical)
		victims, err := noderesources.CriticalVictims(pod, short, pods, noderesources.KubeletOptions{})
		testkit.Equal(t, err == nil, enough(byClass[:]...), "an answer if all pods are enough")
		if err != nil {
			return
		}
		for _, i := range victims {
			class := slices.Index(classes, pods[i].Status.QOSClass)
			of[class] = append(of[class], i)
		}
		testkit.Equal(t, enough(victims), true, "all victims")
		testkit.NoDiff(t, victims, slices.Concat(nil, of[0], of[1], of[2]), "by class")
		testkit.Equal(t, len(of[2]) > 0 && enough(byClass[0], byClass[1], withoutLast(of[2])), false, "without the last Guaranteed victim")
		testkit.Equal(t, len(of[1]) > 0 && enough(byClass[0], withoutLast(of[1]), of[2]), false, "without the last Burstable victim")
		testkit.Equal(t, len(of[0]) > 0 && enough(withoutLast(of[0]), of[1], of[2]), false, "without the last BestEffort victim")
		shuffled := rapid.Permutation(pods).Draw(t, "shuffled")
		again, _ := noderesources.CriticalVictims(pod, short, shuffled, noderesources.KubeletOptions{})
		for j := range again {
			again[j] = slices.Index(pods, shuffled[again[j]])
		}
		testkit.NoDiff(t, again, victims, "of the pods in another order")
	})
}
