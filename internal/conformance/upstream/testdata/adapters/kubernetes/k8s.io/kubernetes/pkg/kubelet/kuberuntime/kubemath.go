package kuberuntime

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/docker/go-units"
	libcontainercgroups "github.com/opencontainers/cgroups"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	kubefeatures "k8s.io/kubernetes/pkg/features"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/types"
	"k8s.io/utils/ptr"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func (m *kubeGenericRuntimeManager) generateLinuxContainerResources(ctx context.Context, pod *corev1.Pod, container *corev1.Container, enforceMemoryQoS bool) *runtimeapi.LinuxContainerResources {
	in := beside.Keep("generateLinuxContainerResources", pod, container)
	theirs := m.upstreamGenerateLinuxContainerResources(ctx, pod.DeepCopy(), container.DeepCopy(), enforceMemoryQoS)
	if cluster.Claims(pod) {
		beside.Forward("generateLinuxContainerResources", "claims for resources of the node")
		return theirs
	}
	opts := m.options()
	opts.Kubernetes.MemoryQoS = &enforceMemoryQoS
	if enforceMemoryQoS {
		if m.memoryReservationPolicy == kubeletconfig.TieredReservationMemoryReservationPolicy {
			opts.TieredReservation = true
		}
		if m.getNodeAllocatable != nil {
			allocatable := m.getNodeAllocatable()
			opts.NodeMemory.Allocatable = allocatable.Memory().Value()
		}
	}
	opts.ExclusiveCPUs = utilfeature.DefaultFeatureGate.Enabled(kubefeatures.DisableCPUQuotaWithExclusiveCPUs) && m.containerHasExclusiveCPUs(ctx, pod, container)
	set := cgroupconfig.ForContainer(pod, container, opts)
	ours := linuxResources(set.Cgroup)
	ours.OomScoreAdj = int64(set.OOMScoreAdj)
	in.Unchanged()
	beside.Compare("generateLinuxContainerResources", inWords(ours), inWords(theirs))
	return ours
}

// calculateLinuxResources takes amounts, kubemath a container.
func (m *kubeGenericRuntimeManager) calculateLinuxResources(cpuRequest, cpuLimit, memoryLimit *resource.Quantity, disableCPUQuota bool) *runtimeapi.LinuxContainerResources {
	theirs := m.upstreamCalculateLinuxResources(cpuRequest, cpuLimit, memoryLimit, disableCPUQuota)
	container := &corev1.Container{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{}, Limits: corev1.ResourceList{}}}
	if cpuRequest != nil {
		container.Resources.Requests[corev1.ResourceCPU] = *cpuRequest
	}
	if cpuLimit != nil {
		container.Resources.Limits[corev1.ResourceCPU] = *cpuLimit
	}
	if memoryLimit != nil {
		container.Resources.Limits[corev1.ResourceMemory] = *memoryLimit
	}
	opts := m.options()
	opts.SwapUnavailable = true
	opts.NodeMemory.HugePageSizes = nil
	opts.ExclusiveCPUs = disableCPUQuota
	set := cgroupconfig.ForContainer(&corev1.Pod{}, container, opts).Cgroup
	set.MemoryMin, set.MemoryLow, set.MemoryHigh = cgroupconfig.Value{}, cgroupconfig.Value{}, cgroupconfig.Value{} // set by its caller
	ours := linuxResources(set)
	beside.Compare("calculateLinuxResources", inWords(ours), inWords(theirs))
	return ours
}

func calcSwapForBurstablePods(containerMemoryRequest, nodeTotalMemory, totalPodsSwapAvailable int64) (int64, error) {
	theirs, err := upstreamCalcSwapForBurstablePods(containerMemoryRequest, nodeTotalMemory, totalPodsSwapAvailable)
	if err != nil {
		beside.Forward("calcSwapForBurstablePods", "what no node has")
		return theirs, err
	}
	ours := cgroupconfig.NodeMemory{Capacity: nodeTotalMemory, Swap: totalPodsSwapAvailable}.SwapShare(containerMemoryRequest)
	beside.Compare("calcSwapForBurstablePods", ours, theirs)
	return ours, nil
}

func (m *kubeGenericRuntimeManager) calculateSandboxResources(ctx context.Context, pod *corev1.Pod) *runtimeapi.LinuxContainerResources {
	in := beside.Keep("calculateSandboxResources", pod)
	theirs := m.upstreamCalculateSandboxResources(ctx, pod.DeepCopy())
	if cluster.Claims(pod) {
		beside.Forward("calculateSandboxResources", "claims for resources of the node")
		return theirs
	}
	opts := m.options()
	opts.ExclusiveCPUs = utilfeature.DefaultFeatureGate.Enabled(kubefeatures.DisableCPUQuotaWithExclusiveCPUs) && m.podHasExclusiveCPUs(ctx, pod)
	ours := linuxResources(cgroupconfig.ForSandbox(pod, opts).Resources)
	in.Unchanged()
	beside.Compare("calculateSandboxResources", inWords(ours), inWords(theirs))
	return ours
}

