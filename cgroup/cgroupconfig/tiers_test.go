package cgroupconfig_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestForTiers(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	pod := func(requests, limits corev1.ResourceList) *corev1.Pod {
		return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", requests, limits)}}}
	}
	node := cgroupconfig.NodeMemory{Allocatable: 8 * gi}
	percent := func(n int64) *int64 { return &n }
	base := func(burstable, shares, bestEffort cgroupconfig.Value) cgroupconfig.TierCgroups {
		return cgroupconfig.TierCgroups{Burstable: cgroupconfig.Cgroup{Shares: shares, Memory: burstable, MemoryLow: set(0)}, Guaranteed: unprotected, BestEffort: cgroupconfig.Cgroup{Shares: set(2), Memory: bestEffort}}
	}
	none := cgroupconfig.Value{}
	of136 := computeresources.Kubernetes{Release: "1.36"}
	on136 := computeresources.Kubernetes{Release: "1.36", MemoryQoS: testkit.On()}
	off := computeresources.Kubernetes{MemoryQoS: testkit.Off()}
	pods := []*corev1.Pod{pod(both, both), pod(both, both), pod(list("cpu", "1500m", "memory", "3Gi"), nil), pod(list("cpu", "500m"), nil), pod(nil, nil), nil}
	for _, test := range []struct {
		name string
		pods []*corev1.Pod
		opts cgroupconfig.Options
		want cgroupconfig.TierCgroups
	}{
		{"no pods", nil, cgroupconfig.Options{}, base(none, set(2), none)},
		{"no limits", pods, cgroupconfig.Options{NodeMemory: node}, base(none, set(2048), none)},
		{"one percent", pods, cgroupconfig.Options{NodeMemory: node, ReservedPercent: percent(1)}, base(set(8*gi-2*gi/100), set(2048), set(8*gi-2*gi/100-3*gi/100))},
		{"99 percent", pods, cgroupconfig.Options{NodeMemory: node, ReservedPercent: percent(99)}, base(set(8*gi-2126008811), set(2048), set(8*gi-2126008811-3189013217))},
		{"negative percentage", pods, cgroupconfig.Options{NodeMemory: node, ReservedPercent: percent(-1)}, base(set(8*gi), set(2048), set(8*gi))},
		{"100 percent", pods, cgroupconfig.Options{NodeMemory: node, ReservedPercent: percent(100)}, base(set(6*gi), set(2048), set(3*gi))},
		{"a percentage above 100", pods, cgroupconfig.Options{NodeMemory: node, ReservedPercent: percent(101)}, base(set(6*gi), set(2048), set(3*gi))},
		{"unknown node", pods, cgroupconfig.Options{ReservedPercent: percent(100)}, base(none, set(2048), none)},
		{"a small node", pods, cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Allocatable: 4 * gi}, ReservedPercent: percent(100)}, base(set(2*gi), set(2048), set(0))},
		{"a tiny node", pods, cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Allocatable: 1}, ReservedPercent: percent(100)}, base(set(0), set(2048), set(0))},
		{
			"1.36", pods, cgroupconfig.Options{Kubernetes: of136, TieredReservation: true},
			cgroupconfig.TierCgroups{Burstable: cgroupconfig.Cgroup{Shares: set(2048)}, BestEffort: cgroupconfig.Cgroup{Shares: set(2)}},
		},
		{
			"throttling of 1.36", pods, cgroupconfig.Options{Kubernetes: on136},
			cgroupconfig.TierCgroups{Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(0)}, Burstable: cgroupconfig.Cgroup{Shares: set(2048), MemoryLow: set(0)}, BestEffort: cgroupconfig.Cgroup{Shares: set(2)}},
		},
		{
			"reservation of 1.36", pods, cgroupconfig.Options{Kubernetes: on136, TieredReservation: true},
			cgroupconfig.TierCgroups{Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(5 * gi)}, Burstable: cgroupconfig.Cgroup{Shares: set(2048), MemoryLow: set(3 * gi)}, BestEffort: cgroupconfig.Cgroup{Shares: set(2)}},
		},
		{"no memory QoS", pods, cgroupconfig.Options{Kubernetes: off, TieredReservation: true}, base(none, set(2048), none)},
		{
			"reservation", pods, cgroupconfig.Options{TieredReservation: true},
			cgroupconfig.TierCgroups{Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(5 * gi), MemoryLow: set(3 * gi)}, Burstable: cgroupconfig.Cgroup{Shares: set(2048), MemoryLow: set(3 * gi)}, BestEffort: cgroupconfig.Cgroup{Shares: set(2)}},
		},
		{
			"huge pages of the node", nil, cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{gi, 2 << 20}}},
			cgroupconfig.TierCgroups{
				Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(0), MemoryLow: set(0), HugePages: unbounded},
				Burstable:  cgroupconfig.Cgroup{Shares: set(2), MemoryLow: set(0), HugePages: unbounded},
				BestEffort: cgroupconfig.Cgroup{Shares: set(2), HugePages: unbounded},
			},
		},
		{
			"sums that do not fit", []*corev1.Pod{pod(list("cpu", "1E", "memory", "9E"), nil), pod(list("cpu", "1", "memory", "9E"), list("cpu", "1", "memory", "9E"))},
			cgroupconfig.Options{TieredReservation: true},
			cgroupconfig.TierCgroups{
				Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(math.MaxInt64), MemoryLow: set(9e18)}, Burstable: cgroupconfig.Cgroup{Shares: set(262144), MemoryLow: set(9e18)},
				BestEffort: cgroupconfig.Cgroup{Shares: set(2)},
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, cgroupconfig.ForTiers(test.pods, test.opts), test.want)
		})
	}
}

var unprotected = cgroupconfig.Cgroup{MemoryMin: set(0), MemoryLow: set(0)}

var unbounded = []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 1 << 62}, {Size: gi, Limit: 1 << 62}}

// Requests that are negative or beyond int64 give the same result in every order of the pods.
// Pods that have ended do not count.
func TestForTiersDoesNotDependOnOrder(t *testing.T) {
	pod := func(memory string, phase corev1.PodPhase) *corev1.Pod {
		p := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1", "memory", memory), nil)}}}
		p.Status.Phase = phase
		return p
	}
	pods := []*corev1.Pod{pod("9223372036854775807", ""), pod("5", ""), pod("-5", ""), pod("-2", ""), pod("1Gi", corev1.PodSucceeded), pod("1Gi", corev1.PodFailed)}
	opts := cgroupconfig.Options{TieredReservation: true}
	for range len(pods) {
		pods = append(pods[1:], pods[0])
		testkit.Equal(t, cgroupconfig.ForTiers(pods, opts).Burstable.MemoryLow, set(math.MaxInt64-2), "memory.low is")
	}
}
