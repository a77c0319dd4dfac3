package conformance

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// kubeletNode draws a node with pods, and the configuration of its kubelet.
func kubeletNode(t *rapid.T) (drawn []testkit.Resizing, pods []*corev1.Pod, allocatable corev1.ResourceList, opts noderesources.KubeletOptions) {
	for i := range rapid.IntRange(0, 5).Draw(t, "pods") {
		r := testkit.ResizingPod(string(rune('a'+i))).Draw(t, "pod")
		drawn, pods = append(drawn, r), append(pods, r.Pod)
	}
	allocatable = corev1.ResourceList{}
	for _, choice := range [][]string{ // of the name, and amounts
		{"cpu", "2", "4", "5500m"}, {"memory", "2Gi", "5Gi"}, {"ephemeral-storage", "4"}, {"pods", "2", "5", "9"}, {"example.com/gpu", "0", "4"},
		{"deviceclass.resource.kubernetes.io/gold", "2", "6"},
	} {
		if rapid.IntRange(0, 6).Draw(t, "is listed") > 0 {
			allocatable[corev1.ResourceName(choice[0])] = resource.MustParse(rapid.SampledFrom(choice[1:]).Draw(t, "amount"))
		}
	}
	opts.Kubernetes.Release = oracle.Release
	opts.StaticCPUs, opts.StaticMemory = rapid.Bool().Draw(t, "static cpu"), rapid.Bool().Draw(t, "static memory")
	opts.LimitedSwap = rapid.Bool().Draw(t, "swap")
	return drawn, pods, allocatable, opts
}

func uidsOf(pods []*corev1.Pod, indices []int) (uids []types.UID) {
	for _, i := range indices {
		uids = append(uids, pods[i].UID)
	}
	return uids
}

// tries is how often the kubelet is asked: it takes shortages of scalar resources in the order of a map.
const tries = 60

// Reason, message and evictions are the kubelet's. Of several equal pods, it evicts the last one.
func TestKubeletAdmission(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn, pods, allocatable, opts := kubeletNode(t)
		r := testkit.ResizingPod("new").Draw(t, "new")
		admittedBefore := rapid.Bool().Draw(t, "admitted before")
		if !admittedBefore {
			r.Pod.Status = corev1.PodStatus{}
		}
		if rapid.Bool().Draw(t, "claims") {
			r.Pod.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{RequestMappings: []corev1.ContainerExtendedResourceRequest{
				{ContainerName: "c-0", ResourceName: "example.com/gpu"}, {ContainerName: "c-0", ResourceName: "deviceclass.resource.kubernetes.io/gold"},
			}}
		}
		ours := noderesources.AdmitPod(r.Pod, allocatable, pods, opts)
		want := fmt.Sprint(ours.Reason == "", ours.Reason, ours.Message, uidsOf(pods, ours.Victims))
		theirs := ""
		for range tries {
			k := newKubelet(drawn, allocatable, opts)
			if admittedBefore {
				testkit.OK(t, k.allocate(r.Allocated.DeepCopy()))
			}
			k.last = map[types.UID][]types.UID{"new": uidsOf(pods, ours.Victims)}
			ok, reason, message := k.add(r.Pod.DeepCopy())
			theirs = fmt.Sprint(ok, reason, message, k.killed["new"])
			if theirs == want {
				return
			}
		}
		t.Fatalf("ours   %s\ntheirs %s", want, theirs)
	})
}

// The order, states, messages and evictions are the kubelet's, for one of the orders in which the resizes may have
// become known to it.
func TestKubeletResizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn, pods, allocatable, opts := kubeletNode(t)
		last := map[types.UID][]types.UID{}
		var want []string
		refused := map[types.UID]bool{} // before, so that the kubelet has forgotten them
		for _, r := range noderesources.PendingResizes(pods, allocatable, opts) {
			uid := pods[r.Pod].UID
			if r.State == corev1.PodReasonInfeasible && r.Message == "before" {
				c := pods[r.Pod].Status.Conditions[0]
				testkit.Equal(t, c.Reason == corev1.PodReasonInfeasible && c.ObservedGeneration != 2, true, "refused before")
				refused[uid] = true
				continue
			}
			last[uid] = uidsOf(pods, r.Victims)
			want = append(want, fmt.Sprint(uid, r.State, r.Message, last[uid]))
		}
		k := newKubelet(drawn, allocatable, opts)
		var pending []types.UID
		for _, pod := range k.active {
			if _, differs := k.UpdatePodFromAllocation(pod); differs && !refused[pod.UID] {
				pending = append(pending, pod.UID)
			}
		}
		var theirs []string
		for range tries {
			for order := range permutations(pending) {
				k := newKubelet(drawn, allocatable, opts)
				k.last = last
				theirs = k.retry(order)
				if slices.Equal(theirs, want) {
					return
				}
			}
		}
		t.Fatalf("ours   %q\ntheirs %q", want, theirs)
	})
}

