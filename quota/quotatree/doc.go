// Package quotatree accounts for quotas that form a tree, such as the cohorts of Kueue: queues, the nodes of the tree,
// lend what they do not use, and borrow what others lend.
//
//	tree, err := quotatree.New([]quotatree.Node{
//		{Name: "all"},
//		{Name: "red", Parent: "all", Nominal: map[corev1.ResourceName]int64{"cpu": 6000}},
//		{Name: "blue", Parent: "all", Nominal: map[corev1.ResourceName]int64{"cpu": 4000}},
//	}, quotatree.Options{})
//	err = tree.Take("red", map[corev1.ResourceName]int64{"cpu": 8000}) // borrows 2000 of blue
//
// Cohorts of Kueue, hierarchical queues of Volcano and YuniKorn, and tenants whose teams share what the
// tenant has are such trees. docs/trees.md says which fields of theirs are which of a [Node].
//
// # Which method answers which question
//
//   - How much may a node still take? [Tree.State]. Would it get an amount, and which ancestor is
//     short? [Tree.Take], whose error says so.
//   - What remains when amounts are taken, charged as they are, and released? [Tree.Take],
//     [Tree.Charge], [Tree.Give].
//   - Who borrows most, by which resource? [Tree.Share].
//   - How much would each node get if everything was divided fairly? [Tree.FairShares].
//   - From which holders must be reclaimed so that a request fits? [Tree.Reclaim].
//
// # The rules
//
// The quota of a node is its nominal amount and what its children lend: their quota, or their lending
// limit if that is less. What a child does not lend is its unlent quota, which it uses first. The usage
// of a node is what it holds itself plus, for each child, the part of the child's usage that exceeds what the
// child does not lend. A node may take what remains of its unlent quota and what is available to its parent, as
// long as
//
//   - the usage of each node on the way to the root stays within its quota and its borrowing limit;
//   - the usage of the root stays within its quota;
//   - what each node and its descendants hold stays within its maximum.
//
// So no Take brings the usage of a root above its quota. [Tree.Charge], or a [Node] that holds more than
// its quota from the start, may: its available amount is then negative, also for descendants that borrow
// nothing, and nothing can be taken until enough is given back.
//
// Fair shares divide one resource: see [Tree.FairShares] for weights, guarantees and demands.
//
// # Amounts
//
// Amounts are integers, in one unit for each resource, such as those that resourcelist.Integers returns:
// milli-units of cpu, and whole units of others. All answers are exact. [New] refuses trees that have or hold
// 2^62 or more of a resource, and [Tree.Charge] to hold as much, so no sum saturates. Shares are fractions, and
// compared as such.
//
// A resource that is missing in Nominal, Guarantee or Used is zero there. A resource that is missing in
// BorrowingLimit, LendingLimit or Max is not limited by them.
//
// Resources with different quotas for each kind of node, such as Kueue's flavors, are resources of their own, for
// example "spot/cpu". [Options] says which resource they count as when shares are compared.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Take, Charge and Give change a Tree, and must not
// run at the same time as other methods.
//
// # Sources
//
// Kueue: resource_node.go and fair_sharing.go of pkg/cache/scheduler, and pkg/scheduler/preemption. Volcano:
// the plugins proportion and capacity. YuniKorn: queue.go of pkg/scheduler/objects.
package quotatree
