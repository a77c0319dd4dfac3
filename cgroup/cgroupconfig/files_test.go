package cgroupconfig_test

import (
	"math"
	"testing"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/testkit"
)

type settings = []cgroupconfig.Setting

func TestFilesAndProperties(t *testing.T) {
	all := cgroupconfig.Cgroup{
		Shares: set(1024), Quota: set(5100), Period: period,
		Memory: set(gi), MemoryMin: set(1), MemoryLow: set(2), MemoryHigh: set(3), Swap: set(4), OOMGroup: set(1),
		HugePages: []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 8 << 20}, {Size: gi, Limit: 0}},
	}
	for _, test := range []struct {
		name              string
		c                 cgroupconfig.Cgroup
		v1, v2, systemdV2 settings
	}{
		{"nothing", cgroupconfig.Cgroup{}, nil, nil, nil},
		{
			"everything", all,
			settings{
				{"cpu.cfs_period_us", "100000"}, {"cpu.cfs_quota_us", "5100"}, {"cpu.shares", "1024"},
				{"hugetlb.1GB.limit_in_bytes", "0"}, {"hugetlb.1GB.rsvd.limit_in_bytes", "0"}, {"hugetlb.2MB.limit_in_bytes", "8388608"}, {"hugetlb.2MB.rsvd.limit_in_bytes", "8388608"},
				{"memory.limit_in_bytes", "1073741824"}, {"memory.memsw.limit_in_bytes", "1073741824"},
			},
			settings{
				{"cpu.max", "5100 100000"}, {"cpu.weight", "39"},
				{"hugetlb.1GB.max", "0"}, {"hugetlb.1GB.rsvd.max", "0"}, {"hugetlb.2MB.max", "8388608"}, {"hugetlb.2MB.rsvd.max", "8388608"},
				{"memory.high", "3"}, {"memory.low", "2"}, {"memory.max", "1073741824"}, {"memory.min", "1"}, {"memory.oom.group", "1"}, {"memory.swap.max", "4"},
			},
			settings{
				{"CPUQuotaPerSecUSec", "60000"}, {"CPUQuotaPeriodUSec", "100000"}, {"CPUWeight", "39"},
				{"MemoryHigh", "3"}, {"MemoryLow", "2"}, {"MemoryMax", "1073741824"}, {"MemoryMin", "1"}, {"MemorySwapMax", "4"},
			},
		},
		{
			"no limits", cgroupconfig.Cgroup{Quota: unlimited, Period: period, Swap: unlimited, MemoryHigh: unlimited},
			settings{{"cpu.cfs_period_us", "100000"}, {"cpu.cfs_quota_us", "-1"}},
			settings{{"cpu.max", "max 100000"}, {"memory.high", "max"}, {"memory.swap.max", "max"}},
			settings{{"CPUQuotaPerSecUSec", "infinity"}, {"CPUQuotaPeriodUSec", "100000"}, {"MemoryHigh", "infinity"}, {"MemorySwapMax", "infinity"}},
		},
		{
			"an unlimited quota alone", cgroupconfig.Cgroup{Quota: unlimited},
			settings{{"cpu.cfs_quota_us", "-1"}}, settings{{"cpu.max", "max 100000"}}, settings{{"CPUQuotaPerSecUSec", "infinity"}},
		},
		{
			"a quota of another period", cgroupconfig.Cgroup{Quota: set(5100), Period: set(50000)},
			settings{{"cpu.cfs_period_us", "50000"}, {"cpu.cfs_quota_us", "5100"}}, settings{{"cpu.max", "5100 50000"}},
			settings{{"CPUQuotaPerSecUSec", "110000"}, {"CPUQuotaPeriodUSec", "50000"}},
		},
		{
			"a period alone", cgroupconfig.Cgroup{Period: set(5000)},
			settings{{"cpu.cfs_period_us", "5000"}}, settings{{"cpu.max", "max 5000"}},
			settings{{"CPUQuotaPerSecUSec", "infinity"}, {"CPUQuotaPeriodUSec", "5000"}},
		},
		{
			"a quota alone", cgroupconfig.Cgroup{Quota: set(5100)},
			settings{{"cpu.cfs_quota_us", "5100"}}, settings{{"cpu.max", "5100 100000"}},
			settings{{"CPUQuotaPerSecUSec", "60000"}},
		},
		{
			"no swap without a memory limit", cgroupconfig.Cgroup{Swap: set(0)},
			nil, settings{{"memory.swap.max", "0"}}, settings{{"MemorySwapMax", "0"}},
		},
		{
			"memory without swap", cgroupconfig.Cgroup{Memory: set(5)},
			settings{{"memory.limit_in_bytes", "5"}}, settings{{"memory.max", "5"}}, settings{{"MemoryMax", "5"}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for what, pair := range map[string][2]settings{
				"v1": {test.v1, test.c.V1()}, "v2": {test.v2, test.c.V2(cgroup.SharesToLinearWeight)},
				"systemd, v2": {test.systemdV2, test.c.SystemdV2(cgroup.SharesToLinearWeight)},
			} {
				testkit.NoDiff(t, pair[1], pair[0], what)
			}
		})
	}
}

func TestWeights(t *testing.T) {
	for _, test := range []struct {
		name   string
		weight func(int64) int64
		want   settings
	}{
		{"linear", cgroup.SharesToLinearWeight, settings{{"cpu.weight", "39"}}},
		{"logarithmic", cgroup.SharesToLogarithmicWeight, settings{{"cpu.weight", "100"}}},
		{"none", nil, nil},
	} {
		c := cgroupconfig.Cgroup{Shares: set(1024)}
		testkit.NoDiff(t, c.V2(test.weight), test.want, test.name)
		for i := range test.want {
			test.want[i].Name = "CPUWeight"
		}
		testkit.NoDiff(t, c.SystemdV2(test.weight), test.want, test.name)
	}
}

func TestHugePageSizes(t *testing.T) {
	for size, want := range map[int64]string{
		1: "1B", 1023: "1023B", 1024: "1KB", 64 << 10: "64KB", 2 << 20: "2MB", 512 << 20: "512MB", 16 << 30: "16GB", 1 << 40: "1TB", 1 << 50: "1PB",
		1023 << 50: "1023PB", 1 << 60: "1024PB", 1025 << 40: "", 1025: "", 1536 << 10: "", 0: "", -1024: "", math.MaxInt64: "",
	} {
		c := cgroupconfig.Cgroup{HugePages: []cgroupconfig.HugePages{{Size: size, Limit: 7}}}
		var wantV1, wantV2 settings
		if want != "" {
			wantV1 = settings{{"hugetlb." + want + ".limit_in_bytes", "7"}, {"hugetlb." + want + ".rsvd.limit_in_bytes", "7"}}
			wantV2 = settings{{"hugetlb." + want + ".max", "7"}, {"hugetlb." + want + ".rsvd.max", "7"}}
		}
		testkit.NoDiff(t, c.V1(), wantV1, size, "bytes")
		testkit.NoDiff(t, c.V2(nil), wantV2, size, "bytes")
	}
}

func TestValueString(t *testing.T) {
	for want, v := range map[string]cgroupconfig.Value{"": {Amount: 5}, "0": set(0), "-1": set(-1), "max": {Unlimited: true, Amount: 5}} {
		testkit.Equal(t, v.String(), want, v, "is")
	}
}
