package cgroupconfig

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Sandbox is what the kubelet passes to the runtime that creates the sandbox of a pod.
type Sandbox struct {
	Resources Cgroup `json:"resources,omitzero"` // what the containers of the pod need together, without overhead
	Overhead  Cgroup `json:"overhead,omitzero"`  // what the sandbox itself needs; nothing for a pod without overhead
}

// ForSandbox returns what the kubelet passes to the runtime that creates the sandbox of a pod, such
// as a virtual machine that has to be large enough:
//
//   - the shares of what the containers request together, or of their limits if they request no
//     CPU; the quota of the sum of the CPU limits, and the sum of the memory limits. Up to 1.37, these are sums
//     even if some containers have no limit; since 1.38, there is none then;
//   - the overhead, as both request and limit.
//
// Sums are those of computeresources.SpecRequests and SpecLimits without overhead, and with pod-level
// resources unless PodLevelResources is off. With ExclusiveCPUs, the pod has no quota, but the
// overhead has. A nil pod is an empty one.
//
// Source: applySandboxResources of k8s.io/kubernetes/pkg/kubelet/kuberuntime.
func ForSandbox(pod *corev1.Pod, opts Options) Sandbox {
	if pod == nil {
		pod = &corev1.Pod{}
	}
	spec := &opts.counted(pod).Spec
	ofContainers := computeresources.Options{Kubernetes: opts.Kubernetes, ExcludeOverhead: true}
	requests := computeresources.SpecRequests(spec, ofContainers)
	limits := computeresources.SpecLimits(spec, ofContainers)
	s := Sandbox{Resources: opts.linux(requests, milliCPU(limits), bytesOf(limits))}
	if len(spec.Overhead) > 0 {
		opts.ExclusiveCPUs = false
		s.Overhead = opts.linux(spec.Overhead, milliCPU(spec.Overhead), bytesOf(spec.Overhead))
	}
	return s
}

// linux returns the values that follow from requests of CPU, in milli-units, and from limits. The
// kubelet sets them in the same way for containers and sandboxes.
func (o *Options) linux(requests corev1.ResourceList, cpuLimit, memoryLimit int64) Cgroup {
	request := cpuLimit
	if q, set := requests[corev1.ResourceCPU]; set {
		request = max(0, quantity.Integer(q, resource.Milli))
	}
	c := Cgroup{Shares: exactly(cgroup.MilliCPUToShares(request)), Memory: positive(memoryLimit)}
	if !o.IgnoreCPULimits {
		c.Quota = o.quota(cpuLimit)
		c.Period = exactly(o.period())
	}
	if !o.SingleProcessOOMKill {
		c.OOMGroup = exactly(1)
	}
	return c
}

// SwapShare returns how much of the node's swap a container with a memory request may use with LimitedSwap, in
// bytes: the part of Swap that its request, in bytes, is of Capacity, rounded down. It is 0 for a request of 0 or
// less, or one above the capacity, and on a node without memory or swap. Whether a container may use swap at all
// depends on its pod: see ForContainer.
//
// Source: calcSwapForBurstablePods of k8s.io/kubernetes/pkg/kubelet/kuberuntime, which computes in
// floating point, and for which a request above the memory is an error.
func (n NodeMemory) SwapShare(request int64) int64 {
	if request <= 0 || request > n.Capacity || n.Swap <= 0 {
		return 0
	}
	var share quantity.Wide
	share.AddProduct(request, n.Swap)
	return share.Quotient(n.Capacity)
}

// defaultPeriod is the period of cgroups, in microseconds.
const defaultPeriod = 100000
