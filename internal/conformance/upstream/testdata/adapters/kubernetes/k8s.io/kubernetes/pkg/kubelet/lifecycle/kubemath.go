package lifecycle

import (
	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/features"
	schedulerframework "k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"kubemath.example/upstream/beside"
)

// kubemath has the reasons about resources, the kubelet all others.
func generalFilter(logger klog.Logger, pod *v1.Pod, nodeInfo *schedulerframework.NodeInfo) []PredicateFailureReason {
	theirs := upstreamGeneralFilter(logger, pod, nodeInfo)
	var pods []*v1.Pod
	for _, info := range nodeInfo.GetPods() {
		pods = append(pods, info.GetPod())
	}
	var opts noderesources.KubeletOptions
	opts.MaxPerContainer, opts.IgnorePodLevel = true, !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources)
	in := beside.Keep("generalFilter", pod, pods)
	short := noderesources.AdmitPod(pod, nodeInfo.Node().Status.Allocatable, pods, opts).Shortages
	in.Unchanged()
	var ours []PredicateFailureReason
	for _, s := range short {
		ours = append(ours, &InsufficientResourceError{s.Resource, s.Requested, s.Used, s.Capacity})
	}
	for _, reason := range theirs {
		if _, is := reason.(*InsufficientResourceError); !is {
			ours = append(ours, reason)
		}
	}
	beside.Compare("generalFilter", ours, theirs)
	return ours
}
