// Package nodetree answers which cgroups a kubelet creates for the pods of a node: what each is called,
// what is set on it, and how much of the node's CPU it gets when all pods want it, under cgroup v1 and
// v2.
//
//	root, err := nodetree.Build(pods, nodetree.Options{MilliCPU: 4000})
//	for depth, tree := range root.All() {
//		fmt.Println(depth, tree.Title, tree.CPU.Shares.FloatString(0), tree.CPU.Mixed.FloatString(0))
//	}
//
// [CPU] shows what the move from v1 to v2 changes for a pod: weights are not proportional to shares,
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
// Those of packages [cgroupname], [cgroupconfig] and [contention], which it combines.
package nodetree