func (m *kubeGenericRuntimeManager) convertOverheadToLinuxResources(pod *corev1.Pod) *runtimeapi.LinuxContainerResources {
	in := beside.Keep("convertOverheadToLinuxResources", pod)
	theirs := m.upstreamConvertOverheadToLinuxResources(pod.DeepCopy())
	ours := linuxResources(cgroupconfig.ForSandbox(pod, m.options()).Overhead)
	in.Unchanged()
	beside.Compare("convertOverheadToLinuxResources", inWords(ours), inWords(theirs))
	return ours
}

func (m *kubeGenericRuntimeManager) options() cgroupconfig.Options {
	opts := cgroupconfig.Options{
		IgnoreCPULimits:      !m.cpuCFSQuota,
		Kubernetes:           cluster.Kubernetes(),
		SingleProcessOOMKill: !isCgroup2UnifiedMode() || ptr.Deref(m.singleProcessOOMKill, true),
		ThrottlingFactor:     m.throttlingFactor(),
		NodeMemory:           cgroupconfig.NodeMemory{PageSize: defaultPageSize, HugePageSizes: pageSizes()},
	}
	if utilfeature.DefaultFeatureGate.Enabled(kubefeatures.CPUCFSQuotaPeriod) {
		opts.Period = int64(m.cpuCFSQuotaPeriod.Duration / time.Microsecond)
	}
	if m.machineInfo != nil {
		opts.NodeMemory.Capacity, opts.NodeMemory.Swap = int64(m.machineInfo.MemoryCapacity), int64(m.machineInfo.SwapCapacity)
	}
	switch {
	case m.getSwapControllerAvailable == nil || !m.getSwapControllerAvailable():
		opts.SwapUnavailable = true
	case types.SwapBehavior(m.memorySwapBehavior) == types.LimitedSwap && isCgroup2UnifiedMode() && utilfeature.DefaultFeatureGate.Enabled(kubefeatures.NodeSwap):
		opts.LimitedSwap = true
	}
	return opts
}

// inWords returns a message so that it can be compared.
func inWords(message *runtimeapi.LinuxContainerResources) string {
	out, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func pageSizes() (sizes []int64) {
	for _, text := range libcontainercgroups.HugePageSizes() {
		size, err := units.RAMInBytes(text)
		if err != nil {
			panic(err)
		}
		sizes = append(sizes, size)
	}
	return sizes
}

func linuxResources(c cgroupconfig.Cgroup) *runtimeapi.LinuxContainerResources {
	out := &runtimeapi.LinuxContainerResources{
		CpuShares: c.Shares.Amount, CpuQuota: c.Quota.Amount, CpuPeriod: c.Period.Amount, MemoryLimitInBytes: c.Memory.Amount,
	}
	if c.Quota.Unlimited {
		out.CpuQuota = -1
	}
	unified := func(file string, value cgroupconfig.Value) {
		text := strconv.FormatInt(value.Amount, 10)
		if value.Unlimited {
			text = "max"
		}
		if value.Set || value.Unlimited {
			if out.Unified == nil {
				out.Unified = map[string]string{}
			}
			out.Unified[file] = text
		}
	}
	unified(cm.Cgroup2MemoryMin, c.MemoryMin)
	unified(cm.Cgroup2MemoryLow, c.MemoryLow)
	if !c.MemoryHigh.Unlimited || isCgroup2UnifiedMode() {
		unified(cm.Cgroup2MemoryHigh, c.MemoryHigh)
	}
	unified("memory.oom.group", c.OOMGroup)
	if isCgroup2UnifiedMode() {
		unified(cm.Cgroup2MaxSwapFilename, c.Swap)
	} else if c.Swap.Set {
		out.MemorySwapLimitInBytes = out.MemoryLimitInBytes // memory and swap together
	}
	for _, size := range libcontainercgroups.HugePageSizes() {
		for _, pages := range c.HugePages {
			if unit, err := v1helper.HugePageUnitSizeFromByteSize(pages.Size); err == nil && unit == size {
				out.HugepageLimits = append(out.HugepageLimits, &runtimeapi.HugepageLimit{PageSize: size, Limit: uint64(pages.Limit)})
			}
		}
	}
	return out
}
