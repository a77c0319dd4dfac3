// Package contention answers how much CPU each cgroup of a tree gets when all of them want it. The
// caller passes the tree, with weights and limits.
//
//	share, err := contention.Divide(big.NewRat(4, 1), contention.Group{Children: []contention.Group{
//		{Weight: 100},
//		{Weight: 300, Most: big.NewRat(1, 1)},
//	}})
//	// 3 and 1 of 4 CPUs
//
// The children of a cgroup divide its CPU in proportion to their weights. A child that reaches its
// quota, or what it can use, leaves the rest to its siblings, again in proportion to their weights,
// until all of the CPU is assigned or no child can use more. This is known as water-filling, or as
// weighted max-min fairness.
//
// Weights of cgroup v2 and shares of cgroup v1 work in the same way: only their proportions among
// siblings count.
//
// The kernel's scheduler approaches this division over time. The model does not include the number of
// threads, each of which runs on one CPU at a time, nor processes outside the tree.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Amounts are exact fractions, and the parts
// add up. The unit is the caller's choice, CPUs or milli-CPU, but must be the same for all amounts.
//
// # Sources
//
// Documentation/admin-guide/cgroup-v2.rst (weights) and Documentation/scheduler/sched-bwc.rst (quotas)
// of Linux.
package contention
