package lifecycle

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	resourcehelper "k8s.io/component-helpers/resource"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/features"
	schedulerframework "k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// kubemath has the reasons about resources, the kubelet all others.
func generalFilter(logger klog.Logger, pod *v1.Pod, nodeInfo *schedulerframework.NodeInfo) []PredicateFailureReason {
	theirs := upstreamGeneralFilter(logger, pod, nodeInfo)
	// The resources of specs are those that count, whatever the statuses say.
	wanted := pod.DeepCopy()
	wanted.Status = v1.PodStatus{ExtendedResourceClaimStatus: pod.Status.ExtendedResourceClaimStatus}
	podLevel := utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources)
	var pods []*v1.Pod
	for _, info := range nodeInfo.GetPods() {
		requests := resourcehelper.PodRequests(info.GetPod(), resourcehelper.PodResourcesOptions{
			UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodLevelResourcesVerticalScaling), SkipPodLevelResources: !podLevel,
		})
		pods = append(pods, &v1.Pod{Spec: v1.PodSpec{Containers: []v1.Container{{Resources: v1.ResourceRequirements{Requests: requests}}}}})
	}
	// Device plugins change what is allocatable in the kubelet's copy of the node.
	allocatable := nodeInfo.Node().Status.Allocatable.DeepCopy()
	for name, n := range nodeInfo.Allocatable.ScalarResources {
		allocatable[name] = *resource.NewQuantity(n, resource.DecimalSI)
	}
	var opts noderesources.KubeletOptions
	opts.Kubernetes = cluster.Kubernetes()
	in := beside.Keep("generalFilter", wanted, pods)
	short := noderesources.AdmitPod(wanted, allocatable, pods, opts).Shortages
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
