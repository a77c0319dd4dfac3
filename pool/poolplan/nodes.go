package poolplan

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/pool"
)

// NodeOptions says which nodes count. The zero value leaves out those to which no pod can
// be scheduled.
type NodeOptions struct {
	// Unschedulable counts nodes that are cordoned, too.
	Unschedulable bool
}

// FromNodes returns a pool with a name that has what the nodes can allocate in all: pods as
// they are, everything else as requests (requests.cpu, requests.nvidia.com/gpu,
// requests.hugepages-2Mi), which is the quota on what a scheduler takes from a node. Storage
// that is attached is no resource of a quota, and left out. Nodes that are going do not
// count, and neither do nil ones. The pool selects no namespaces yet.
func FromNodes(name string, nodes []*corev1.Node, o NodeOptions) *pool.ResourcePool {
	p := &pool.ResourcePool{
		TypeMeta:   metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePool"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
	}
	p.Spec.Quota.Hard = corev1.ResourceList{}
	for _, node := range nodes {
		if node == nil || node.DeletionTimestamp != nil || node.Spec.Unschedulable && !o.Unschedulable {
			continue
		}
		for of, q := range node.Status.Allocatable {
			if name := quotaName(of); name != "" {
				sum := p.Spec.Quota.Hard[name]
				sum.Add(q)
				p.Spec.Quota.Hard[name] = sum
			}
		}
	}
	for name, sum := range p.Spec.Quota.Hard {
		if sum.Format == "" {
			sum.Format = resource.DecimalSI
			p.Spec.Quota.Hard[name] = sum
		}
	}
	return p
}

// quotaName returns the resource of a quota that limits one of a node, "" if there is none.
func quotaName(of corev1.ResourceName) corev1.ResourceName {
	switch {
	case of == corev1.ResourcePods:
		return of
	case strings.HasPrefix(string(of), corev1.ResourceAttachableVolumesPrefix):
		return ""
	}
	return corev1.DefaultResourceRequestsPrefix + of
}
