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

func ExampleSharesToLogarithmicWeight() {
	for _, shares := range []int64{2, 102, 1024, 262144} {
		fmt.Println(shares, cgroup.SharesToLinearWeight(shares), cgroup.SharesToLogarithmicWeight(shares))
	}
	// Output:
	// 2 1 1
	// 102 4 17
	// 1024 39 100
	// 262144 10000 10000
}

func ExampleLogarithmicWeightToMilliCPU() {
	// What does a container request whose cpu.weight is 59?
	fmt.Print("runc 1.3.1: ")
	fmt.Println(cgroup.LinearWeightToMilliCPU(59))
	fmt.Print("runc 1.3.2: ")
	fmt.Println(cgroup.LogarithmicWeightToMilliCPU(59))
	// Output:
	// runc 1.3.1: 1488 1512 true
	// runc 1.3.2: 500 509 true
}

func ExampleMilliCPUToQuota() {
	fmt.Println(cgroup.MilliCPUToQuota(150, 100000))
	fmt.Println(cgroup.MilliCPUToQuota(1, 100000)) // the minimum
	// Output:
	// 15000
	// 1000
}

func ExampleSystemdQuota() {
	perSecond, inForce := cgroup.SystemdQuota(5100, 100000) // 51m
	fmt.Println(perSecond, inForce)
	// Output:
	// 60000 6000
}
