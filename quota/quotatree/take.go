package quotatree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
)

// Shortage is a resource of which a node cannot take what it requests. It is an error.
type Shortage struct {
	// Node is the node that requests, and Resource the resource that is short.
	Node     string              `json:"node"`
	Resource corev1.ResourceName `json:"resource"`
	// Requested is the amount, and Available what Node may take, as in State: it may be negative.
	Requested int64 `json:"requested"`
	Available int64 `json:"available"`
	// Ancestor is the nearest node whose Bound is in the way: Node itself, or an ancestor of it.
	Ancestor string `json:"ancestor"`
	Bound    Bound  `json:"bound"`
}

// Bound is what keeps a node from taking more: a field of Node.
type Bound string

const (
	// Nominal is the bound of a root: its nominal amount, and those that its descendants lend.
	Nominal Bound = "Nominal"
	// BorrowingLimit is the quota of a node with its borrowing limit.
	BorrowingLimit Bound = "BorrowingLimit"
	// Max is the most that a node and its descendants may hold.
	Max Bound = "Max"
)

// Error names the node, the resource, the amounts and the ancestor that is short, with the field of its bound.
func (s *Shortage) Error() string {
	if s == nil {
		return "<nil>"
	}
	bound := string(s.Bound)
	if bound != "" {
		bound = strings.ToLower(bound[:1]) + bound[1:]
	}
	return fmt.Sprintf("quotatree: %s requests %s=%d, available: %d: %s of %s", s.Node, s.Resource, s.Requested,
		s.Available, bound, s.Ancestor)
}

// shortages returns why a node cannot take amounts, sorted by resource, and nil if it can. A request for
// zero always fits, and negative amounts count as zero.
func (t *Tree) shortages(node int32, amounts map[corev1.ResourceName]int64) []*Shortage {
	var found []*Shortage
	for name, n := range amounts {
		if n <= 0 {
			continue
		}
		s := &Shortage{Node: t.names[node], Resource: name, Requested: n}
		s.Ancestor, s.Bound = t.names[t.rootOf(node)], Nominal // of a resource that no node names
		if col, named := t.column[name]; named {
			s.Available = t.available(node, col)
			s.Ancestor, s.Bound = t.shortOf(node, col, n)
		}
		if n > s.Available {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *Shortage) int { return cmp.Compare(a.Resource, b.Resource) })
	return found
}

// shortOf returns the nearest node whose bound does not allow a node to take an amount, and the bound.
func (t *Tree) shortOf(node, col int32, n int64) (ancestor string, bound Bound) {
	beyond := n
	for i := node; i >= 0; i = t.parent[i] {
		c := t.at(i, col)
		switch {
		case beyond > c.ceiling-c.usage && t.parent[i] < 0:
			return t.names[i], Nominal
		case beyond > c.ceiling-c.usage:
			return t.names[i], BorrowingLimit
		case n > c.most-c.held:
			return t.names[i], Max
		}
		beyond -= c.unused() // below zero too: all bounds have to hold
	}
	return "", ""
}

func (t *Tree) rootOf(i int32) int32 {
	for t.parent[i] >= 0 {
		i = t.parent[i]
	}
	return i
}

// Take adds amounts to what a node holds, if all of them are available; a request for zero always fits.
// Otherwise it changes nothing, and returns an aggregate of the Shortages, or an error that says that an amount is
// negative or that the node is unknown, which wraps computeresources.ErrNotFound.
//
// Cost: O(resources · depth). It allocates only for errors.
//
// Source: addUsage of Kueue, TryIncAllocatedResource of YuniKorn.
func (t *Tree) Take(node string, amounts map[corev1.ResourceName]int64) error {
	i, unnamed, err := t.read(node, amounts)
	if err != nil {
		return err
	}
	fits := unnamed == ""
	for _, a := range t.scratch {
		fits = fits && a.amount <= t.available(i, a.col)
	}
	if !fits {
		return aggregate.Of(t.shortages(i, amounts))
	}
	for _, a := range t.scratch {
		t.add(i, a.col, a.amount)
	}
	return nil
}

// Charge adds amounts to what a node holds, available or not: they are in use already, as when a controller
// starts. It changes nothing and returns an error if the node is unknown, or if an amount is negative, of a
// resource that no node names, or so large that the tree would hold 2^62 or more.
//
// Cost: that of Take.
//
// Source: addUsage of Kueue.
func (t *Tree) Charge(node string, amounts map[corev1.ResourceName]int64) error {
	i, unnamed, err := t.read(node, amounts)
	if err != nil {
		return err
	}
	if unnamed != "" {
		return fmt.Errorf("quotatree: %s: resource %q is not defined by any node", node, unnamed)
	}
	root := t.rootOf(i)
	col, overflows := t.first(func(a amount) bool { return a.amount >= limit-min(limit, t.at(root, a.col).held) })
	if overflows {
		return fmt.Errorf("quotatree: %s: usage of %q in %s would overflow", node, t.columns[col], t.names[root])
	}
	for _, a := range t.scratch {
		t.add(i, a.col, a.amount)
	}
	return nil
}

// Give subtracts amounts from what a node holds, the amounts of its descendants not included. It undoes Take
// and Charge, in any order and in parts. It changes nothing and returns an error if the node is unknown, an amount
// negative, or more than the node holds.
//
// Cost: that of Take.
//
// Source: removeUsage of Kueue.
func (t *Tree) Give(node string, amounts map[corev1.ResourceName]int64) error {
	i, unnamed, err := t.read(node, amounts)
	if err != nil {
		return err
	}
	if unnamed != "" {
		return fmt.Errorf("quotatree: %s: cannot release %s=%d: only 0 in use", node, unnamed, amounts[unnamed])
	}
	col, short := t.first(func(a amount) bool { return a.amount > t.at(i, a.col).own })
	if short {
		return fmt.Errorf("quotatree: %s: cannot release %s=%d: only %d in use", node, t.columns[col],
			amounts[t.columns[col]], t.at(i, col).own)
	}
	for _, a := range t.scratch {
		t.remove(i, a.col, a.amount)
	}
	return nil
}

// read fills scratch with the amounts above zero of resources that nodes name, in no order. It returns the
// number of the node, the first other resource with an amount above zero, and an error if the node is unknown or an
// amount is negative.
func (t *Tree) read(
	node string, amounts map[corev1.ResourceName]int64,
) (i int32, unnamed corev1.ResourceName, err error) {
	i, ok := t.node(node)
	if !ok {
		return 0, "", unknown(node)
	}
	t.scratch = t.scratch[:0]
	negative := corev1.ResourceName("")
	for name, n := range amounts {
		col, named := t.column[name]
		switch {
		case n > 0 && named:
			t.scratch = append(t.scratch, amount{col, n})
		case n > 0 && (unnamed == "" || name < unnamed):
			unnamed = name
		case n < 0 && (negative == "" || name < negative):
			negative = name
		}
	}
	if negative != "" {
		return 0, "", fmt.Errorf("quotatree: negative amount %s=%d", negative, amounts[negative])
	}
	return i, unnamed, nil
}

func unknown(node string) error {
	return fmt.Errorf("quotatree: node %q %w", node, computeresources.ErrNotFound)
}

// first returns the first column with an amount in scratch for which a test holds.
func (t *Tree) first(holds func(amount) bool) (first int32, found bool) {
	for _, a := range t.scratch {
		if holds(a) && (!found || a.col < first) {
			first, found = a.col, true
		}
	}
	return first, found
}
