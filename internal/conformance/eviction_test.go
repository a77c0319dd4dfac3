package conformance

import (
	"fmt"
	"math"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	upstream "k8s.io/kubernetes/pkg/api/v1/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/kubelet"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// The kubelet's ranking, which is not stable, leaves the order as it is, and its manager evicts the first pod, or all
// pods above a limit, with the same message.
func TestEvictions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{quantityRanges["any quantity"], testkit.Bytes(), testkit.Bytes()}).Draw(t, "quantities")
		pods := slices.DeleteFunc(testkit.NodePods(20, quantities).Draw(t, "pods"), isMisread)
		pressure := rapid.SampledFrom([]qos.Pressure{"", qos.MemoryPressure, qos.StoragePressure, qos.InodePressure, qos.PIDPressure}).Draw(t, "pressure")
		stats, usage := kubelet.Stats{}, map[types.UID]qos.PodUsage{}
		for _, pod := range pods {
			if rapid.IntRange(0, 4).Draw(t, "known") > 0 {
				stats[pod.UID] = podStats(t, pod)
				usage[pod.UID] = kubelet.UsageOf(stats[pod.UID], pressure)
			}
		}
		var aboveLimit, others, active []*corev1.Pod
		threshold, available := resource.MustParse("10"), resource.MustParse("5")
		node := qos.NodePressure{Pressure: pressure, Usage: usage, Threshold: &threshold, Available: &available}
		order, err := qos.EvictionOrder(pods, node, kubernetes)
		testkit.OK(t, err)
		for _, e := range order {
			if pod := pods[e.Index]; e.AboveLimit {
				aboveLimit = append(aboveLimit, pod.DeepCopy())
			} else {
				others = append(others, pod.DeepCopy())
			}
		}
		for _, pod := range pods {
			if !computeresources.HasEnded(pod) {
				active = append(active, pod.DeepCopy())
			}
		}
		expectRanked(t, aboveLimit, pressure, stats)
		expectRanked(t, others, pressure, stats)

		messages, err := kubelet.Evict(active, pressure, stats)
		testkit.OK(t, err)
		evicted := aboveLimit
		if len(aboveLimit) == 0 && len(others) > 0 {
			evicted = slices.DeleteFunc(active, func(pod *corev1.Pod) bool { return messages[pod.UID] == "" })
			expectRanked(t, append(slices.Clone(evicted), others[0]), pressure, stats)
			evicted = evicted[:min(1, len(evicted))]
			testkit.Equal(t, len(evicted), 1, "evicted")
		}
		testkit.Equal(t, len(messages), len(evicted), "evicted")
		for _, pod := range evicted {
			got, err := qos.EvictionMessage(pod, node, kubernetes)
			testkit.OK(t, err)
			testkit.Equal(t, got, messages[pod.UID], "message")
		}
	})
}

func expectRanked(t *rapid.T, pods []*corev1.Pod, pressure qos.Pressure, stats kubelet.Stats) {
	ranked := slices.Clone(pods)
	kubelet.Rank(ranked, pressure, stats)
	for i := range pods {
		testkit.Equal(t, ranked[i].UID, pods[i].UID, "place", i)
	}
}

// podStats draws statistics of all containers in the order of messages, and of the volumes v and other.
func podStats(t *rapid.T, pod *corev1.Pod) (s statsapi.PodStats) {
	some := func() *uint64 {
		n := rapid.OneOf(rapid.Uint64Range(0, 8), rapid.Uint64Range(0, 8), rapid.Uint64Range(0, 1<<37)).Draw(t, "use")
		return &n
	}
	any := func() *uint64 {
		n := rapid.OneOf(rapid.Uint64Range(0, 8), rapid.Uint64Range(0, math.MaxInt64)).Draw(t, "any use")
		return &n
	}
	storage := func() *statsapi.FsStats { return &statsapi.FsStats{UsedBytes: some(), InodesUsed: some()} }
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			list[i].Name = fmt.Sprint("c-", len(s.Containers)) // unique
			s.Containers = append(s.Containers, statsapi.ContainerStats{
				Name: list[i].Name, Memory: &statsapi.MemoryStats{WorkingSetBytes: any()}, Rootfs: storage(), Logs: storage(),
			})
		}
	}
	for _, v := range pod.Spec.Volumes {
		if v.EmptyDir != nil && rapid.Bool().Draw(t, "measured") {
			s.VolumeStats = append(s.VolumeStats, statsapi.VolumeStats{Name: v.Name, FsStats: *storage()})
		}
	}
	s.Memory, s.ProcessStats = &statsapi.MemoryStats{WorkingSetBytes: any()}, &statsapi.ProcessStats{ProcessCount: any()}
	s.EphemeralStorage = &statsapi.FsStats{UsedBytes: some()}
	return s
}

