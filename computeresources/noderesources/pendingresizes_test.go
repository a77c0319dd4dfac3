package noderesources_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// cpus is a resize of cpu.
func cpus(name, allocated, desired string) *corev1.Pod {
	return resizing(name, testkit.List("cpu", allocated), testkit.List("cpu", desired))
}

// pendingSince returns the pod with the condition PodResizePending.
func pendingSince(pod *corev1.Pod, minute int, reason string, observed int64) *corev1.Pod {
	pod.Generation = 5
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizeInProgress}, {
		Type: corev1.PodResizePending, Reason: reason, Message: "as the node says", ObservedGeneration: observed,
		LastTransitionTime: metav1.NewTime(testkit.Now().Add(time.Duration(minute) * time.Minute)),
	}}
	return pod
}

// said returns what becomes of resizes, in their order: the pod, the state, and the message.
func said(pods []*corev1.Pod, resizes []noderesources.Resize) (lines []string) {
	for _, r := range resizes {
		lines = append(lines, fmt.Sprint(pods[r.Pod].Name, " ", r.State, " ", r.Message))
	}
	return lines
}

func TestPendingResizes(t *testing.T) {
	const noCPU = "Node didn't have enough resource: cpu, requested: %d, used: %d, capacity: 4000"
	deferred := func(pod string, requested, used int) string {
		return pod + " Deferred " + fmt.Sprintf(noCPU, requested, used)
	}
	limited := func(pod *corev1.Pod, allocated, desired string) *corev1.Pod {
		pod.Spec.Containers[0].Resources.Limits = testkit.List("cpu", desired)
		pod.Status.ContainerStatuses[0].Resources.Limits = testkit.List("cpu", allocated)
		return pod
	}
	unreported := cpus("a", "1", "2")
	unreported.Status.ContainerStatuses[0] = corev1.ContainerStatus{Name: "app"}
	unreported.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "2")}
	added := resizing("a", nil, testkit.List("cpu", "2"))
	inEffect := added.DeepCopy()
	inEffect.Status.ContainerStatuses[0].Resources.Requests = testkit.List("cpu", "2")
	podLevel := onNode("a", nil)
	podLevel.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "5", "memory", "1")}
	podLevel.Status.AllocatedResources = testkit.List("cpu", "1", "memory", "1")
	moreAtPodLevel := withPriority(podLevel.DeepCopy(), 1)
	moreAtPodLevel.Spec.Resources.Requests = testkit.List("cpu", "2", "memory", "1")
	podLevelLimit := podLevel.DeepCopy()
	podLevelLimit.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1"), Limits: testkit.List("cpu", "9")}
	withOverhead := podLevel.DeepCopy()
	withOverhead.Spec.Overhead, withOverhead.Status.AllocatedResources = testkit.List("cpu", "500m"), testkit.List("cpu", "5500m", "memory", "1")
	storage := podLevel.DeepCopy()
	storage.Spec.Resources.Requests = testkit.List("ephemeral-storage", "5")
	storage.Status.AllocatedResources = testkit.List("ephemeral-storage", "1")
	newLimit := limited(onNode("b", testkit.List("cpu", "1")), "1", "2")
	newLimit.Status.ContainerStatuses[0].Resources.Limits = nil
	ended := cpus("a", "1", "2")
	ended.Status.Phase = corev1.PodSucceeded
	full := onNode("full", testkit.List("cpu", "4"))

	tests := []struct {
		name string
		pods []*corev1.Pod
		want []string
	}{
		{"nothing is resized", []*corev1.Pod{nil, full, ended, unreported}, nil},
		{"there is room", []*corev1.Pod{cpus("a", "1", "4")}, []string{"a  "}},
		{"there is none", []*corev1.Pod{cpus("a", "1", "4"), onNode("b", testkit.List("cpu", "1m"))}, []string{deferred("a", 4000, 1)}},
		{"more than the node has in all", []*corev1.Pod{cpus("a", "1", "5")}, []string{deferred("a", 5000, 0)}},
		{"less, on an overcommitted node", []*corev1.Pod{cpus("a", "3", "2"), full}, []string{deferred("a", 2000, 4000)}},
		{"only a limit", []*corev1.Pod{limited(onNode("a", testkit.List("cpu", "1")), "1", "2")}, []string{"a  "}},
		{"a new limit, which raises nothing", []*corev1.Pod{cpus("a", "1", "2"), newLimit}, []string{"b  ", "a  "}},
		{"no allocated request yet", []*corev1.Pod{added}, []string{"a  "}},
		{"no allocated request, and one in effect", []*corev1.Pod{inEffect}, []string{"a  "}},
		{"to more at pod level after less", []*corev1.Pod{moreAtPodLevel, cpus("b", "20m", "10m")}, []string{"b  ", "a  "}},
		{"pod-level requests", []*corev1.Pod{podLevel}, []string{deferred("a", 5000, 0)}},
		{"a resource that pods do not have", []*corev1.Pod{storage}, nil},
		{"only a pod-level limit", []*corev1.Pod{podLevelLimit}, nil},
		{"pod-level requests, reported with overhead", []*corev1.Pod{withOverhead}, nil},
		{"pods with one UID", []*corev1.Pod{cpus("a", "1", "4"), cpus("a", "1", "4")}, []string{"a  "}},
		{"the first takes what the second wants", []*corev1.Pod{cpus("b", "1", "2"), cpus("a", "1", "3")}, []string{"a  ", deferred("b", 2000, 3000)}},
		{"one that is deferred takes only what is allocated", []*corev1.Pod{cpus("a", "1", "5"), cpus("b", "1", "3")}, []string{deferred("a", 5000, 1000), "b  "}},
		{"to less first, which is not free before it is actuated", []*corev1.Pod{cpus("a", "1", "3"), cpus("b", "2", "1")}, []string{"b  ", deferred("a", 3000, 2000)}},
		{"more memory is not less", []*corev1.Pod{resizing("a", testkit.List("cpu", "2", "memory", "1"), testkit.List("cpu", "1", "memory", "2")), cpus("b", "2", "1")}, []string{"b  ", "a  "}},
		{"priority", []*corev1.Pod{cpus("a", "10m", "20m"), withPriority(ofClass(cpus("0", "10m", "20m"), corev1.PodQOSGuaranteed), -1), withPriority(cpus("c", "10m", "20m"), 1)}, []string{"c  ", "a  ", "0  "}},
		{"to less before any priority", []*corev1.Pod{withPriority(cpus("a", "10m", "20m"), 1), cpus("b", "20m", "10m")}, []string{"b  ", "a  "}},
		{"the first of the list", []*corev1.Pod{cpus("", "1", "2"), cpus("", "1", "3")}, []string{"  ", deferred("", 3000, 2000)}},
		{"Guaranteed pods", []*corev1.Pod{cpus("a", "1", "2"), ofClass(cpus("b", "1", "2"), corev1.PodQOSGuaranteed)}, []string{"b  ", "a  "}},
		{"those that have waited longer, and new ones last", []*corev1.Pod{cpus("a", "10m", "20m"), pendingSince(cpus("b", "10m", "20m"), 2, corev1.PodReasonDeferred, 4), pendingSince(cpus("c", "10m", "20m"), 1, corev1.PodReasonDeferred, 5)},
			[]string{"c  ", "b  ", "a  "}},
		{"refused for this generation", []*corev1.Pod{pendingSince(cpus("a", "1", "2"), 0, corev1.PodReasonInfeasible, 5)}, []string{"a Infeasible as the node says"}},
		{"refused for any generation", []*corev1.Pod{pendingSince(cpus("a", "1", "2"), 0, corev1.PodReasonInfeasible, 0)}, []string{"a Infeasible as the node says"}},
		{"refused before it was changed", []*corev1.Pod{pendingSince(cpus("a", "1", "2"), 0, corev1.PodReasonInfeasible, 4)}, []string{"a  "}},
		{"a critical pod evicts one that waits", []*corev1.Pod{cpus("a", "2", "3"), withPriority(cpus("b", "2", "3"), critical)}, []string{"b  "}},
		{"a critical pod cannot evict enough", []*corev1.Pod{withPriority(cpus("a", "1", "5"), critical)},
			[]string{"a Deferred Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := noderesources.PendingResizes(test.pods, testkit.List("cpu", "4", "memory", "4", "pods", "9"), noderesources.KubeletOptions{})
			testkit.NoDiff(t, said(test.pods, got), test.want)
		})
	}
	both := podLevel.DeepCopy()
	both.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "1")
	pods := []*corev1.Pod{both, cpus("b", "2", "1")}
	got := noderesources.PendingResizes(pods, testkit.List("cpu", "4", "pods", "9"), noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}})
	testkit.NoDiff(t, said(pods, got), []string{"b  ", "a  "}, "of pod-level resources that do not count")
}

