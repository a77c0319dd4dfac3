// Package nodetree builds the tree of cgroups that a kubelet keeps for the pods of a node:
// what each cgroup is called, what is set on it, and which part of the node's CPU it gets
// when all want it, under cgroup v1 and under v2, side by side.
//
//	root, err := nodetree.Build(pods, nodetree.Options{MilliCPU: 4000})
//	for depth, tree := range root.All() {
//		fmt.Println(depth, tree.Title, tree.CPU.Shares.FloatString(0), tree.CPU.Mixed.FloatString(0))
//	}
//
// [CPU] shows what the move from v1 to v2 does to a pod: weights are not shares, and
// depend on who computes them.
//
// The root of the tree is the root of all pods; what else runs on the node, beside it, is
// not in it.
//
// # Contract
//
// Build is pure and only reads its arguments. Results own their memory. Amounts of CPU are
// fractions, and exact. The order of pods does not matter.
//
// # Sources
//
// Those of the packages that it puts together: cgroup/cgroupname, cgroup/cgroupconfig and
// cgroup/contention.
package nodetree