// isMisread reports whether a pod has amounts below zero that the kubelet takes for others; see the divergences.
func isMisread(pod *corev1.Pod) bool {
	for _, name := range []corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		request := upstream.GetResourceRequestQuantity(pod.DeepCopy(), name)
		negative := request.Sign() < 0
		request.Neg()
		if negative && request.Sign() < 0 { // its negative is itself
			return true
		}
	}
	return slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool {
		limit := c.Resources.Limits[corev1.ResourceEphemeralStorage]
		return limit.Sign() < 0 && limit.Value() == 0
	})
}

// Up to 1.37, the kubelet adds a request of -2^63 instead of subtracting it, so it evicts the pod later than one with a
// greater request. The API server admits neither.
// See docs/decisions/qos.md#eviction-by-extreme-amounts.
func TestDivergenceEvictionOfTheLeastRequest(t *testing.T) {
	least, more := burstable(math.MinInt64), burstable(math.MinInt64+1)
	least.UID, more.UID = "least", "more"
	used := uint64(0)
	stats := kubelet.Stats{}
	usage := map[types.UID]qos.PodUsage{"least": {}, "more": {}}
	for uid := range usage {
		stats[uid] = statsapi.PodStats{Memory: &statsapi.MemoryStats{WorkingSetBytes: &used}}
	}
	pods := []*corev1.Pod{more, least}
	node := qos.NodePressure{Pressure: qos.MemoryPressure, Usage: usage}
	order, err := qos.EvictionOrder(pods, node, kubernetes)
	testkit.OK(t, err)
	if pods[order[0].Index] != least {
		t.Errorf("the first is %s", pods[order[0].Index].UID)
	}
	kubelet.Rank(pods, qos.MemoryPressure, stats)
	if differs := oracle.Release < "1.38"; (pods[0] == more) != differs {
		t.Errorf("the kubelet of %s evicts %s first", oracle.Release, pods[0].UID)
	}
}

// Up to 1.37, the kubelet rounds a limit of -1.5 to zero, which is no limit, but -2 is one. The API server admits neither.
// See docs/decisions/qos.md#eviction-by-extreme-amounts.
func TestDivergenceEvictionByNegativeLimit(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("c-0", nil, testkit.List("ephemeral-storage", "-1.5")), testkit.Container("c-1", nil, testkit.List("ephemeral-storage", "1M")),
	}}}
	limits := pod.Spec.Containers[0].Resources.Limits
	limit := limits[corev1.ResourceEphemeralStorage]
	limit.AsDec() // an int64 would be rounded to -2
	limits[corev1.ResourceEphemeralStorage] = limit
	none := uint64(0)
	stats := statsapi.PodStats{
		EphemeralStorage: &statsapi.FsStats{UsedBytes: &none},
		Containers:       []statsapi.ContainerStats{{Name: "c-0", Rootfs: &statsapi.FsStats{UsedBytes: &none}, Logs: &statsapi.FsStats{UsedBytes: &none}}},
	}
	usage := map[types.UID]qos.PodUsage{"": {ContainerStorage: map[string]int64{"c-0": 0}}}
	order, err := qos.EvictionOrder([]*corev1.Pod{pod}, qos.NodePressure{Usage: usage}, kubernetes)
	testkit.OK(t, err)
	if len(order) != 1 {
		t.Error("the pod is within its limits")
	}
	messages, err := kubelet.Evict([]*corev1.Pod{pod}, "", kubelet.Stats{"": stats})
	testkit.OK(t, err)
	if differs := oracle.Release < "1.38"; (len(messages) == 0) != differs {
		t.Errorf("the kubelet of %s: %v", oracle.Release, messages)
	}
}