// What a node refuses for good.
func TestInfeasibleResizes(t *testing.T) {
	resize := func(change func(pod *corev1.Pod)) *corev1.Pod {
		pod := resizing("a", testkit.List("cpu", "1", "memory", "1"), testkit.List("cpu", "1", "memory", "2"))
		pod.Status.QOSClass = corev1.PodQOSBurstable
		change(pod)
		return pod
	}
	policy := func(name corev1.ResourceName, restart corev1.ResourceResizeRestartPolicy) corev1.ContainerResizePolicy {
		return corev1.ContainerResizePolicy{ResourceName: name, RestartPolicy: restart}
	}
	onlyCPU := func(pod *corev1.Pod) {
		pod.Status.ContainerStatuses[0].AllocatedResources = testkit.List("cpu", "2", "memory", "2")
	}
	guaranteed := func(pod *corev1.Pod) { pod.Status.QOSClass = corev1.PodQOSGuaranteed }
	const (
		ofSwap   = "In-place resize of containers with swap is not supported."
		ofCPUs   = `Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"`
		ofMemory = `Resize is infeasible for Guaranteed Pods alongside Memory Manager policy "Static"`
		before   = "as the node says"
		nothing  = ""
	)
	tests := []struct {
		name                          string
		change                        func(pod *corev1.Pod)
		byDefault, swap, cpus, memory string // with each of the options
	}{
		{"memory of a Burstable pod", func(*corev1.Pod) {}, nothing, ofSwap, nothing, nothing},
		{"cpu of a Burstable pod", onlyCPU, nothing, nothing, nothing, nothing},
		{"memory of a Guaranteed pod", guaranteed, nothing, nothing, nothing, ofMemory},
		{"cpu of a Guaranteed pod", func(pod *corev1.Pod) { guaranteed(pod); onlyCPU(pod) }, nothing, nothing, ofCPUs, nothing},
		{"memory of a critical pod", func(pod *corev1.Pod) { withPriority(pod, critical) }, nothing, nothing, nothing, nothing},
		{"memory with a restart", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{policy("cpu", corev1.NotRequired), policy("memory", corev1.RestartContainer)}
		}, nothing, nothing, nothing, nothing},
		{"memory with a restart for cpu", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{policy("cpu", corev1.RestartContainer), policy("memory", corev1.NotRequired)}
		}, nothing, ofSwap, nothing, nothing},
		{"memory up to its limit", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Resources.Limits = testkit.List("memory", "2")
			pod.Status.ContainerStatuses[0].Resources.Limits = testkit.List("memory", "2")
		}, nothing, ofSwap, nothing, nothing},
		{"memory, always its limit", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Resources.Limits = testkit.List("memory", "2")
			pod.Status.ContainerStatuses[0].Resources.Limits = testkit.List("memory", "1")
		}, nothing, nothing, nothing, nothing},
		{"the first of two policies", func(pod *corev1.Pod) {
			pod.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{policy("memory", corev1.NotRequired), policy("memory", corev1.RestartContainer)}
		}, nothing, ofSwap, nothing, nothing},
		{"a container without a restart after one with it", func(pod *corev1.Pod) {
			pod.Spec.Containers = append(pod.Spec.Containers, pod.Spec.Containers[0])
			pod.Spec.Containers[0].Name, pod.Spec.Containers[0].ResizePolicy = "first", []corev1.ContainerResizePolicy{policy("memory", corev1.RestartContainer)}
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, pod.Status.ContainerStatuses[0])
			pod.Status.ContainerStatuses[0].Name = "first"
		}, nothing, ofSwap, nothing, nothing},
		{"an init container", func(pod *corev1.Pod) {
			guaranteed(pod)
			pod.Spec.InitContainers, pod.Spec.Containers = pod.Spec.Containers, nil
			pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses = pod.Status.ContainerStatuses, nil
		}, nothing, nothing, nothing, ofMemory},
		{"a pod that was refused before", func(pod *corev1.Pod) { pendingSince(pod, 0, corev1.PodReasonInfeasible, 5) }, before, before, before, before},
		{"memory of a BestEffort pod", func(pod *corev1.Pod) { pod.Status.QOSClass = corev1.PodQOSBestEffort }, nothing, nothing, nothing, nothing},
		{"no memory before", func(pod *corev1.Pod) { pod.Status.ContainerStatuses[0].AllocatedResources = testkit.List("cpu", "1") }, nothing, ofSwap, nothing, nothing},
		{"a class that is not in the status", func(pod *corev1.Pod) { pod.Status.QOSClass = "" }, nothing, ofSwap, nothing, nothing},
		{"the class of pod-level resources", func(pod *corev1.Pod) {
			pod.Status.QOSClass = ""
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "9", "memory", "9"), Limits: testkit.List("cpu", "9", "memory", "9")}
		}, nothing, nothing, nothing, ofMemory},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, with := range []struct {
				opts noderesources.KubeletOptions
				want string
			}{
				{noderesources.KubeletOptions{}, test.byDefault}, {noderesources.KubeletOptions{LimitedSwap: true}, test.swap},
				{noderesources.KubeletOptions{StaticCPUs: true}, test.cpus}, {noderesources.KubeletOptions{StaticMemory: true}, test.memory},
			} {
				got := noderesources.PendingResizes([]*corev1.Pod{resize(test.change)}, testkit.List("cpu", "9", "memory", "9", "pods", "1"), with.opts)
				want := []noderesources.Resize{{}}
				if with.want != "" {
					want[0].State, want[0].Reason, want[0].Message = corev1.PodReasonInfeasible, "Infeasible", with.want
				}
				testkit.NoDiff(t, got, want, with.opts)
			}
		})
	}
	parts := []*corev1.Pod{ofClass(cpus("a", "1500m", "1600m"), corev1.PodQOSGuaranteed)}
	testkit.NoDiff(t, said(parts, noderesources.PendingResizes(parts, nil, noderesources.KubeletOptions{StaticCPUs: true})), []string{"a Infeasible " + ofCPUs}, "parts of a cpu")
	pods := []*corev1.Pod{resize(guaranteed)}
	pods[0].Status.ContainerStatuses[0].AllocatedResources = nil
	all := noderesources.KubeletOptions{LimitedSwap: true, StaticCPUs: true, StaticMemory: true}
	testkit.NoDiff(t, said(pods, noderesources.PendingResizes(pods, nil, all)), []string{"a Infeasible " + ofCPUs}, "cpu before memory, and both before room")
	for opts, want := range map[noderesources.KubeletOptions]string{
		{StaticCPUs: true, StaticMemory: true}: "Resize is infeasible for Guaranteed Pods when CPU allocation mode is exclusive",
		{StaticMemory: true}:                   "Resize is infeasible for Guaranteed Pods when memory allocation mode is exclusive",
	} {
		opts.Kubernetes.Release = "1.38"
		testkit.NoDiff(t, said(pods, noderesources.PendingResizes(pods, nil, opts)), []string{"a Infeasible " + want}, "of 1.38")
	}
}