// retry returns what becomes of resizes that become known in this order.
func (k *ownKubelet) retry(pending []types.UID) (results []string) {
	k.retryPending(pending)
	for _, uid := range k.tried {
		state, message := "", ""
		for _, c := range k.conditions.GetPodResizeConditions(uid) {
			if c.Type == corev1.PodResizePending {
				state, message = c.Reason, c.Message
			}
		}
		results = append(results, fmt.Sprint(uid, state, message, k.killed[uid]))
	}
	return results
}

func permutations[T any](of []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		if len(of) == 0 {
			yield(nil)
		}
		for i, first := range of {
			for rest := range permutations(slices.Delete(slices.Clone(of), i, i+1)) {
				if !yield(append([]T{first}, rest...)) {
					return
				}
			}
		}
	}
}

// cpuPod is a pod with one container, and what its node has allocated for it.
func cpuPod(name, allocated, desired string) testkit.Resizing {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", desired), nil)}}}
	pod.Name, pod.UID = name, types.UID(name)
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: testkit.List("cpu", allocated)}}
	before := pod.DeepCopy()
	before.Spec.Containers[0].Resources.Requests = testkit.List("cpu", allocated)
	return testkit.Resizing{Pod: pod, Allocated: before}
}

func podsOf(all []testkit.Resizing) (pods []*corev1.Pod) {
	for _, r := range all {
		pods = append(pods, r.Pod)
	}
	return pods
}

// Of two resizes to less, or two that nothing tells apart, the kubelet tries the one first that became known last or
// first. Ours has a total order, which ends with the names.
// See docs/decisions/computeresources.md#order-of-resizes.
func TestDivergenceOrderOfResizes(t *testing.T) {
	allocatable := testkit.List("cpu", "8", "pods", "9")
	for _, desired := range []string{"1", "3"} {
		drawn := []testkit.Resizing{cpuPod("b", "2", desired), cpuPod("a", "2", desired)}
		one := newKubelet(drawn, allocatable, noderesources.KubeletOptions{Kubernetes: kubernetes}).retry([]types.UID{"a", "b"})
		other := newKubelet(drawn, allocatable, noderesources.KubeletOptions{Kubernetes: kubernetes}).retry([]types.UID{"b", "a"})
		if slices.Equal(one, other) {
			t.Errorf("to %s: theirs always begins with %s", desired, one[0])
		}
		resizes := noderesources.PendingResizes(podsOf(drawn), allocatable, noderesources.KubeletOptions{Kubernetes: kubernetes})
		testkit.Equal(t, resizes[0].Pod, 1, "ours begins with a, to", desired)
	}
}

// Of pods with equal requests, the kubelet evicts the last one of its list, which comes from a map. Ours evicts
// the first by name.
// See docs/decisions/computeresources.md#victim-of-equal-pods.
func TestDivergenceVictimOfEqualPods(t *testing.T) {
	allocatable := testkit.List("cpu", "2", "pods", "9")
	priority := int32(2_000_000_000)
	critical := cpuPod("critical", "1", "1").Pod
	critical.Spec.Priority = &priority
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
		drawn := []testkit.Resizing{cpuPod(names[0], "1", "1"), cpuPod(names[1], "1", "1")}
		k := newKubelet(drawn, allocatable, noderesources.KubeletOptions{Kubernetes: kubernetes})
		k.add(critical.DeepCopy())
		testkit.NoDiff(t, k.killed["critical"], []types.UID{types.UID(names[1])}, "theirs")
		ours := noderesources.AdmitPod(critical, allocatable, podsOf(drawn), noderesources.KubeletOptions{Kubernetes: kubernetes})
		testkit.Equal(t, drawn[ours.Victims[0]].Pod.Name, "a", "ours")
	}
}

// As long as the API server has not deleted a pod that was evicted for the resize of a critical one, the kubelet
// tries the pending resize of the evicted pod in the same round, too. Ours does not.
// See docs/decisions/computeresources.md#resize-of-an-evicted-pod.
func TestDivergenceResizeOfEvictedPod(t *testing.T) {
	allocatable := testkit.List("cpu", "2", "pods", "9")
	priority := int32(2_000_000_000)
	drawn := []testkit.Resizing{cpuPod("victim", "1", "1500m"), cpuPod("critical", "1", "2")}
	drawn[1].Pod.Spec.Priority = &priority
	k := newKubelet(drawn, allocatable, noderesources.KubeletOptions{Kubernetes: kubernetes})
	k.keepsKilled = true
	k.retry([]types.UID{"victim", "critical"})
	testkit.NoDiff(t, k.tried, []types.UID{"critical", "victim"}, "theirs")
	resizes := noderesources.PendingResizes(podsOf(drawn), allocatable, noderesources.KubeletOptions{Kubernetes: kubernetes})
	testkit.NoDiff(t, []int{len(resizes), resizes[0].Pod}, []int{1, 1}, "ours")
}
