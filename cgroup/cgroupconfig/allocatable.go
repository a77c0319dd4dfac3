package cgroupconfig

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ForAllocatable returns what the kubelet sets on the root of all pods, from what is allocatable on
// the node: shares, a memory limit, and limits on huge pages. Resources that are not in the list
// are not set, and neither is a memory limit of 0 or less. Pass the capacity of the node if what is
// allocatable is not enforced. For the cgroups of reserved resources, pass what is reserved, or only
// its CPU if only what can be taken back at any time is enforced (kube-reserved-compressible and
// system-reserved-compressible).
//
// Source: getCgroupConfigInternal of k8s.io/kubernetes/pkg/kubelet/cm, which also limits process
// IDs.
func ForAllocatable(allocatable corev1.ResourceList) Cgroup {
	c := Cgroup{Memory: positive(bytesOf(allocatable)), HugePages: addHugePages(nil, allocatable)}
	if q, set := allocatable[corev1.ResourceCPU]; set {
		c.Shares = exactly(cgroup.MilliCPUToShares(quantity.Integer(q, resource.Milli)))
	}
	return c
}
