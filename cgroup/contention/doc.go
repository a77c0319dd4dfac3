// Package contention says how much CPU each of a tree of cgroups gets when all of them
// want it.
//
//	share, err := contention.Divide(big.NewRat(4, 1), contention.Group{Children: []contention.Group{
//		{Weight: 100},
//		{Weight: 300, Most: big.NewRat(1, 1)},
//	}})
//	// 3 and 1 of 4 CPUs
//
// What a cgroup gets, its children divide by their weights. One that has all it can use,
// since its quota allows no more, or it wants no more, leaves the rest to its siblings,
// again by their weights; and so it goes on until either all of the CPU is given out, or
// all have what they can use. This is known as water-filling, and as the max-min fair
// division with weights.
//
// Weights of cgroup v2 and shares of cgroup v1 work alike: only their proportions among
// siblings count.
//
// It is the division that the scheduler of the kernel tends to over time: it does not
// know of the number of threads, of which each runs on one CPU at a time, nor of what
// runs outside of the tree.
//
// # Contract
//
// Divide is pure. Amounts are fractions, and exact: what is given out adds up. The unit is
// the caller's: CPUs, or milli-units, as long as it is the same everywhere.
//
// # Sources
//
// Documentation/admin-guide/cgroup-v2.rst (weights) and
// Documentation/scheduler/sched-bwc.rst (quotas) of Linux.
package contention
