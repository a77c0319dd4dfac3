package poolplan

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
)

// NodeOptions select the nodes that count. The zero value ignores unschedulable nodes.
type NodeOptions struct {
	// Unschedulable counts nodes that are cordoned, too.
	Unschedulable bool
}

// FromNodes returns a pool with the sum of the allocatable resources of the nodes: pods under their
// own name, and all other resources as requests (requests.cpu, requests.nvidia.com/gpu,
// requests.hugepages-2Mi). Resources whose requests quotas do not count, such as attachable
// volumes, are left out. Nodes that are being deleted and nil nodes do not count. The pool does not
// select namespaces yet.
func FromNodes(name string, nodes []*corev1.Node, o NodeOptions) *pool.ResourcePool {
	p := &pool.ResourcePool{
		TypeMeta:   metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePool"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
	}
	hard := corev1.ResourceList{}
	for _, node := range nodes {
		if node == nil || node.DeletionTimestamp != nil || node.Spec.Unschedulable && !o.Unschedulable {
			continue
		}
		hard = resourcelist.AddInto(hard, hard, quotaOn(node.Status.Allocatable))
	}
	p.Spec.Quota.Hard = hard
	return p
}

// quotaOn returns the quota that limits pods to the allocatable amounts of a node. Resources that quotas
// do not count are omitted.
func quotaOn(allocatable corev1.ResourceList) corev1.ResourceList {
	hard := corev1.ResourceList{}
	for name, q := range allocatable {
		if q.Format == "" {
			q.Format = resource.DecimalSI
		}
		if prefixed, _ := resourcelist.RequestQuotaNames(name); prefixed != "" {
			hard[prefixed] = q
		} else if name == corev1.ResourcePods {
			hard[name] = q
		}
	}
	return hard
}
