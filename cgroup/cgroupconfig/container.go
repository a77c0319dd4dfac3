package cgroupconfig

import (
	"math/big"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/criticalpod"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/qos"
)

// Container is what the kubelet has the runtime set for a container.
type Container struct {
	Cgroup      Cgroup
	OOMScoreAdj int // of its processes
}

// ForContainer returns what the kubelet sets for a container of a pod:
//
//   - the shares of its CPU request, or of its limit if it has none;
//   - the quota of its CPU limit, and its memory limit, or what the pod as a whole is
//     limited to if it has none;
//   - the limits on huge pages, of the container, or else of the pod;
//   - the swap that it may use, and whether its processes are killed together;
//   - with MemoryQoS, the bytes from which on it is slowed down, and what is protected of
//     its request;
//   - its OOM score: qos.OOMScoreAdj.
//
// It is slowed down from request + factor·(limit - request) on, rounded down to a page,
// where the node's allocatable memory stands in for a limit that it does not have; not at
// all if request and limit are equal, or that is no more than its request.
//
// With LimitedSwap, it may use request·swap/memory of the node, rounded down, if its pod is
// Burstable, and not critical, it requests memory, and not just its limit. Requests above
// the node's memory have none.
//
// A nil pod or container is an empty one.
//
// Cost: the look-ups for these, qos.OOMScoreAdj, and with swap or MemoryQoS qos.PodClass. No
// allocation without those two, without huge pages and with ordinary amounts.
//
// Source: generateLinuxContainerResources of k8s.io/kubernetes/pkg/kubelet/kuberuntime, which
// computes swap and slowing down in floating point.
func ForContainer(pod *corev1.Pod, container *corev1.Container, opts Options) Container {
	if pod == nil {
		pod = &corev1.Pod{}
	}
	if container == nil {
		container = &corev1.Container{}
	}
	var podLevel corev1.ResourceList
	if pod.Spec.Resources != nil {
		podLevel = pod.Spec.Resources.Limits
	}
	own := &container.Resources
	limit := milliCPU(own.Limits)
	if limit == 0 {
		limit = milliCPU(podLevel)
	}
	request := limit
	if _, stated := own.Requests[corev1.ResourceCPU]; stated {
		request = milliCPU(own.Requests)
	}
	c := Cgroup{Shares: exactly(cgroup.MilliCPUToShares(request))}
	if !opts.IgnoreCPULimits {
		c.Quota = opts.quota(limit)
		c.Period = exactly(opts.period())
	}
	c.Memory = positive(bytesOf(own.Limits))
	if c.Memory.State == Unset {
		c.Memory = positive(bytesOf(podLevel))
	}
	if !opts.SingleProcessOOMKill {
		c.OOMGroup = exactly(1)
	}
	c.HugePages = containerHugePages(podLevel, own.Limits, opts.Node.HugePageSizes)
	c.Swap = opts.swap(pod, own)
	opts.setMemoryQoS(&c, pod, own)
	return Container{c, qos.OOMScoreAdj(pod, container, opts.Node.Memory, qos.Options{})}
}

// swap returns what a container may use of the node's swap.
func (o *Options) swap(pod *corev1.Pod, r *corev1.ResourceRequirements) Value {
	request, limit := bytesOf(r.Requests), bytesOf(r.Limits)
	switch {
	case o.Swap == SwapUnavailable:
		return Value{}
	case o.Swap != LimitedSwap, qos.PodClass(pod, qos.Options{}) != corev1.PodQOSBurstable, criticalpod.Is(pod),
		request == limit, request <= 0, request > o.Node.Memory, o.Node.Swap <= 0:
		return exactly(0)
	}
	// No more than the swap, since the request is no more than the memory.
	share := new(big.Int).Mul(big.NewInt(request), big.NewInt(o.Node.Swap))
	return exactly(share.Quo(share, big.NewInt(o.Node.Memory)).Int64())
}

// setMemoryQoS sets what KEP-2570 adds.
func (o *Options) setMemoryQoS(c *Cgroup, pod *corev1.Pod, r *corev1.ResourceRequirements) {
	if o.MemoryQoS == MemoryQoSOff {
		return
	}
	request, limit := bytesOf(r.Requests), bytesOf(r.Limits)
	switch {
	case o.MemoryQoS == MemoryQoSThrottling || request <= 0:
		c.MemoryMin, c.MemoryLow = exactly(0), exactly(0)
	case qos.PodClass(pod, qos.Options{}) == corev1.PodQOSGuaranteed:
		c.MemoryMin = exactly(request)
	default:
		c.MemoryLow = exactly(request)
	}
	if request == limit {
		return
	}
	if limit <= 0 {
		limit = o.Node.AllocatableMemory
	}
	if high := o.throttledFrom(request, limit); limit > 0 && high > request {
		c.MemoryHigh = positive(high)
	}
}

// throttledFrom returns request + factor·(limit - request), rounded down to a page.
func (o *Options) throttledFrom(request, limit int64) int64 {
	page := o.Node.PageSize
	if page <= 0 {
		page = 4096
	}
	room := new(big.Rat).SetFrac64(limit, 1)
	room.Sub(room, new(big.Rat).SetInt64(request))
	high := room.Mul(room, o.throttlingFactor())
	high.Add(high, new(big.Rat).SetInt64(request))
	high.Quo(high, new(big.Rat).SetInt64(page))
	pages := new(big.Int).Div(high.Num(), high.Denom())
	// Between request and limit, which both fit.
	return pages.Mul(pages, big.NewInt(page)).Int64()
}

// throttlingFactor returns the factor as the decimal that it is written as.
func (o *Options) throttlingFactor() *big.Rat {
	f := o.ThrottlingFactor
	if !(f > 0 && f <= 1) {
		return big.NewRat(9, 10)
	}
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64)) // a number
	return r
}

// milliCPU returns the thousandths of a CPU in a list, from 0 on.
func milliCPU(list corev1.ResourceList) int64 {
	return max(0, quantity.Integer(list[corev1.ResourceCPU], resource.Milli))
}

// bytesOf returns the bytes of memory in a list, from 0 on.
func bytesOf(list corev1.ResourceList) int64 {
	return max(0, quantity.Integer(list[corev1.ResourceMemory], 0))
}
