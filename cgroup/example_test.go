package cgroup_test

import (
	"fmt"

	"github.com/kubemath/kubemath/cgroup"
)

func ExampleMilliCPUToShares() {
	// A BestEffort pod, the Burstable tier of a small node, and a CPU.
	fmt.Println(cgroup.MilliCPUToShares(0), cgroup.MilliCPUToShares(30), cgroup.MilliCPUToShares(1000))
	// Output:
	// 2 30 1024
}

func ExampleSharesToMilliCPU() {
	fmt.Println(cgroup.SharesToMilliCPU(1024))
	fmt.Println(cgroup.SharesToMilliCPU(2))
	fmt.Println(cgroup.SharesToMilliCPU(42))
	// Output:
	// 1000
	// 0 to 2
	// none
}

func ExampleSharesToWeight() {
	for _, shares := range []int64{2, 102, 1024, 262144} {
		fmt.Println(shares, cgroup.SharesToWeight(shares, cgroup.Linear), cgroup.SharesToWeight(shares, cgroup.Logarithmic))
	}
	// Output:
	// 2 1 1
	// 102 4 17
	// 1024 39 100
	// 262144 10000 10000
}

func ExampleWeightToShares() {
	fmt.Println(cgroup.WeightToShares(39, cgroup.Linear))
	fmt.Println(cgroup.WeightToShares(39, cgroup.Logarithmic))
	// Output:
	// 999 to 1024
	// 295 to 305
}

func ExampleWeightToMilliCPU() {
	// What does a container request whose cpu.weight is 59?
	fmt.Println("runc 1.3.1:", cgroup.WeightToMilliCPU(59, cgroup.Linear))
	fmt.Println("runc 1.3.2:", cgroup.WeightToMilliCPU(59, cgroup.Logarithmic))
	// Output:
	// runc 1.3.1: 1488 to 1512
	// runc 1.3.2: 500 to 509
}

func ExampleMilliCPUToQuota() {
	fmt.Println(cgroup.MilliCPUToQuota(150, 100000))
	fmt.Println(cgroup.MilliCPUToQuota(1, 100000)) // the minimum
	// Output:
	// 15000
	// 1000
}

func ExampleQuotaToMilliCPU() {
	fmt.Println(cgroup.QuotaToMilliCPU(15000, 100000))
	fmt.Println(cgroup.QuotaToMilliCPU(1000, 100000))
	// Output:
	// 150
	// 1 to 10
}

func ExampleSystemdQuota() {
	perSecond, inForce := cgroup.SystemdQuota(5100, 100000) // 51m
	fmt.Println(perSecond, inForce)
	// Output:
	// 60000 6000
}

func ExampleSystemdQuotaToMilliCPU() {
	fmt.Println(cgroup.SystemdQuotaToMilliCPU(6000, 100000))
	// Output:
	// 51 to 60
}

func ExampleFormula() {
	var zero cgroup.Formula
	fmt.Printf("%q %q %q\n", cgroup.Linear, cgroup.Logarithmic, zero)
	// Output:
	// "linear" "logarithmic" ""
}

func ExampleRange() {
	r := cgroup.WeightToMilliCPU(100, cgroup.Logarithmic)
	fmt.Println(r.Min, r.Max)
	none := cgroup.SharesToMilliCPU(42)
	fmt.Println(none.Max < none.Min)
	// Output:
	// 989 1000
	// true
}

func ExampleRange_String() {
	fmt.Println(cgroup.Range{Min: 51, Max: 60}.String())
	// Output:
	// 51 to 60
}

func ExampleSharesToReportedMilliCPU() {
	fmt.Println(cgroup.SharesToReportedMilliCPU(1024), cgroup.SharesToReportedMilliCPU(42))
	// Output:
	// 1000 42
}

func ExampleQuotaToReportedMilliCPU() {
	fmt.Println(cgroup.QuotaToReportedMilliCPU(150000, 100000))
	// Output:
	// 1500
}
