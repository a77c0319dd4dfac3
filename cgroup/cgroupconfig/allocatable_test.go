package cgroupconfig_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestForAllocatable(t *testing.T) {
	for _, test := range []struct {
		list corev1.ResourceList
		want cgroupconfig.Cgroup
	}{
		{list: nil, want: cgroupconfig.Cgroup{}},
		{list: list("cpu", "3920m", "memory", "14Gi", "pods", "110"), want: cgroupconfig.Cgroup{Shares: set(4014), Memory: set(14 * gi)}},
		{list: list("cpu", "0", "memory", "0"), want: cgroupconfig.Cgroup{Shares: set(2)}},
		{list: list("memory", "-1", "hugepages-2Mi", "0", "hugepages-1Gi", "2Gi"), want: cgroupconfig.Cgroup{HugePages: []cgroupconfig.HugePages{{Size: 2 << 20}, {Size: gi, Limit: 2 * gi}}}},
		{list: list("cpu", "1E"), want: cgroupconfig.Cgroup{Shares: set(262144)}},
	} {
		testkit.NoDiff(t, cgroupconfig.ForAllocatable(test.list), test.want, test.list)
	}
}
