package conformance

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/kubelet"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// parameters are those of the kubelet's function, and the options that they are.
type parameters struct {
	enforceCPULimits, enforceMemoryQoS bool
	period                             uint64
	policy                             kubeletconfig.MemoryReservationPolicy
	factor                             *float64 // of throttling
}

func (p parameters) options() cgroupconfig.Options {
	return cgroupconfig.Options{
		Kubernetes: computeresources.Kubernetes{Release: oracle.Release, MemoryQoS: &p.enforceMemoryQoS},
		Period:     int64(p.period), IgnoreCPULimits: !p.enforceCPULimits, ThrottlingFactor: p.factor,
		TieredReservation: p.policy == kubeletconfig.TieredReservationMemoryReservationPolicy,
	}
}

// forPod returns what the kubelet sets for a pod.
func (p parameters) forPod(pod *corev1.Pod) cgroupconfig.Cgroup {
	pod = pod.DeepCopy()
	c := cm.ResourceConfigForPod(pod, p.enforceCPULimits, p.period, p.enforceMemoryQoS, p.policy)
	if p.enforceMemoryQoS && p.factor != nil {
		throttlePod(pod, c, *p.factor)
	}
	return translated(c)
}

func drawParameters(t *rapid.T) parameters {
	return parameters{
		enforceCPULimits: rapid.Bool().Draw(t, "enforce CPU limits"),
		enforceMemoryQoS: rapid.Bool().Draw(t, "enforce memory QoS"),
		period:           rapid.SampledFrom([]uint64{100000, 1000, 5000, 33333, 1000000}).Draw(t, "period"),
		policy: rapid.SampledFrom([]kubeletconfig.MemoryReservationPolicy{
			"", kubeletconfig.NoneMemoryReservationPolicy, kubeletconfig.TieredReservationMemoryReservationPolicy,
		}).Draw(t, "policy"),
		factor: rapid.SampledFrom([]*float64{nil, factor(1), factor(0.75), factor(0.5)}).Draw(t, "factor"), // exact as floats
	}
}

// Under all parameters, for all pods that the kubelet's integers hold.
func TestForPod(t *testing.T) {
	milli := rapid.Map(rapid.Int64Range(0, 100000), func(n int64) resource.Quantity { return *resource.NewMilliQuantity(n, resource.DecimalSI) })
	small := rapid.Map(rapid.Int64Range(0, 100), func(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.BinarySI) })
	pages := rapid.Map(rapid.Int64Range(0, 100), func(n int64) resource.Quantity { return *resource.NewQuantity(n<<11, resource.BinarySI) })
	pods := map[string]*rapid.Generator[*corev1.Pod]{
		"thousandths": testkit.PodWith(milli), "whole numbers": testkit.PodWith(small), "even": evenPodOf(small),
		"pages": testkit.PodWith(pages),
	}
	for name, pods := range pods {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pod, p := pods.Draw(t, "pod"), drawParameters(t)
				want, got := p.forPod(pod), cgroupconfig.ForPod(pod, p.options())
				// See BindingLimits.
				if overlooked(&pod.Spec, corev1.ResourceCPU) {
					want.Quota, want.Period, got.Quota, got.Period = cgroupconfig.Value{}, cgroupconfig.Value{}, cgroupconfig.Value{}, cgroupconfig.Value{}
				}
				if overlooked(&pod.Spec, corev1.ResourceMemory) {
					want.Memory, got.Memory = cgroupconfig.Value{}, cgroupconfig.Value{}
				}
				testkit.NoDiff(t, got, want, cmpopts.EquateEmpty())
			})
		})
	}
}

func factor(f float64) *float64 { return &f }

// evenPodOf draws pods whose requests equal their limits.
func evenPodOf(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := &corev1.Pod{}
		for range rapid.IntRange(0, 4).Draw(t, "containers") {
			limits := corev1.ResourceList{corev1.ResourceCPU: quantities.Draw(t, "cpu"), corev1.ResourceMemory: quantities.Draw(t, "memory")}
			c := testkit.Container("c", limits.DeepCopy(), limits)
			if rapid.IntRange(0, 3).Draw(t, "init") == 0 {
				pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
			} else {
				pod.Spec.Containers = append(pod.Spec.Containers, c)
			}
		}
		return pod
	})
}

// translated returns the kubelet's answer as ours. To the kubelet, a quota or a memory
// limit of 0 is not set.
func translated(c *cm.ResourceConfig) (t cgroupconfig.Cgroup) {
	set := func(n int64) cgroupconfig.Value { return cgroupconfig.Value{Set: true, Amount: n} }
	if c.CPUShares != nil {
		t.Shares = set(int64(*c.CPUShares))
	}
	if c.CPUQuota != nil && *c.CPUQuota < 0 {
		t.Quota = cgroupconfig.Value{Unlimited: true}
	} else if c.CPUQuota != nil && *c.CPUQuota > 0 {
		t.Quota = set(*c.CPUQuota)
	}
	if c.CPUPeriod != nil {
		t.Period = set(int64(*c.CPUPeriod))
	}
	if c.Memory != nil && *c.Memory > 0 {
		t.Memory = set(*c.Memory)
	}
	for file, value := range map[string]*cgroupconfig.Value{cm.Cgroup2MemoryMin: &t.MemoryMin, cm.Cgroup2MemoryLow: &t.MemoryLow, cm.Cgroup2MemoryHigh: &t.MemoryHigh} {
		if text, ok := c.Unified[file]; ok {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				panic(err)
			}
			*value = set(n)
		}
	}
	t.HugePages = hugePages(c.HugePageLimit)
	return t
}

