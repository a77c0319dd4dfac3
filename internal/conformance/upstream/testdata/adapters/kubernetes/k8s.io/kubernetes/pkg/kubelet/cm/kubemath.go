package cm

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	v1qos "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	kubefeatures "k8s.io/kubernetes/pkg/features"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// Conversions.

func MilliCPUToShares(milliCPU int64) uint64 {
	ours := uint64(cgroup.MilliCPUToShares(milliCPU))
	beside.Compare("MilliCPUToShares", ours, upstreamMilliCPUToShares(milliCPU))
	return ours
}

func MilliCPUToQuota(milliCPU int64, period int64) int64 {
	theirs := upstreamMilliCPUToQuota(milliCPU, period)
	if !utilfeature.DefaultFeatureGate.Enabled(kubefeatures.CPUCFSQuotaPeriod) {
		period = QuotaPeriod
	}
	ours := cgroup.MilliCPUToQuota(milliCPU, period)
	beside.Compare("MilliCPUToQuota", ours, theirs)
	return ours
}

func getCPUWeight(cpuShares *uint64) uint64 {
	theirs := upstreamGetCPUWeight(cpuShares)
	if cpuShares == nil {
		beside.Forward("getCPUWeight", "no shares")
		return theirs
	}
	ours := uint64(cgroup.SharesToLinearWeight(int64(*cpuShares)))
	beside.Compare("getCPUWeight", ours, theirs)
	return ours
}

func HugePageLimits(resourceList corev1.ResourceList) map[int64]int64 {
	in := beside.Keep("HugePageLimits", resourceList)
	theirs := upstreamHugePageLimits(resourceList.DeepCopy())
	ours := hugePageLimits(cgroupconfig.ForAllocatable(resourceList))
	in.Unchanged()
	beside.Compare("HugePageLimits", ours, theirs)
	return ours
}

// Pods, tiers and the node.

func ResourceConfigForPod(allocatedPod *corev1.Pod, enforceCPULimits bool, cpuPeriod uint64, enforceMemoryQoS bool, policy kubeletconfig.MemoryReservationPolicy) *ResourceConfig {
	in := beside.Keep("ResourceConfigForPod", allocatedPod)
	theirs := upstreamResourceConfigForPod(allocatedPod.DeepCopy(), enforceCPULimits, cpuPeriod, enforceMemoryQoS, policy)
	if cluster.Claims(allocatedPod) {
		beside.Forward("ResourceConfigForPod", "claims for resources of the node")
		return theirs
	}
	opts := cgroupconfig.Options{Period: int64(cpuPeriod), IgnoreCPULimits: !enforceCPULimits, Kubernetes: cluster.Kubernetes()}
	opts.Kubernetes.MemoryQoS, opts.TieredReservation = &enforceMemoryQoS, tieredReservation(policy)
	set := cgroupconfig.ForPod(allocatedPod, opts)
	ours := resourceConfig(set)
	if v1qos.GetPodQOS(allocatedPod) == corev1.PodQOSGuaranteed && set.Memory == (cgroupconfig.Value{}) {
		ours.Memory = new(int64) // which is how the kubelet says that it sets none
	}
	in.Unchanged()
	beside.Compare("ResourceConfigForPod", ours, theirs)
	return ours
}

func (m *qosContainerManagerImpl) setCPUCgroupConfig(configs map[corev1.PodQOSClass]*CgroupConfig) error {
	in := beside.Keep("setCPUCgroupConfig", m.activePods())
	theirs := sameNames(configs)
	if err := m.upstreamSetCPUCgroupConfig(theirs); err != nil {
		return err
	}
	tiers := cgroupconfig.ForTiers(m.activePods(), cgroupconfig.Options{Kubernetes: cluster.Kubernetes()})
	configs[corev1.PodQOSBurstable].ResourceParameters.CPUShares = resourceConfig(tiers.Burstable).CPUShares
	configs[corev1.PodQOSBestEffort].ResourceParameters.CPUShares = resourceConfig(tiers.BestEffort).CPUShares
	in.Unchanged()
	for class := range configs {
		beside.Compare("setCPUCgroupConfig", configs[class].ResourceParameters.CPUShares, theirs[class].ResourceParameters.CPUShares)
	}
	return nil
}

