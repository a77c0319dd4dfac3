package conformance

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	upstreamqos "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	kubepod "k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/preemption"
	"k8s.io/kubernetes/pkg/kubelet/status"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// ownKubelet is the kubelet's own allocation manager, with its handlers that decide about resources.
type ownKubelet struct {
	allocation.Manager
	conditions conditions
	active     []*corev1.Pod // as clients see them
	known      []*corev1.Pod // those that can be found by UID

	tried  []types.UID               // the pods that were compared with the node, in this order
	killed map[types.UID][]types.UID // by the pod that they made room for

	// last are the pods that are listed last for an eviction, by the pod that needs room: the first of them at the end.
	// The kubelet takes the last of several equal pods.
	last map[types.UID][]types.UID

	keepsKilled bool // pods that were evicted can still be found
}

// newKubelet returns a kubelet with pods that it has admitted. It copies everything.
func newKubelet(drawn []testkit.Resizing, allocatable corev1.ResourceList, opts noderesources.KubeletOptions) *ownKubelet {
	k := &ownKubelet{killed: map[types.UID][]types.UID{}}
	k.conditions = conditions{status.NewManager(nil, kubepod.NewBasicPodManager(), nil, nil), map[types.UID]metav1.Time{}}
	for _, r := range drawn {
		pod := r.Pod.DeepCopy()
		k.known = append(k.known, pod)
		if phase := pod.Status.Phase; phase != corev1.PodSucceeded && phase != corev1.PodFailed {
			k.active = append(k.active, pod)
		}
		for _, c := range pod.Status.Conditions {
			k.conditions.since[pod.UID] = c.LastTransitionTime
		}
	}
	k.conditions.BackfillPodResizeConditions(k.known)
	recorder := &record.FakeRecorder{}
	k.Manager = k.newManager(recorder)
	for _, r := range drawn {
		if err := k.allocate(r.Allocated.DeepCopy()); err != nil {
			panic(err)
		}
	}
	getNode := func(context.Context, bool) (*corev1.Node, error) {
		return &corev1.Node{Status: corev1.NodeStatus{Allocatable: allocatable.DeepCopy()}}, nil
	}
	critical := preemption.NewCriticalPodAdmissionHandler(k.evictable, k.kill, recorder)
	k.AddPodAdmitHandlers(lifecycle.PodAdmitHandlers{
		k,
		k.resizeHandler(opts),
		lifecycle.NewPredicateAdmitHandler(getNode, critical, func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil }),
	})
	return k
}

func (k *ownKubelet) find(uid types.UID) (*corev1.Pod, bool) {
	i := slices.IndexFunc(k.known, func(pod *corev1.Pod) bool { return pod.UID == uid })
	if i < 0 {
		return nil, false
	}
	return k.known[i], true
}

// try records which pod is tried.
func (k *ownKubelet) try(attrs *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	k.tried = append(k.tried, attrs.Pod.UID)
	return lifecycle.PodAdmitResult{Admit: true}
}

// evictable returns what the kubelet passes to the preemption: the pods with their allocated resources.
func (k *ownKubelet) evictable() (pods []*corev1.Pod) {
	for _, pod := range k.active {
		own, _ := k.UpdatePodFromAllocation(pod)
		pods = append(pods, own)
	}
	last := k.last[k.tried[len(k.tried)-1]]
	place := func(pod *corev1.Pod) int { // 0 for those that are not listed
		return (len(last) - slices.Index(last, pod.UID)) % (len(last) + 1)
	}
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int { return place(a) - place(b) })
	return pods
}

func (k *ownKubelet) kill(pod *corev1.Pod, _ bool, _ *int64, _ func(*corev1.PodStatus)) error {
	by := k.tried[len(k.tried)-1]
	k.killed[by] = append(k.killed[by], pod.UID)
	is := func(other *corev1.Pod) bool { return other.UID == pod.UID }
	k.active = slices.DeleteFunc(slices.Clone(k.active), is)
	if !k.keepsKilled {
		k.known = slices.DeleteFunc(slices.Clone(k.known), is)
	}
	return nil
}

// conditions is the kubelet's status manager, but with the times that pods have.
type conditions struct {
	status.Manager
	since map[types.UID]metav1.Time
}

func (c conditions) GetPodResizeConditions(uid types.UID) (of []*corev1.PodCondition) {
	for _, condition := range c.Manager.GetPodResizeConditions(uid) {
		condition := condition.DeepCopy()
		condition.LastTransitionTime = c.since[uid]
		of = append(of, condition)
	}
	return of
}

// policies is a container manager with the policies of a configuration.
type policies struct {
	cm.ContainerManager
	opts noderesources.KubeletOptions
}

func (p policies) GetNodeConfig() cm.NodeConfig {
	c := cm.NodeConfig{CPUManagerPolicy: "none", MemoryManagerPolicy: "None"}
	if p.opts.StaticCPUs {
		c.CPUManagerPolicy = "static"
	}
	if p.opts.StaticMemory {
		c.MemoryManagerPolicy = "Static"
	}
	return c
}

// swapping is a runtime that lets those containers use swap that the kubelet's own runtime manager, which cannot be
// built here, does on a node with swap.
type swapping struct {
	kubecontainer.Runtime
	opts noderesources.KubeletOptions
}

func (s swapping) GetContainerSwapBehavior(pod *corev1.Pod, c *corev1.Container) kubetypes.SwapBehavior {
	isAllRequested := c.Resources.Requests.Memory().Cmp(*c.Resources.Limits.Memory()) == 0
	if !s.opts.LimitedSwap || kubetypes.IsCriticalPod(pod) || upstreamqos.GetPodQOS(pod) != corev1.PodQOSBurstable || isAllRequested {
		return kubetypes.NoSwap
	}
	return kubetypes.LimitedSwap
}