// Since 1.38, the resize of a pod that is terminating is not tried.
func TestResizeOfATerminatingPod(t *testing.T) {
	pods := []*corev1.Pod{cpus("a", "1", "2"), cpus("b", "1", "2")}
	pods[0].DeletionTimestamp = &metav1.Time{}
	for release, want := range map[string][]string{"": {"a  ", "b  "}, "1.36": {"a  ", "b  "}, "1.38": {"b  "}} {
		opts := noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{Release: release}}
		got := noderesources.PendingResizes(pods, testkit.List("cpu", "4", "pods", "9"), opts)
		testkit.NoDiff(t, said(pods, got), want, "of", release)
	}
}

// An empty spec.resources makes a pod BestEffort up to 1.36 (ComputePodQOS of v1.36.3), and does not count in 1.37.
func TestClassOfResizesByRelease(t *testing.T) {
	resize := func(name string, limits corev1.ResourceList) *corev1.Pod {
		pod := resizing(name, testkit.List("cpu", "1", "memory", "1"), testkit.List("cpu", "1", "memory", "2"))
		pod.Spec.Resources, pod.Spec.Containers[0].Resources.Limits = &corev1.ResourceRequirements{}, limits
		return pod
	}
	pods := []*corev1.Pod{resize("a", nil), resize("b", testkit.List("cpu", "1", "memory", "2"))}
	opts := noderesources.KubeletOptions{LimitedSwap: true, StaticMemory: true}
	for release, want := range map[string][]string{
		"1.36": {"a  ", "b  "},
		"1.37": { // the Guaranteed pod is tried first
			`b Infeasible Resize is infeasible for Guaranteed Pods alongside Memory Manager policy "Static"`,
			"a Infeasible In-place resize of containers with swap is not supported.",
		},
	} {
		opts.Kubernetes.Release = release
		got := noderesources.PendingResizes(pods, testkit.List("cpu", "9", "memory", "9", "pods", "9"), opts)
		testkit.NoDiff(t, said(pods, got), want, "of", release)
	}
	// The pod that is BestEffort is preempted for a critical one, and else the Burstable one.
	small := testkit.List("cpu", "1", "memory", "1")
	others := []*corev1.Pod{ofClass(onNode("c", small), corev1.PodQOSBurstable), onNode("d", small)}
	others[1].Spec.Containers[0].Resources.Limits = small
	others[1].Spec.Resources = &corev1.ResourceRequirements{}
	short := noderesources.Shortages{shortOf("cpu", 1000)}
	for release, want := range map[string]int{"1.36": 1, "1.37": 0} {
		opts.Kubernetes.Release = release
		got, err := noderesources.CriticalVictims(withPriority(newPod(), critical), short, others, opts)
		testkit.OK(t, err)
		testkit.NoDiff(t, got, []int{want}, "victims of", release)
	}
}