func hugePages(limits map[int64]int64) (sorted []cgroupconfig.HugePages) {
	for size, limit := range limits {
		sorted = append(sorted, cgroupconfig.HugePages{Size: size, Limit: limit})
	}
	slices.SortFunc(sorted, func(a, b cgroupconfig.HugePages) int { return int(a.Size - b.Size) })
	return sorted
}

func TestHugePageLimits(t *testing.T) {
	sizes := []corev1.ResourceName{"hugepages-2Mi", "hugepages-1Gi", "hugepages-64Ki", "hugepages-2048Ki", "hugepages-2M", "cpu", "example.com/hugepages-2Mi"}
	rapid.Check(t, func(t *rapid.T) {
		list := corev1.ResourceList{}
		for _, name := range rapid.SliceOf(rapid.SampledFrom(sizes)).Draw(t, "names") {
			list[name] = testkit.Bytes().Draw(t, "amount")
		}
		want := hugePages(cm.HugePageLimits(list.DeepCopy()))
		testkit.NoDiff(t, cgroupconfig.ForAllocatable(list).HugePages, want)
	})
}

func TestHugePageUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 1500).Draw(t, "size") << rapid.IntRange(0, 52).Draw(t, "shift")
		var want []cgroupconfig.Setting
		if unit, err := helper.HugePageUnitSizeFromByteSize(size); err == nil {
			want = []cgroupconfig.Setting{{Name: "hugetlb." + unit + ".max", Value: "7"}, {Name: "hugetlb." + unit + ".rsvd.max", Value: "7"}}
		}
		got := cgroupconfig.Cgroup{HugePages: []cgroupconfig.HugePages{{Size: size, Limit: 7}}}.V2(nil)
		testkit.NoDiff(t, got, want, size, "bytes")
	})
}

// The kubelet treats an invalid page size as a page of size zero, which the kernel does not have.
// Ours leaves it out.
// See docs/decisions/cgroup.md#hugepages-of-no-size.
func TestDivergenceHugePagesOfNoSize(t *testing.T) {
	list := testkit.List("hugepages-x", "1Gi")
	if got := cgroupconfig.ForAllocatable(list).HugePages; got != nil {
		t.Errorf("huge pages %v", got)
	}
	if theirs := cm.HugePageLimits(list); theirs[0] != 1<<30 {
		t.Errorf("the kubelet has %v", theirs)
	}
}

func TestForTiers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(testkit.PodWith(testkit.Bytes()), 0, 6).Draw(t, "pods")
		var copies []*corev1.Pod
		for _, pod := range pods {
			copies = append(copies, pod.DeepCopy())
		}
		totals := kubelet.TierTotals(copies)
		const percent, allocatable = int64(37), int64(1 << 45)
		reserved := percent
		got := cgroupconfig.ForTiers(pods, cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, MemoryQoS: testkit.On()}, ReservedPercent: &reserved, TieredReservation: true, NodeMemory: cgroupconfig.NodeMemory{Allocatable: allocatable}})
		set := func(n int64) cgroupconfig.Value { return cgroupconfig.Value{Set: true, Amount: n} }
		// The kubelet's formulas, which it does not export.
		burstable := allocatable - totals.Guaranteed.Memory*percent/100
		want := cgroupconfig.TierCgroups{
			Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(totals.Guaranteed.Memory + totals.Burstable.Memory)},
			Burstable: cgroupconfig.Cgroup{
				Shares: set(int64(cm.MilliCPUToShares(totals.Burstable.MilliCPU))), Memory: set(burstable), MemoryLow: set(totals.Burstable.Memory),
			},
			BestEffort: cgroupconfig.Cgroup{Shares: set(cm.MinShares), Memory: set(burstable - totals.Burstable.Memory*percent/100)},
		}
		if oracle.Release >= "1.37" {
			want.Guaranteed.MemoryLow = want.Burstable.MemoryLow
		}
		testkit.NoDiff(t, got, want)
	})
}

// The kubelet's product of request and period passes int64 for 1E of CPU, and its sums of limits
// below zero are limits. Neither is an intended limit.
// See docs/decisions/cgroup.md#shares-and-quotas-saturate.
func TestDivergenceForPodOfHugeLimits(t *testing.T) {
	huge := testkit.List("cpu", "1P", "memory", "1Gi")
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", huge, huge)}}}
	if qos.Class(&pod.Spec, kubernetes) != corev1.PodQOSGuaranteed {
		t.Fatal("not Guaranteed")
	}
	got := cgroupconfig.ForPod(pod, cgroupconfig.Options{Kubernetes: kubernetes})
	theirs := cm.ResourceConfigForPod(pod.DeepCopy(), true, period, false, "")
	if got.Shares.Amount != 262144 || got.Quota.Amount != 1<<63-1 {
		t.Errorf("shares %v, quota %v", got.Shares, got.Quota)
	}
	if int64(*theirs.CPUShares) == got.Shares.Amount || *theirs.CPUQuota == got.Quota.Amount {
		t.Errorf("the kubelet has %d shares and a quota of %d: it no longer overflows", *theirs.CPUShares, *theirs.CPUQuota)
	}
}
