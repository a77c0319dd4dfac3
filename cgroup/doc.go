// Package cgroup converts amounts of CPU to cgroup settings and back: between milli-CPU and
// cpu.shares of cgroup v1, cpu.weight of cgroup v2, quota and period, and the rounded quota of
// systemd.
//
//	shares := cgroup.MilliCPUToShares(1000)                    // 1024
//	weight := cgroup.SharesToLogarithmicWeight(shares)          // 100
//	least, most, _ := cgroup.LogarithmicWeightToMilliCPU(weight) // 989, 1000
//
// Conversions round, so several amounts convert to the same number. [LinearWeightToMilliCPU]
// and [LogarithmicWeightToMilliCPU] return the smallest and the largest of them.
//
// # Functions
//
// There are two formulas from shares to weight, and one node may use both: see [SharesToLinearWeight] and
// [SharesToLogarithmicWeight].
//
//	from \ to     shares              weight              quota              systemd
//	milli-CPU     MilliCPUToShares                        MilliCPUToQuota
//	shares                            SharesTo…Weight
//	quota                                                                    SystemdQuota
//	and back                          …WeightToMilliCPU
//
// Other packages have what the kubelet sets on the cgroups of a pod
// ([github.com/kubemath/kubemath/cgroup/cgroupconfig]), what these cgroups are called
// ([github.com/kubemath/kubemath/cgroup/cgroupname]), and both for a whole node, with the CPU that each
// cgroup gets when all of them want it ([github.com/kubemath/kubemath/cgroup/nodetree]).
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Functions take and return integers, accept
// any input, and do not allocate. Results are the same on every platform.
//
// # Sources
//
// The kubelet's "Pod level resource management"; k8s.io/kubernetes v1.37 pkg/kubelet/cm;
// github.com/opencontainers/cgroups v0.0.6; kernel/sched/sched.h and
// Documentation/admin-guide/cgroup-v2.rst of Linux.
package cgroup