// Up to 1.33, spec.resources does not count, so that both pods request more: the one with the higher priority is tried
// first, and not the other one, whose pod-level request stays as it is.
func TestOrderOfResizesWithoutPodLevel(t *testing.T) {
	first, second := withPriority(cpus("first", "1", "2"), 5), cpus("second", "1", "2")
	second.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "4")}
	opts := noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{Release: "1.33"}}
	pods := []*corev1.Pod{second, first}
	got := noderesources.PendingResizes(pods, testkit.List("cpu", "9", "pods", "9"), opts)
	testkit.NoDiff(t, said(pods, got), []string{"first  ", "second  "}, "of 1.33")
}

// resizingPods draws the pods of a node.
func resizingPods(t *rapid.T) (drawn []testkit.Resizing, pods []*corev1.Pod) {
	for i := range rapid.IntRange(0, 5).Draw(t, "pods") {
		r := testkit.ResizingPod(string(rune('a'+i))).Draw(t, "pod")
		drawn, pods = append(drawn, r), append(pods, r.Pod)
	}
	return drawn, pods
}

// Each resize is done if the desired requests are no shortage on the Ledger without the pod, and then equals
// Remove and Add. What is not done leaves the Ledger as it was.
func TestResizesOnALedger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn, pods := resizingPods(t)
		allocatable := testkit.List("cpu", "5", "memory", "4Gi", "ephemeral-storage", "6", "pods", "4", "example.com/gpu", "6",
			"example.com/other", "6", "deviceclass.resource.kubernetes.io/gold", "6")
		ledger := noderesources.NewLedger(allocatable)
		for i, r := range drawn {
			if pods[i].Status.Phase == corev1.PodRunning {
				testkit.OK(t, ledger.Add(pods[i].UID, noderesources.PodRequest(r.Allocated, none)))
			}
		}
		evicted := map[int]bool{}
		for _, r := range noderesources.PendingResizes(pods, allocatable, noderesources.KubeletOptions{}) {
			pod := pods[r.Pod]
			testkit.Equal(t, evicted[r.Pod], false, "a resize of an evicted pod")
			if r.State == corev1.PodReasonInfeasible {
				testkit.Equal(t, r.Message, "before", "the message of the condition")
				continue
			}
			testkit.OK(t, ledger.Remove(pod.UID))
			short := ledger.Shortages(noderesources.SpecRequest(&pod.Spec, none), noderesources.FitOptions{})
			testkit.NoDiff(t, r.Shortages, short)
			testkit.Equal(t, r.State == "", len(short) == 0 || len(r.Victims) > 0, "done")
			for _, i := range r.Victims {
				evicted[i] = true
				testkit.OK(t, ledger.Remove(pods[i].UID))
			}
			after := drawn[r.Pod].Allocated
			if r.State == "" {
				after = pod
			}
			testkit.OK(t, ledger.Add(pod.UID, noderesources.PodRequest(after, none)))
		}
	})
}

// The order is total: it is that of every two pods alone, and does not depend on the list.
func TestOrderOfResizes(t *testing.T) {
	order := func(pods []*corev1.Pod) (names []string) {
		for _, r := range noderesources.PendingResizes(pods, testkit.List("cpu", "99", "memory", "99Gi", "ephemeral-storage", "99", "pods", "9",
			"example.com/gpu", "99", "deviceclass.resource.kubernetes.io/gold", "99"), noderesources.KubeletOptions{}) {
			names = append(names, pods[r.Pod].Name)
		}
		return names
	}
	rapid.Check(t, func(t *rapid.T) {
		_, pods := resizingPods(t)
		all := order(pods)
		testkit.NoDiff(t, order(rapid.Permutation(pods).Draw(t, "shuffled")), all)
		for _, a := range pods {
			for _, b := range pods {
				i, j := slices.Index(all, a.Name), slices.Index(all, b.Name)
				if i >= 0 && i < j {
					testkit.NoDiff(t, order([]*corev1.Pod{b, a}), []string{a.Name, b.Name})
				}
			}
		}
	})
}
