// Package nodetree builds the tree of cgroups that a kubelet creates for the pods of a node: what each is called,
// what is set on it, and how much of the node's CPU it gets when all pods want it, under cgroup v1 and
// v2. For the settings of one pod, package cgroupconfig is enough.
//
//	root, err := nodetree.Build(pods, nodetree.Options{MilliCPU: 4000})
//	for depth, tree := range root.All() {
//		fmt.Println(depth, tree.Title, tree.CPU.Shares.Rat().FloatString(0), tree.CPU.Mixed.Rat().FloatString(0))
//	}
//
// # The division of CPU
//
// The children of a cgroup divide its CPU in proportion to their weights, or shares. A child that
// reaches its quota, or what it can use, leaves the rest to its siblings, until all of the CPU is
// assigned or no child can use more (weighted max-min fairness). The kernel's scheduler approaches this
// division over time. The number of threads is not included.
//
// [Tree.CPU] shows what the move from v1 to v2 changes for a pod: weights are not proportional to shares,
// and depend on which component computes them.
//
// The root of the tree is the cgroup of all pods. System daemons next to it are not included.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Amounts of CPU are exact fractions. The order
// of pods does not matter.
//
// # Sources
//
// Those of packages [cgroupname] and [cgroupconfig], which it combines;
// Documentation/admin-guide/cgroup-v2.rst (weights) and Documentation/scheduler/sched-bwc.rst (quotas)
// of Linux.
package nodetree
