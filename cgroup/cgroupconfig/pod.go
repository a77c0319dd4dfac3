package cgroupconfig

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/qos"
)

// ForPod returns what the kubelet sets on the cgroup of a pod:
//
//   - the shares of the effective CPU request of the pod, and 2 if it is BestEffort;
//   - the quota and the memory limit of what its limits add up to, each only if every
//     container has one, init containers included, or the pod has a pod-level limit; a
//     Guaranteed pod has both, a BestEffort pod neither;
//   - the limit on huge pages of each size that it requests, and 0 for the other sizes of the
//     node;
//   - with TieredReservation, the memory that it requests: as MemoryMin if it is
//     Guaranteed, as MemoryLow otherwise;
//   - since 1.37, with MemoryQoS and a ThrottlingFactor, memory.high from the sums of a pod with pod-level resources
//     that has a memory limit, as ForContainer computes it.
//
// Sums are those of computeresources.SpecRequests and SpecLimits, with pod-level resources and
// overhead, rounded up to milli-units of CPU and to bytes. The class is qos.PodClass. Without
// PodLevelResources, spec.resources counts for neither. A nil pod is an empty one.
//
// Cost: one pass with four lookups per container, and no allocation, for a pod with ordinary
// amounts of cpu, memory and ephemeral storage, without pod-level resources and overhead; for
// others, what SpecTotals of both lists and PodClass cost, and SpecRequests if there is
// more than those three.
//
// Source: ResourceConfigForPod of k8s.io/kubernetes/pkg/kubelet/cm. Up to 1.36, it ignores an init
// container without a limit that follows a sidecar with one.
func ForPod(pod *corev1.Pod, opts Options) Cgroup {
	var p podSums
	if pod != nil {
		pod = opts.counted(pod)
		p.read(pod, opts.Kubernetes)
	}
	var c Cgroup
	switch p.class {
	case corev1.PodQOSGuaranteed:
		c.Shares = exactly(cgroup.MilliCPUToShares(p.requests.cpu))
		p.limitCPU(&c, &opts)
		p.limitMemory(&c)
	case corev1.PodQOSBurstable:
		c.Shares = exactly(cgroup.MilliCPUToShares(p.requests.cpu))
		if p.limited.cpu {
			p.limitCPU(&c, &opts)
		}
		if p.limited.memory {
			p.limitMemory(&c)
		}
	default:
		c.Shares = exactly(cgroup.MilliCPUToShares(0))
	}
	if opts.reserves() {
		if p.class == corev1.PodQOSGuaranteed {
			c.MemoryMin = positive(p.requests.memory)
		} else {
			c.MemoryLow = positive(p.requests.memory)
		}
	}
	p.setMemoryHigh(&c, &opts)
	if p.more || len(opts.NodeMemory.HugePageSizes) > 0 {
		c.HugePages = podHugePages(pod, opts.NodeMemory.HugePageSizes)
	}
	return c
}

func (p *podSums) limitCPU(c *Cgroup, opts *Options) {
	c.Quota = opts.quota(p.limits.cpu)
	c.Period = exactly(opts.period())
}

func (p *podSums) limitMemory(c *Cgroup) { c.Memory = positive(p.limits.memory) }

// podSums holds the sums and flags of a pod that its values depend on.
type podSums struct {
	class            corev1.PodQOSClass
	requests, limits amounts
	limited          struct{ cpu, memory bool } // which limits all containers have
	setsPodLevel     bool
	more             bool // it may request other resources
}

// amounts are milli-units of CPU and bytes of memory.
type amounts struct{ cpu, memory int64 }

func amountsOf(c *podwalk.Compute) amounts {
	return amounts{c.Resources[podwalk.CPU].Total(), c.Resources[podwalk.Memory].Total()}
}

// read reads all containers in one pass, if no other options apply and their amounts are exact as
// integers.
func (p *podSums) read(pod *corev1.Pod, kubernetes computeresources.Kubernetes) {
	var b podwalk.Both
	if pod.Spec.Resources == nil && len(pod.Spec.Overhead) == 0 && b.Read(&pod.Spec, release.Rules(kubernetes)) {
		p.class = pod.Status.QOSClass
		if p.class == "" {
			p.class = b.Class
		}
		p.requests = amountsOf(&b.Requests)
		p.limits = amountsOf(&b.Limits)
		p.limited.cpu, p.limited.memory = b.Limits.Complete(podwalk.CPU), b.Limits.Complete(podwalk.Memory)
		p.omitLimits(kubernetes)
		p.more = !b.Requests.IsAll()
		return
	}
	of := computeresources.Options{Kubernetes: kubernetes}
	requests := computeresources.SpecTotals(&pod.Spec, computeresources.Requests, of)
	limits := computeresources.SpecTotals(&pod.Spec, computeresources.Limits, of)
	*p = podSums{
		class:        qos.PodClass(pod, kubernetes),
		requests:     amounts{requests.MilliCPU, requests.Memory},
		limits:       amounts{limits.MilliCPU, limits.Memory},
		setsPodLevel: resourcename.SetsPodLevel(&pod.Spec),
		more:         true,
	}
	p.limited.cpu, p.limited.memory = limits.CPUAllSet, limits.MemoryAllSet
	p.omitLimits(kubernetes)
}

// omitLimits removes sums of limits that not all containers have, as SpecTotals does, and those that are zero. They
// matter only in pods that no API server stores: if the status says that a pod is Guaranteed that is not, and if
// amounts below zero cancel others.
func (p *podSums) omitLimits(kubernetes computeresources.Kubernetes) {
	if !release.Rules(kubernetes).OmitsPartialLimits() {
		return
	}
	if !p.limited.cpu {
		p.limits.cpu = 0
	}
	if !p.limited.memory {
		p.limits.memory = 0
	}
	p.limited.cpu, p.limited.memory = p.limits.cpu != 0, p.limits.memory != 0
}
