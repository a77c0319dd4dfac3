// Package cgroup converts between amounts of CPU as Kubernetes counts them, in milli-units,
// and the numbers that the kernel is given: cpu.shares of cgroup v1, cpu.weight of cgroup v2,
// quota and period, and the rounded quota of systemd.
//
//	shares := cgroup.MilliCPUToShares(1000)                       // 1024
//	weight := cgroup.SharesToWeight(shares, cgroup.Logarithmic)   // 100
//	cpu := cgroup.WeightToMilliCPU(weight, cgroup.Logarithmic)    // 989 to 1000
//
// Conversions round, so the way back is a [Range]: exactly the amounts that convert to
// the number. It is empty if no amount does.
//
// There are two formulas from shares to weight, and a node may use both: see [Formula].
// No function has a default.
//
//	from \ to     shares              weight              quota              systemd
//	milli-CPU     MilliCPUToShares    MilliCPUToWeight    MilliCPUToQuota
//	shares                            SharesToWeight
//	quota                                                                    SystemdQuota
//	and back      SharesToMilliCPU    WeightToMilliCPU    QuotaToMilliCPU    SystemdQuotaToMilliCPU
//	                                  WeightToShares
//
// Other questions have packages of their own: what the kubelet sets on the cgroups of a
// pod (cgroup/cgroupconfig), what they are called (cgroup/cgroupname), who gets which part of a CPU
// that all want (cgroup/contention), and all of it for a whole node (cgroup/nodetree).
//
// # Contract
//
// Functions are pure, take and return integers, and answer any input. No floating-point
// number has a part in any result, so that results are the same on every platform. They
// do not allocate.
//
// # Sources
//
// The kubelet's "Pod level resource management"; k8s.io/kubernetes v1.36 pkg/kubelet/cm;
// github.com/opencontainers/cgroups v0.0.6; kernel/sched/sched.h and
// Documentation/admin-guide/cgroup-v2.rst of Linux.
package cgroup
