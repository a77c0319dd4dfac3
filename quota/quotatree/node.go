package quotatree

import (
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Node is a quota of a tree: a queue, a cohort, a tenant or a team. Amounts are by resource.
type Node struct {
	// Name identifies the node. Parent is the name of the node that it borrows from and lends to; a
	// node without one is a root.
	Name, Parent string
	// Nominal is what the node has of its own, in addition to what its children have.
	Nominal map[corev1.ResourceName]int64
	// BorrowingLimit is how far its usage may exceed its quota. Roots have nobody to borrow from, and
	// ignore it.
	BorrowingLimit map[corev1.ResourceName]int64
	// LendingLimit is how much of its quota others may use. Roots have nobody to lend to, and ignore
	// it.
	LendingLimit map[corev1.ResourceName]int64
	// Max is the most that the node and its descendants may hold together.
	Max map[corev1.ResourceName]int64
	// Guarantee is what fair shares allot to the node and its descendants before anything is divided
	// by weight, at most their demand. It reserves nothing: if others must not use it, limit
	// what the node lends. A resource that is missing has what the children are guaranteed.
	Guarantee map[corev1.ResourceName]int64
	// Weight is the proportion that the node gets of what its parent divides: nil means 1. It is
	// rounded up to a multiple of 10^-9. A node of weight zero gets what the others do not demand.
	Weight *resource.Quantity
	// Used is what the node itself holds from the start, without its descendants. It may exceed the
	// quota.
	Used map[corev1.ResourceName]int64
}

// Options are those of a tree. Their zero value is for resources that have one quota each.
type Options struct {
	// CountsAs is the resource that a name counts as in dominant shares: cpu for "spot/cpu" and
	// "on-demand/cpu". The amounts of names that count as one resource are added, so they have to
	// have one unit. A name that is missing counts as itself.
	CountsAs map[corev1.ResourceName]corev1.ResourceName
}

// New returns the tree of nodes, in any order; there may be several roots, whose trees have nothing in
// common. It keeps copies.
//
// The error is an aggregate of all problems, each of which is a *field.Error with a path such as
// nodes[2].max[cpu]:
//
//   - a name that is missing or duplicate, a parent that is unknown, a node that is its own ancestor;
//   - an amount or a weight that is negative;
//   - nominal amounts, or used ones, of a resource that add up to 2^62 or more in a tree, or weights
//     of all nodes that add up to 9 223 372 036 or more;
//   - a guarantee that is less than those of the children together, or more than there is in the tree;
//   - a maximum that is less than the guarantees, or than what the node and its descendants do not lend.
//
// Sums are only checked if everything else is valid.
//
// Cost: O(nodes · resources), and a sort of the names of resources.
func New(nodes []Node, opts Options) (*Tree, error) {
	if err := validateNodes(nodes); err != nil {
		return nil, err
	}
	t := &Tree{column: map[corev1.ResourceName]int32{}, index: make(map[string]int32, len(nodes))}
	order := parentsFirst(nodes)
	for i, at := range order {
		t.names = append(t.names, nodes[at].Name)
		t.index[nodes[at].Name] = int32(i)
	}
	t.children = make([][]int32, len(nodes))
	for i, at := range order {
		parent := int32(-1)
		if nodes[at].Parent != "" {
			parent = t.index[nodes[at].Parent]
			t.children[parent] = append(t.children[parent], int32(i))
		}
		t.parent = append(t.parent, parent)
	}
	t.setColumns(nodes, opts)
	problems := t.setWeights(nodes, order)
	problems = append(problems, t.setAmounts(nodes, order)...)
	if err := aggregate.Of(problems); err != nil {
		return nil, err
	}
	return t, nil
}

// parentsFirst returns the indices of nodes so that parents precede their children, by level and, within
// one, in the order of the nodes. Nodes that have no root above them are missing.
func parentsFirst(nodes []Node) []int {
	below := map[string][]int{}
	for i := range nodes {
		below[nodes[i].Parent] = append(below[nodes[i].Parent], i)
	}
	order := slices.Clone(below[""])
	for at := 0; at < len(order); at++ {
		order = append(order, below[nodes[order[at]].Name]...)
	}
	return order
}

// setColumns numbers the resources that nodes name, and what they count as.
func (t *Tree) setColumns(nodes []Node, opts Options) {
	for i := range nodes {
		for _, field := range amountsOf(&nodes[i]) {
			for name := range field.amounts {
				t.column[name] = 0
			}
		}
	}
	for name := range t.column {
		t.columns = append(t.columns, name)
	}
	slices.Sort(t.columns)
	columnsOf := map[corev1.ResourceName][]int32{}
	for i, name := range t.columns {
		t.column[name] = int32(i)
		if as, ok := opts.CountsAs[name]; ok {
			name = as
		}
		columnsOf[name] = append(columnsOf[name], int32(i))
	}
	for _, resource := range slices.Sorted(maps.Keys(columnsOf)) {
		t.groups = append(t.groups, group{resource, columnsOf[resource]})
	}
	t.scratch = make([]amount, 0, len(t.columns))
}

// setWeights sets the weights as integers without a common divisor.
func (t *Tree) setWeights(nodes []Node, order []int) problems {
	const one = 1_000_000_000
	sum, divisor := int64(0), int64(0)
	t.weight = make([]int64, len(nodes))
	for i, at := range order {
		w := int64(one)
		if nodes[at].Weight != nil {
			w = resourcelist.Value(*nodes[at].Weight, resource.Nano)
		}
		t.weight[i] = w
		sum, divisor = quantity.AddSaturated(sum, w), quantity.GCD(divisor, w)
	}
	if sum == math.MaxInt64 {
		return problems{tooMuch(pathOf(0).Child("weight"), "the weights of all nodes add up to 9223372036 or more")}
	}
	t.weightUnit = quantity.RatioOf(max(divisor, 1), one).Reduced()
	for i := range t.weight {
		t.weight[i] /= max(divisor, 1)
	}
	return nil
}

// setAmounts sets the cells, from the leaves to the roots, and returns what cannot hold.
func (t *Tree) setAmounts(nodes []Node, order []int) (found problems) {
	t.cells = make([]cell, len(nodes)*len(t.columns))
	totals := make([]sums, len(t.cells))
	for i := len(order) - 1; i >= 0; i-- {
		for col := range t.columns {
			at := i*len(t.columns) + col
			t.cells[at] = t.cellOf(&nodes[order[i]], int32(i), int32(col))
			totals[at] = t.sumsOf(&nodes[order[i]], int32(i), int32(col), totals)
			t.cells[at].guarantee = totals[at].guarantee
		}
	}
	for i := range nodes {
		for col := range t.columns {
			found = append(found, t.checkSums(&nodes[i], int32(col), totals, pathOf(i))...)
		}
	}
	return found
}

// cellOf returns the cell of a node whose children have theirs.
func (t *Tree) cellOf(node *Node, i, col int32) cell {
	name := t.columns[col]
	c := cell{quota: node.Nominal[name], own: node.Used[name], most: math.MaxInt64}
	c.usage, c.held = c.own, c.own
	for _, child := range t.children[i] {
		lower := t.at(child, col)
		c.quota = quantity.AddSaturated(c.quota, lower.quota-lower.unlent)
		c.usage = quantity.AddSaturated(c.usage, max(0, lower.usage-lower.unlent))
		c.held = quantity.AddSaturated(c.held, lower.held)
	}
	if most, ok := node.Max[name]; ok {
		c.most = most
	}
	if t.parent[i] < 0 {
		c.ceiling = c.quota
		return c
	}
	c.ceiling = limit // as if there was none: the bound of the root is in the way before
	if borrowing, ok := node.BorrowingLimit[name]; ok {
		c.ceiling = min(limit, quantity.AddSaturated(c.quota, borrowing)) // saturate
	}
	if lending, ok := node.LendingLimit[name]; ok {
		c.unlent = max(0, c.quota-lending)
	}
	return c
}