func (m *qosContainerManagerImpl) setMemoryQoS(logger klog.Logger, configs map[corev1.PodQOSClass]*CgroupConfig) {
	if cluster.Claims(m.activePods()...) {
		beside.Forward("setMemoryQoS", "claims for resources of the node")
		m.upstreamSetMemoryQoS(logger, configs)
		return
	}
	in := beside.Keep("setMemoryQoS", m.activePods())
	theirs := sameNames(configs)
	m.upstreamSetMemoryQoS(logger, theirs)
	tiers := cgroupconfig.ForTiers(m.activePods(), cgroupconfig.Options{TieredReservation: tieredReservation(m.memoryReservationPolicy), Kubernetes: throttling()})
	in.Unchanged()
	for class, tier := range map[corev1.PodQOSClass]cgroupconfig.Cgroup{
		corev1.PodQOSGuaranteed: tiers.Guaranteed, corev1.PodQOSBurstable: tiers.Burstable, corev1.PodQOSBestEffort: tiers.BestEffort,
	} {
		configs[class].ResourceParameters.Unified = resourceConfig(tier).Unified
		beside.Compare("setMemoryQoS", configs[class].ResourceParameters.Unified, theirs[class].ResourceParameters.Unified)
	}
}

func (m *qosContainerManagerImpl) setMemoryReserve(logger klog.Logger, configs map[corev1.PodQOSClass]*CgroupConfig, percentReserve int64) {
	in := beside.Keep("setMemoryReserve", m.activePods())
	theirs := sameNames(configs)
	m.upstreamSetMemoryReserve(logger, theirs, percentReserve)
	allocatable := m.getNodeAllocatable()[corev1.ResourceMemory]
	tiers := cgroupconfig.ForTiers(m.activePods(), cgroupconfig.Options{
		ReservedPercent: &percentReserve, Kubernetes: cluster.Kubernetes(),
		NodeMemory: cgroupconfig.NodeMemory{Allocatable: allocatable.Value()},
	})
	in.Unchanged()
	for class, tier := range map[corev1.PodQOSClass]cgroupconfig.Cgroup{corev1.PodQOSBurstable: tiers.Burstable, corev1.PodQOSBestEffort: tiers.BestEffort} {
		configs[class].ResourceParameters.Memory = resourceConfig(tier).Memory
		beside.Compare("setMemoryReserve", configs[class].ResourceParameters.Memory, theirs[class].ResourceParameters.Memory)
	}
}

func getCgroupConfigInternal(rl corev1.ResourceList, compressibleResourcesOnly bool) *ResourceConfig {
	in := beside.Keep("getCgroupConfigInternal", rl)
	theirs := upstreamGetCgroupConfigInternal(rl.DeepCopy(), compressibleResourcesOnly)
	if theirs == nil {
		beside.Forward("getCgroupConfigInternal", "no list at all")
		return nil
	}
	enforced := rl
	if compressibleResourcesOnly {
		enforced = resourcelist.Mask(rl, []corev1.ResourceName{corev1.ResourceCPU})
	}
	ours := resourceConfig(cgroupconfig.ForAllocatable(enforced))
	ours.PidsLimit = theirs.PidsLimit // process IDs are none of its business
	if compressibleResourcesOnly {
		ours.HugePageLimit = nil
	}
	in.Unchanged()
	beside.Compare("getCgroupConfigInternal", ours, theirs)
	return ours
}

func tieredReservation(policy kubeletconfig.MemoryReservationPolicy) bool {
	return policy == kubeletconfig.TieredReservationMemoryReservationPolicy
}

// throttling is the cluster with memory QoS.
func throttling() computeresources.Kubernetes {
	k := cluster.Kubernetes()
	k.MemoryQoS = new(true)
	return k
}

// sameNames returns configs of the same cgroups that set nothing yet.
func sameNames(configs map[corev1.PodQOSClass]*CgroupConfig) map[corev1.PodQOSClass]*CgroupConfig {
	out := map[corev1.PodQOSClass]*CgroupConfig{}
	for class, config := range configs {
		out[class] = &CgroupConfig{Name: config.Name, ResourceParameters: &ResourceConfig{}}
	}
	return out
}

func resourceConfig(c cgroupconfig.Cgroup) *ResourceConfig {
	out := &ResourceConfig{HugePageLimit: hugePageLimits(c)}
	if c.Shares.Set {
		shares := uint64(c.Shares.Amount)
		out.CPUShares = &shares
	}
	if quota := c.Quota.Amount; c.Quota.Set {
		out.CPUQuota = &quota
	} else if c.Quota.Unlimited {
		quota = -1
		out.CPUQuota = &quota
	}
	if c.Period.Set {
		period := uint64(c.Period.Amount)
		out.CPUPeriod = &period
	}
	if memory := c.Memory.Amount; c.Memory.Set {
		out.Memory = &memory
	}
	for file, value := range map[string]cgroupconfig.Value{Cgroup2MemoryMin: c.MemoryMin, Cgroup2MemoryLow: c.MemoryLow} {
		if value.Set {
			if out.Unified == nil {
				out.Unified = map[string]string{}
			}
			out.Unified[file] = strconv.FormatInt(value.Amount, 10)
		}
	}
	return out
}

func hugePageLimits(c cgroupconfig.Cgroup) map[int64]int64 {
	limits := map[int64]int64{}
	for _, pages := range c.HugePages {
		limits[pages.Size] = pages.Limit
	}
	return limits
}
