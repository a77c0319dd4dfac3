package replay_test

import (
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/testkit"
)

// memoryReserve is the memory limits that a kubelet with QOSReserved sets on the cgroups of its
// tiers, for the pods of a node; and those that it sets where the kernel refuses these, as the
// cgroups use more, which nothing here computes.
type memoryReserve struct {
	Name            string
	Pods            []*corev1.Pod
	Allocatable     *resource.Quantity
	Percent         int64
	Limits, AtUsage struct{ Burstable, BestEffort *int64 }
	Usage           struct {
		Burstable  int64 `json:"burstable"`
		BestEffort int64 `json:"besteffort"`
	}
}

// replayMemoryReserve compares the limits of both tiers. The kubelet's go below zero where more is
// reserved than there is, and ours do not.
func replayMemoryReserve(t *testing.T, raw json.RawMessage) bool {
	var c memoryReserve
	decode(t, raw, &c)
	opts := cgroupconfig.Options{ReservedPercent: &c.Percent}
	if c.Allocatable != nil {
		opts.NodeMemory.Allocatable = c.Allocatable.Value()
	}
	tiers := cgroupconfig.ForTiers(c.Pods, opts)
	for _, limit := range []struct {
		name string
		want *int64
		got  cgroupconfig.Value
	}{
		{"burstable", c.Limits.Burstable, tiers.Burstable.Memory},
		{"besteffort", c.Limits.BestEffort, tiers.BestEffort.Memory},
	} {
		var want cgroupconfig.Value
		if limit.want != nil {
			want = cgroupconfig.Value{Set: true, Amount: max(0, *limit.want)}
		}
		testkit.NoDiff(t, limit.got, want, c.Name, limit.name)
	}
	return true
}
