package noderesources_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// ways returns n equal pods, a node with room for one more, and its request. There are four ways to ask whether it fits.
func ways(n int) (pods []*corev1.Pod, allocatable corev1.ResourceList, request corev1.ResourceList) {
	for i := range n {
		pod := testkit.StandardPod(false)
		pod.UID = types.UID(fmt.Sprint(i))
		pods = append(pods, pod)
	}
	request = computeresources.PodRequests(testkit.StandardPod(false), none)
	return pods, resourcelist.Overlay(resourcelist.Multiply(request, int64(n+1)), testkit.List("pods", fmt.Sprint(n+1))), request
}

// fitsInLists adds up lists of quantities.
func fitsInLists(pods []*corev1.Pod, allocatable, request corev1.ResourceList) bool {
	used, own := corev1.ResourceList{}, corev1.ResourceList{}
	for _, pod := range pods {
		own = computeresources.PodRequestsInto(own, pod, none)
		used = resourcelist.AddInto(used, used, own)
	}
	return resourcelist.Fits(request, resourcelist.SubtractInto(used, allocatable, used))
}

// fitsInIntegers adds up the integers of two resources.
func fitsInIntegers(pods []*corev1.Pod, allocatable, request corev1.ResourceList) bool {
	free := [...]int64{resourcelist.Integer("cpu", allocatable["cpu"]), resourcelist.Integer("memory", allocatable["memory"])}
	for _, pod := range pods {
		t := computeresources.PodTotals(pod, computeresources.Requests, none)
		free[0] = resourcelist.SubSaturated(free[0], t.MilliCPU)
		free[1] = resourcelist.SubSaturated(free[1], t.Memory)
	}
	return resourcelist.Integer("cpu", request["cpu"]) <= free[0] && resourcelist.Integer("memory", request["memory"]) <= free[1]
}

// ledgerOf adds the pods to a node.
func ledgerOf(tb testkit.TB, pods []*corev1.Pod, allocatable corev1.ResourceList) *noderesources.Ledger {
	ledger := noderesources.NewLedger(allocatable)
	for _, pod := range pods {
		testkit.OK(tb, ledger.Add(pod.UID, noderesources.PodRequest(pod, none)))
	}
	return ledger
}

func TestWaysAgree(t *testing.T) {
	for _, n := range []int{0, 1, 30} {
		pods, allocatable, request := ways(n)
		next := noderesources.PodRequest(testkit.StandardPod(false), none)
		for want, room := range map[bool]corev1.ResourceList{true: allocatable, false: resourcelist.Overlay(testkit.List("cpu", "1m"), allocatable)} {
			testkit.Equal(t, ledgerOf(t, pods, room).Fits(next, noderesources.FitOptions{}), want)
			testkit.Equal(t, fitsInLists(pods, room, request), want)
			testkit.Equal(t, fitsInIntegers(pods, room, request), want)
		}
	}
}

func BenchmarkOneMorePod(b *testing.B) {
	for _, n := range []int{1, 30, 5000} {
		pods, allocatable, request := ways(n)
		next, ledger := noderesources.PodRequest(testkit.StandardPod(false), none), ledgerOf(b, pods, allocatable)
		for _, way := range []struct {
			name string
			fits func() bool
		}{
			{"lists", func() bool { return fitsInLists(pods, allocatable, request) }},
			{"integers", func() bool { return fitsInIntegers(pods, allocatable, request) }},
			{"a new Ledger", func() bool { return ledgerOf(b, pods, allocatable).Fits(next, noderesources.FitOptions{}) }},
			{"a Ledger that is kept", func() bool { return ledger.Fits(next, noderesources.FitOptions{}) }},
		} {
			b.Run(fmt.Sprintf("%d pods, %s", n, way.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if !way.fits() {
						b.Fatal("does not fit")
					}
				}
			})
		}
	}
}
