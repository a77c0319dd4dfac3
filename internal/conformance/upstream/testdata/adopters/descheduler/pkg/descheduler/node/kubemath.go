package node

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	podutil "sigs.k8s.io/descheduler/pkg/descheduler/pod"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func fitsRequest(indexer podutil.GetPodsAssignedToNodeFunc, pod *v1.Pod, node *v1.Node) (bool, error) {
	pods, err := podutil.ListPodsOnANode(node.Name, indexer, nil)
	if err != nil {
		return false, err
	}
	free := resourcelist.Subtract(node.Status.Allocatable, v1.ResourceList{v1.ResourcePods: *resource.NewQuantity(int64(len(pods)), resource.DecimalSI)})
	for _, p := range pods {
		free = resourcelist.SubtractInto(free, free, computeresources.SpecRequests(&p.Spec, computeresources.Options{}))
	}
	want := computeresources.SpecRequests(&pod.Spec, computeresources.Options{})
	want[v1.ResourcePods] = *resource.NewQuantity(1, resource.DecimalSI)
	if missing := resourcelist.Insufficient(want, free); len(missing) > 0 {
		return false, fmt.Errorf("insufficient %v", missing[0])
	}
	return true, nil
}
