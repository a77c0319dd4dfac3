package quotatree

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Tree holds nodes and what they use. Use New. Take, Charge and Give change it, and must not run at the
// same time as other methods. Its nodes and their limits do not change: create a new Tree, with what the
// nodes hold in Used.
type Tree struct {
	names    []string // of nodes, parents before their children
	index    map[string]int32
	parent   []int32 // -1 for a root
	children [][]int32

	weight     []int64 // in units of weightUnit
	weightUnit quantity.Ratio

	columns []corev1.ResourceName // sorted
	column  map[corev1.ResourceName]int32
	groups  []group // by resource

	cells   []cell   // those of a node follow each other
	scratch []amount // of Take, Charge and Give
}

// group has the columns that count as one resource in dominant shares.
type group struct {
	resource corev1.ResourceName
	columns  []int32
}

// limit is what no sum of nominal amounts, and none of what nodes hold, reaches. So both together fit an
// int64.
const limit = 1 << 62

// cell is what a node has of a resource: 64 bytes, a line of the cache.
type cell struct {
	quota     int64 // the nominal amount, and what children lend
	unlent    int64 // of quota, hidden from the parent; 0 for a root
	ceiling   int64 // what usage must not exceed, and at most limit
	most      int64 // what held must not exceed
	guarantee int64 // of the node, or else of its children

	own   int64 // held by the node itself
	held  int64 // own, and that of all descendants
	usage int64 // own, and the usage of children beyond what they do not lend
}

// unused is what remains of the unlent quota.
func (c *cell) unused() int64 { return max(0, c.unlent-c.usage) }

// amount is an amount of a column.
type amount struct {
	col    int32
	amount int64
}

func (t *Tree) at(node, col int32) *cell { return &t.cells[int(node)*len(t.columns)+int(col)] }

// node returns the number of a node, and whether there is one. A nil tree has none.
func (t *Tree) node(name string) (int32, bool) {
	if t == nil {
		return 0, false
	}
	i, ok := t.index[name]
	return i, ok
}

// clone returns a tree that changes independently of t, to try something out. A nil tree has a nil clone.
//
// Cost: a copy of 64 bytes for each node and resource.
func (t *Tree) clone() *Tree {
	if t == nil {
		return nil
	}
	clone := *t // the rest is never written
	clone.cells = slices.Clone(t.cells)
	clone.scratch = make([]amount, 0, len(t.columns))
	return &clone
}

// State is what a node has of a resource.
type State struct {
	// Quota is the nominal amount of the node, and what its children lend: SubtreeQuota of Kueue.
	Quota int64 `json:"quota"`
	// Unlent is the part of Quota that it does not lend, because of its lending limit: localQuota of
	// Kueue. A root has nobody to lend to, and 0.
	Unlent int64 `json:"unlent"`
	// Own is what the node itself holds, and Held what it and its descendants hold together.
	Own  int64 `json:"own"`
	Held int64 `json:"held"`
	// Usage is what counts against Quota: Own, and the usage of the children beyond what they do not
	// lend. What it has in excess of Quota is borrowed.
	Usage int64 `json:"usage"`
	// Available is how much the node may take. It is negative if the node, or an ancestor, uses more than
	// it may.
	Available int64 `json:"available"`
	// Potential is what would be available if all nodes held nothing.
	Potential int64 `json:"potential"`
}

// State returns what a node has of a resource, and may take by the borrowing and lending limits of the tree. An unknown
// node, or a resource that no node names, has zero of everything.
//
// Cost: O(depth), without allocations.
//
// Source: available and potentialAvailable of Kueue.
func (t *Tree) State(node string, name corev1.ResourceName) State {
	i, ok := t.node(node)
	if !ok {
		return State{}
	}
	col, ok := t.column[name]
	if !ok {
		return State{}
	}
	c := t.at(i, col)
	return State{
		Quota: c.quota, Unlent: c.unlent, Own: c.own, Held: c.held, Usage: c.usage,
		Available: t.available(i, col), Potential: t.potential(i, col),
	}
}

// available returns how much a node may take. Each ancestor is charged only for the part that the unused unlent
// quota of the nodes below it does not cover. Its bounds have to hold even if that is nothing.
func (t *Tree) available(node, col int32) int64 {
	least, unused := int64(math.MaxInt64), int64(0)
	for i := node; i >= 0; i = t.parent[i] {
		c := t.at(i, col)
		least = min(least, unused+c.ceiling-c.usage, c.most-c.held)
		unused += c.unused()
	}
	return least
}

// potential is available without usage.
func (t *Tree) potential(node, col int32) int64 {
	least, unlent := int64(math.MaxInt64), int64(0)
	for i := node; i >= 0; i = t.parent[i] {
		c := t.at(i, col)
		least = min(least, unlent+c.ceiling, c.most)
		unlent += c.unlent
	}
	return least
}

// add adds an amount to what a node holds.
func (t *Tree) add(node, col int32, n int64) {
	t.at(node, col).own += n
	beyond := n
	for i := node; i >= 0; i = t.parent[i] {
		c := t.at(i, col)
		unused := c.unused()
		c.held += n
		c.usage += beyond
		beyond = max(0, beyond-unused)
	}
}

// remove undoes add, in any order.
func (t *Tree) remove(node, col int32, n int64) {
	t.at(node, col).own -= n
	beyond := n
	for i := node; i >= 0; i = t.parent[i] {
		c := t.at(i, col)
		inParent := max(0, c.usage-c.unlent)
		c.held -= n
		c.usage -= beyond
		beyond = min(beyond, inParent)
	}
}
