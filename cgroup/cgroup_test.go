package cgroup_test

import (
	"math"
	"testing"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/testkit"
)

const (
	linear      formula = "linear"
	logarithmic formula = "logarithmic"
	most                = math.MaxInt64
	least               = math.MinInt64

	// The range of cpu.weight that the kernel accepts.
	minWeight = 1
	maxWeight = 10000
)

// formula is a conversion from shares to weight.
type formula string

var formulas = []formula{linear, logarithmic}

func sharesToWeight(shares int64, f formula) int64 {
	if f == linear {
		return cgroup.SharesToLinearWeight(shares)
	}
	return cgroup.SharesToLogarithmicWeight(shares)
}

func weightToMilliCPU(weight int64, f formula) (least, most int64, ok bool) {
	if f == linear {
		return cgroup.LinearWeightToMilliCPU(weight)
	}
	return cgroup.LogarithmicWeightToMilliCPU(weight)
}

func TestMilliCPUToShares(t *testing.T) {
	for milliCPU, want := range map[int64]int64{
		least: 2, -1: 2, 0: 2, 1: 2, 2: 2, 3: 3, 10: 10, 20: 20, 30: 30, 41: 41, 42: 43, 100: 102, 110: 112, 250: 256,
		500: 512, 999: 1022, 1000: 1024, 2000: 2048, 255999: 262142, 256000: 262144, 256001: 262144,
		262144: 262144, 262145: 262144, 1 << 53: 262144, most: 262144,
	} {
		if got := cgroup.MilliCPUToShares(milliCPU); got != want {
			t.Errorf("%dm: %d shares, want %d", milliCPU, got, want)
		}
	}
}

// Values from real nodes: the weights of runc before 1.3.2 and of the kubelet, and those of runc
// since 1.3.2.
func TestSharesToWeight(t *testing.T) {
	for _, test := range []struct{ shares, linear, logarithmic int64 }{
		{least, 0, 0}, {-1, 0, 0}, {0, 0, 0}, {1, 1, 1}, {2, 1, 1}, {3, 1, 2}, {102, 4, 17}, {256, 10, 35}, {512, 20, 59},
		{1023, 39, 100}, {1024, 39, 100}, {1025, 40, 101}, {2000, 77, 170}, {2048, 79, 174}, {8192, 313, 532},
		{262117, 9998, 10000}, {262118, 9999, 10000}, {262143, 9999, 10000}, {262144, 10000, 10000}, {300000, 10000, 10000}, {most, 10000, 10000},
	} {
		testkit.Equal(t, sharesToWeight(test.shares, linear), test.linear, test.shares, "shares: linear weight")
		testkit.Equal(t, sharesToWeight(test.shares, logarithmic), test.logarithmic, test.shares, "shares: logarithmic weight")
	}
}

// rangeOf returns the requests that convert to a weight, the second below the first if there are none.
func rangeOf(weight int64, f formula) [2]int64 {
	least, most, ok := weightToMilliCPU(weight, f)
	if !ok {
		return [2]int64{1, 0}
	}
	return [2]int64{least, most}
}

func TestWeightToMilliCPU(t *testing.T) {
	none := [2]int64{1, 0}
	for _, test := range []struct {
		weight              int64
		linear, logarithmic [2]int64
	}{
		{0, none, none}, {1, [2]int64{0, 28}, [2]int64{0, 2}}, {100, [2]int64{2538, 2562}, [2]int64{989, 1000}},
		{10000, [2]int64{256000, most}, [2]int64{255972, most}}, {10001, none, none},
	} {
		testkit.Equal(t, rangeOf(test.weight, linear), test.linear, "linear weight", test.weight)
		testkit.Equal(t, rangeOf(test.weight, logarithmic), test.logarithmic, "logarithmic weight", test.weight)
	}
}

// Each weight is that of some request, by either formula.
func TestEachWeightHasARequest(t *testing.T) {
	for weight := int64(minWeight); weight <= maxWeight; weight++ {
		for _, f := range formulas {
			if r := rangeOf(weight, f); r[1] < r[0] || weightOf(r[0], f) != weight || weightOf(r[1], f) != weight {
				t.Fatalf("%v weight %d: %v", f, weight, r)
			}
		}
	}
}

func TestMilliCPUToQuota(t *testing.T) {
	for _, test := range []struct{ milliCPU, period, want int64 }{
		{least, 100000, 0}, {-1, 100000, 0}, {0, 100000, 0}, {1, 100000, 1000}, {9, 100000, 1000}, {10, 100000, 1000},
		{11, 100000, 1100}, {20, 100000, 2000}, {110, 100000, 11000}, {150, 100000, 15000}, {1000, 100000, 100000},
		{1500, 0, 150000}, {1500, -1, 150000}, {1500, least, 150000},
		{1001, 5000, 5005}, {1001, 1000, 1001}, {999, 1000, 1000}, {1, 1, 1000}, {1000001, 1, 1000}, {1001000, 1, 1001},
		{most, 1, 9223372036854775}, {most, 999, 9214148664817921031}, {most, 1000, most}, {most, 1001, most}, {most, most, most}, {1, most, 9223372036854775},
		{1000 << 40, 1 << 23, most}, {1000<<40 - 1, 1 << 23, 9223372036854767419}, // 2^63, and just below
		{92233720368547758, 100000, 9223372036854775800}, {92233720368547759, 100000, most},
	} {
		testkit.Equal(t, cgroup.MilliCPUToQuota(test.milliCPU, test.period), test.want, test.milliCPU, "m in", test.period)
	}
}

func TestSystemdQuota(t *testing.T) {
	for _, test := range []struct{ quota, period, perSecond, inForce int64 }{
		{least, 100000, 0, 0}, {-1, 100000, 0, 0}, {0, 100000, 0, 0},
		{5100, 100000, 60000, 6000}, {409600, 100000, 4100000, 410000}, {409600, 0, 4100000, 410000}, {409600, -1, 4100000, 410000},
		{1000, 100000, 10000, 1000}, {1001, 100000, 20000, 2000}, {100000, 100000, 1000000, 100000},
		{5000, 10000, 500000, 5000}, {5001, 10000, 510000, 5100}, {1000, 33333, 30000, 1000}, {1001, 33333, 40000, 1333},
		{1, 1 << 62, 10000, 46116860184273879},
		{922337203685476583, 100000, 9223372036854770000, 922337203685477000}, {922337203685477001, 100000, most, most},
		{922337203685476000, 100000, 9223372036854760000, 922337203685476000},
		{most, 1, most, most}, {most, 1000000, most, most}, {most, most, 1000000, most}, {most - 1, most, 1000000, most},
	} {
		perSecond, inForce := cgroup.SystemdQuota(test.quota, test.period)
		if perSecond != test.perSecond || inForce != test.inForce {
			t.Errorf("%d in %d: %d and %d, want %d and %d", test.quota, test.period, perSecond, inForce, test.perSecond, test.inForce)
		}
	}
}

// weightOf returns the weight for a request, by way of its shares.
func weightOf(milliCPU int64, f formula) int64 {
	return sharesToWeight(cgroup.MilliCPUToShares(milliCPU), f)
}

// The ranges of cpu.shares and cpu.cfs_quota_us.
const (
	minShares = 2
	maxShares = 262144
	minQuota  = 1000
)
