package noderesources

import (
	"cmp"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// AllocatedResource is a line of what kubectl describe node prints as "Allocated resources".
type AllocatedResource struct {
	Resource corev1.ResourceName `json:"resource,omitempty"`
	// Requests and Limits are the sums over the pods, zero if no pod sets any.
	Requests resource.Quantity `json:"requests"`
	Limits   resource.Quantity `json:"limits"`
	// RequestsPercent and LimitsPercent are percentages of what the node has for pods, computed
	// in floating point and rounded toward zero, as kubectl does: 29 of 100 are 28. They are 0
	// if the node has nothing. Those of limits are often above
	// 100. A result that overflows is math.MaxInt64 or math.MinInt64.
	RequestsPercent int64 `json:"requestsPercent"`
	LimitsPercent   int64 `json:"limitsPercent"`
}

// OverviewOf returns the requests and limits of the pods on a node, compared with its allocatable
// resources, or with its capacity if its status has no allocatable resources: cpu, memory and
// ephemeral-storage, then hugepages and then all others that the node lists, each sorted by name. Pods
// are not included. kubectl prints no percentages of the others. Any set of pods may
// be passed. Pods that have ended (computeresources.HasEnded) and nil pods are ignored. A
// nil status is a node without resources. A node is overcommitted where LimitsPercent is above 100, and where
// RequestsPercent is, the scheduler places no pod that requests the resource.
//
// Sums are exact. They are those of kubectl of the release. Up to 1.37, they ignore the status of pods. Since 1.38,
// the status of containers counts, as in PodRequests and PodLimits of package computeresources. Gates do not count.
// Resources that the node does not list are absent. The format of a sum is that of the first pod that sets it, by
// namespace and name.
//
// Cost: n log n for n pods.
//
// Source: describeNodeResource of k8s.io/kubectl/pkg/describe (v0.36 to v0.38).
func OverviewOf(
	pods []*corev1.Pod, node *corev1.NodeStatus, kubernetes computeresources.Kubernetes,
) []AllocatedResource {
	var available corev1.ResourceList
	if node != nil {
		available = node.Capacity
		if len(node.Allocatable) > 0 {
			available = node.Allocatable
		}
	}
	on, off := true, false
	opts := computeresources.Options{Kubernetes: computeresources.Kubernetes{
		Release: kubernetes.Release, PodLevelResources: &on, InPlacePodLevelResourcesVerticalScaling: &off,
	}}
	describesStatus := release.Rules(kubernetes).DescribesStatus()
	requests, limits := corev1.ResourceList{}, corev1.ResourceList{}
	var list corev1.ResourceList
	for _, pod := range running(pods) {
		if !describesStatus {
			pod = &corev1.Pod{Spec: pod.Spec}
		}
		list = computeresources.PodRequestsInto(list, pod, opts)
		resourcelist.AddInto(requests, requests, list)
		list = computeresources.PodLimitsInto(list, pod, opts)
		resourcelist.AddInto(limits, limits, list)
	}
	var overview []AllocatedResource
	for _, name := range overviewNames(available) {
		overview = append(overview, AllocatedResource{
			Resource: name,
			Requests: requests[name].DeepCopy(), RequestsPercent: kubectlPercent(name, requests[name], available[name]),
			Limits: limits[name].DeepCopy(), LimitsPercent: kubectlPercent(name, limits[name], available[name]),
		})
	}
	return overview
}

// running returns the pods that have not ended, in the order in which the API server lists
// them.
func running(pods []*corev1.Pod) []*corev1.Pod {
	running := make([]*corev1.Pod, 0, len(pods))
	for _, pod := range pods {
		if pod != nil && !computeresources.HasEnded(pod) {
			running = append(running, pod)
		}
	}
	slices.SortStableFunc(running, func(a, b *corev1.Pod) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return running
}

// overviewNames returns the resources of an overview.
func overviewNames(available corev1.ResourceList) []corev1.ResourceName {
	names := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
	var others []corev1.ResourceName
	for _, name := range quantity.Names(available) {
		switch {
		case resourcelist.IsHugePages(name):
			names = append(names, name)
		case !hasPercentage(name) && name != corev1.ResourcePods:
			others = append(others, name)
		}
	}
	return append(names, others...)
}

// hasPercentage reports whether kubectl prints percentages of a resource.
func hasPercentage(name corev1.ResourceName) bool {
	_, isNative := nativeOf(name)
	return isNative || resourcelist.IsHugePages(name)
}

// kubectlPercent returns the percentage that kubectl prints.
func kubectlPercent(name corev1.ResourceName, part, total resource.Quantity) int64 {
	of := resourcelist.Integer(name, total)
	if of == 0 {
		return 0
	}
	percent := float64(resourcelist.Integer(name, part)) / float64(of) * 100
	switch {
	case percent >= math.MaxInt64: // saturate
		return math.MaxInt64
	case percent <= math.MinInt64: // saturate
		return math.MinInt64
	}
	return int64(percent)
}
