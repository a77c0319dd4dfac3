package allocation

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	resourcehelper "k8s.io/component-helpers/resource"
	"k8s.io/klog/v2"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// reported returns a pod as clients see it once the kubelet has reported what it has allocated.
func reported(m Manager, pod *v1.Pod) *v1.Pod {
	own := pod.DeepCopy()
	own.Status.ContainerStatuses, own.Status.InitContainerStatuses = nil, nil
	for c := range podutil.ContainerIter(&pod.Spec, podutil.InitContainers|podutil.Containers) {
		if r, known := m.GetContainerResourceAllocation(pod.UID, c.Name); known {
			own.Status.ContainerStatuses = append(own.Status.ContainerStatuses, v1.ContainerStatus{Name: c.Name, AllocatedResources: r.Requests, Resources: &r})
		}
	}
	allocated, _ := m.UpdatePodFromAllocation(pod)
	own.Status.AllocatedResources = resourcehelper.PodRequests(allocated, resourcehelper.PodResourcesOptions{})
	return own
}

var isOn = utilfeature.DefaultFeatureGate.Enabled

func options() (opts noderesources.KubeletOptions) {
	opts.Kubernetes = cluster.Kubernetes()
	return opts
}

func (m *manager) sortPendingResizes(logger klog.Logger) {
	if why := unanswered(); why != "" {
		beside.Forward("sortPendingResizes", why)
		m.upstreamSortPendingResizes(logger)
		return
	}
	var pods []*v1.Pod
	var ours []types.UID
	for _, uid := range m.podsWithPendingResizes {
		pod, found := m.getPodByUID(uid)
		if !found {
			continue
		}
		if _, differs := m.UpdatePodFromAllocation(pod); !differs {
			ours = append(ours, uid)
		}
		own := reported(m, pod)
		own.Status.Conditions = nil
		for _, c := range m.statusManager.GetPodResizeConditions(uid) {
			own.Status.Conditions = append(own.Status.Conditions, *c)
		}
		pods = append(pods, own)
	}
	m.upstreamSortPendingResizes(logger)
	theirs := m.podsWithPendingResizes
	in := beside.Keep("sortPendingResizes", pods)
	resizes := noderesources.PendingResizes(pods, nil, options())
	in.Unchanged()
	for _, r := range resizes {
		ours = append(ours, pods[r.Pod].UID)
	}
	beside.Compare("sortPendingResizes", ours, theirs)
	m.podsWithPendingResizes = ours
}

// admit is Admit, beside theirs.
func (h *podResizesAdmitHandler) admit(attrs *lifecycle.PodAdmitAttributes, theirs lifecycle.PodAdmitResult) lifecycle.PodAdmitResult {
	if attrs.Operation != lifecycle.ResizeOperation {
		return theirs
	}
	if why := unanswered(); why != "" {
		beside.Forward("podResizesAdmitHandler.Admit", why)
		return theirs
	}
	pod := reported(h.allocationManager, attrs.Pod)
	for c := range podutil.ContainerIter(&pod.Spec, podutil.InitContainers|podutil.Containers) {
		if h.containerRuntime.GetContainerSwapBehavior(pod, c) != kubetypes.NoSwap {
			beside.Forward("podResizesAdmitHandler.Admit", "which containers may use swap is the runtime's to say")
			return theirs
		}
	}
	opts, config := options(), h.containerManager.GetNodeConfig()
	opts.StaticCPUs = config.CPUManagerPolicy == "static" && !isOn(features.InPlacePodVerticalScalingExclusiveCPUs)
	opts.StaticMemory = config.MemoryManagerPolicy == "Static" && !isOn(features.InPlacePodVerticalScalingExclusiveMemory)
	pod.Status.Conditions = nil
	in := beside.Keep("podResizesAdmitHandler.Admit", pod)
	resizes := noderesources.PendingResizes([]*v1.Pod{pod}, nil, opts)
	in.Unchanged()
	ours := lifecycle.PodAdmitResult{Admit: true}
	if len(resizes) > 0 && resizes[0].State == v1.PodReasonInfeasible {
		ours = lifecycle.PodAdmitResult{Reason: v1.PodReasonInfeasible, Message: resizes[0].Message}
	}
	beside.Compare("podResizesAdmitHandler.Admit", ours, theirs)
	return ours
}
