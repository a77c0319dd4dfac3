package noderesources

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/kubemath/kubemath/computeresources"
	ledger "github.com/kubemath/kubemath/computeresources/noderesources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// amounts are what a Resource of the scheduler has, as a list.
func amounts(of interface {
	GetMilliCPU() int64
	GetMemory() int64
	GetEphemeralStorage() int64
	GetScalarResources() map[corev1.ResourceName]int64
}) corev1.ResourceList {
	list := corev1.ResourceList{
		corev1.ResourceCPU:              *resource.NewMilliQuantity(of.GetMilliCPU(), resource.DecimalSI),
		corev1.ResourceMemory:           *resource.NewQuantity(of.GetMemory(), resource.BinarySI),
		corev1.ResourceEphemeralStorage: *resource.NewQuantity(of.GetEphemeralStorage(), resource.BinarySI),
	}
	for name, amount := range of.GetScalarResources() {
		list[name] = *resource.NewQuantity(amount, resource.DecimalSI)
	}
	return list
}

func requestOf(list corev1.ResourceList) ledger.Request {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: list}}}}
	return ledger.SpecRequest(spec, computeresources.Options{Kubernetes: cluster.Kubernetes()})
}

// fits is fitsRequest, without devices.
func fits(podRequest *preFilterState, nodeInfo fwk.NodeInfo, ignoredExtendedResources, ignoredResourceGroups sets.Set[string], original func() []InsufficientResource) []InsufficientResource {
	list := amounts(nodeInfo.GetAllocatable())
	list[corev1.ResourcePods] = *resource.NewQuantity(int64(nodeInfo.GetAllocatable().GetAllowedPodNumber()), resource.DecimalSI)
	node := ledger.NewLedger(list)
	there := amounts(nodeInfo.GetRequested())
	for i := range nodeInfo.GetPods() {
		if err := node.Add(types.UID(fmt.Sprint(i)), requestOf(there)); err != nil {
			panic(err)
		}
		there = nil
	}
	if there != nil && nodeInfo.GetRequested().GetMilliCPU()+nodeInfo.GetRequested().GetMemory() != 0 {
		beside.Forward("fitsRequest", "requests of no pod")
		return original()
	}
	var ignored []corev1.ResourceName
	for _, name := range sets.List(ignoredExtendedResources) {
		ignored = append(ignored, corev1.ResourceName(name))
	}
	shortages := node.Shortages(requestOf(amounts(&podRequest.Resource)), ledger.FitOptions{IgnoredResources: ignored, IgnoredGroups: sets.List(ignoredResourceGroups)})
	ours := make([]InsufficientResource, 0, 4)
	for i := range shortages {
		s := &shortages[i]
		ours = append(ours, InsufficientResource{s.Resource, s.Error(), s.Requested, s.Used, s.Capacity, s.Unresolvable})
	}
	theirs := original()
	beside.Compare("fitsRequest", byName(ours), byName(theirs))
	return ours
}

// byName sorts what upstream has in the order of a map.
func byName(all []InsufficientResource) []InsufficientResource {
	return slices.SortedFunc(slices.Values(all), func(a, b InsufficientResource) int {
		return strings.Compare(string(a.ResourceName), string(b.ResourceName))
	})
}
