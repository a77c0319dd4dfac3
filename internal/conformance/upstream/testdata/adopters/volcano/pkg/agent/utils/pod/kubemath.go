package pod

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	k8sfeature "k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/computeresources"
)

func milliCPUToQuota(milliCPU, period int64) int64 { return cgroup.MilliCPUToQuota(milliCPU, period) }

func milliCPUToShares(milliCPU int64) uint64 { return uint64(cgroup.MilliCPUToShares(milliCPU)) }

func getEffectivePodRequestByResource(pod *v1.Pod, name v1.ResourceName) resource.Quantity {
	gates := computeresources.Kubernetes{PodLevelResources: new(utilfeature.DefaultFeatureGate.Enabled(k8sfeature.PodLevelResources))}
	return computeresources.SpecRequests(&pod.Spec, computeresources.Options{Kubernetes: gates})[name]
}
