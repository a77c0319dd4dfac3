//go:build !kubernetes136 && !kubernetes138

package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/config"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	kubepod "k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/preemption"
	"k8s.io/kubernetes/pkg/kubelet/status"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

var pendingSink []noderesources.Resize

// resizeRows are about a node of 110 pods, ten of which wait for more cpu than it has: what the kubelet tries again in
// each of its rounds.
func resizeRows() []measure.Row {
	allocatable := testkit.List("cpu", "112", "memory", "1Ti", "ephemeral-storage", "10Ti", "pods", "110")
	var pods, allocated []*corev1.Pod
	for i := range 110 {
		p := &corev1.Pod{}
		p.Namespace, p.Name, p.UID, p.Generation = "shop", fmt.Sprint("pod-", i), types.UID(fmt.Sprint("pod-", i)), 1
		requests := testkit.List("cpu", "1", "memory", "1Gi")
		p.Spec.Containers = []corev1.Container{testkit.Container("app", requests, nil)}
		p.Status.Phase = corev1.PodRunning
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: requests,
			Resources: &corev1.ResourceRequirements{Requests: requests}}}
		allocated = append(allocated, p.DeepCopy())
		if i%11 == 0 {
			p.Generation, p.Spec.Containers[0].Resources.Requests = 2, testkit.List("cpu", "8", "memory", "1Gi")
		}
		pods = append(pods, p)
	}
	ctx := klog.NewContext(context.Background(), klog.Logger{}) // logs nothing
	kubelet := kubeletOf(pods, allocated, allocatable)
	if got := noderesources.PendingResizes(pods, allocatable, noderesources.KubeletOptions{}); len(got) != 10 || got[0].State != corev1.PodReasonDeferred {
		panic(fmt.Sprint(got))
	}
	return []measure.Row{{
		Kernel: "10 pending resizes of 110 pods", Rival: "the kubelet's manager of " + kubernetes, AtLeast: 5, Aim: 10, Allocs: 1000,
		Floor: func() {
			for _, p := range pods {
				floorSink += lookUps(&p.Spec) + lookUp(p.Status.ContainerStatuses[0].AllocatedResources)
			}
		},
		Above:  "both the desired and the allocated requests of each pod, ten comparisons with the node, and their messages",
		Ours:   func() { pendingSink = noderesources.PendingResizes(pods, allocatable, noderesources.KubeletOptions{}) },
		Theirs: func() { kubelet.RetryPendingResizes(ctx, "measured") },
	}}
}

// kubeletOf returns the allocation manager of a kubelet that knows pods, what it has allocated, and which wait.
func kubeletOf(pods, allocated []*corev1.Pod, allocatable corev1.ResourceList) allocation.Manager {
	byUID := map[types.UID]*corev1.Pod{}
	for _, p := range pods {
		byUID[p.UID] = p
	}
	find := func(uid types.UID) (*corev1.Pod, bool) { p, found := byUID[uid]; return p, found }
	states := status.NewManager(nil, kubepod.NewBasicPodManager(), nil, nil)
	manager := allocation.NewInMemoryManager(klog.Logger{}, states, func(context.Context, *corev1.Pod) {},
		func() []*corev1.Pod { return pods }, find, config.NewSourcesReady(func(sets.Set[string]) bool { return true }), &record.FakeRecorder{})
	for i, p := range allocated {
		if err := manager.SetAllocatedResources(klog.Logger{}, p); err != nil {
			panic(err)
		}
		if pods[i].Generation > 1 {
			manager.PushPendingResize(klog.Logger{}, p.UID)
		}
	}
	kill := func(*corev1.Pod, bool, *int64, func(*corev1.PodStatus)) error { panic("a pod is evicted") }
	evicting := preemption.NewCriticalPodAdmissionHandler(func() []*corev1.Pod { return pods }, kill, &record.FakeRecorder{})
	node := &corev1.Node{Status: corev1.NodeStatus{Allocatable: allocatable}}
	manager.AddPodAdmitHandlers(lifecycle.PodAdmitHandlers{
		allocation.NewPodResizesAdmitHandler(noPolicies{}, noSwap{}, manager),
		lifecycle.NewPredicateAdmitHandler(func(context.Context, bool) (*corev1.Node, error) { return node, nil }, evicting,
			func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil }),
	})
	return manager
}

// noPolicies is a container manager without policies of cpu and memory.
type noPolicies struct{ cm.ContainerManager }

func (noPolicies) GetNodeConfig() cm.NodeConfig {
	return cm.NodeConfig{CPUManagerPolicy: "none", MemoryManagerPolicy: "None"}
}

// noSwap is a runtime on a node without swap.
type noSwap struct{ kubecontainer.Runtime }

func (noSwap) GetContainerSwapBehavior(*corev1.Pod, *corev1.Container) kubetypes.SwapBehavior {
	return kubetypes.NoSwap
}
