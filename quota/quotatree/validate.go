package quotatree

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
)

// problems are those of nodes, by path.
type problems = field.ErrorList

// namedAmounts is a field of a Node.
type namedAmounts struct {
	field   string
	amounts map[corev1.ResourceName]int64
}

func amountsOf(n *Node) [6]namedAmounts {
	return [...]namedAmounts{
		{"nominal", n.Nominal}, {"borrowingLimit", n.BorrowingLimit}, {"lendingLimit", n.LendingLimit},
		{"max", n.Max}, {"guarantee", n.Guarantee}, {"used", n.Used},
	}
}

func pathOf(i int) *field.Path { return field.NewPath("nodes").Index(i) }

func tooMuch(path *field.Path, what string) *field.Error {
	return field.Invalid(path, field.OmitValueType{}, what)
}

// validateNodes returns what is wrong with nodes, apart from their sums.
func validateNodes(nodes []Node) error {
	var found problems
	first := map[string]int{}
	for i := range nodes {
		name := nodes[i].Name
		if name == "" {
			found = append(found, field.Required(pathOf(i).Child("name"), ""))
			continue
		}
		if _, duplicate := first[name]; duplicate {
			found = append(found, field.Duplicate(pathOf(i).Child("name"), name))
			continue
		}
		first[name] = i
	}
	for i := range nodes {
		found = append(found, validateNode(&nodes[i], pathOf(i), first)...)
	}
	if len(found) == 0 { // names are unique, and parents known
		found = cycles(nodes, first)
	}
	return aggregate.Of(found)
}

func validateNode(n *Node, path *field.Path, known map[string]int) (found problems) {
	if _, ok := known[n.Parent]; n.Parent != "" && !ok {
		found = append(found, field.NotFound(path.Child("parent"), n.Parent))
	}
	for _, of := range amountsOf(n) {
		for _, name := range sortedNames(of.amounts) {
			if v := of.amounts[name]; v < 0 {
				found = append(found, field.Invalid(path.Child(of.field).Key(string(name)), v, "must not be negative"))
			}
		}
	}
	if n.Weight != nil && n.Weight.Sign() < 0 {
		w := n.Weight.DeepCopy()
		found = append(found, field.Invalid(path.Child("weight"), w.String(), "must not be negative"))
	}
	return found
}

// cycles returns a problem of the first node on each cycle.
func cycles(nodes []Node, index map[string]int) (found problems) {
	state := make([]int, len(nodes)) // 0: unknown, otherwise 1 + the node from which it was reached first
	for start := range nodes {
		i := start
		for state[i] == 0 {
			state[i] = start + 1
			if nodes[i].Parent == "" {
				break
			}
			i = index[nodes[i].Parent]
		}
		if state[i] != start+1 || nodes[i].Parent == "" { // a root, or reached before
			continue
		}
		least := i
		for j := index[nodes[i].Parent]; j != i; j = index[nodes[j].Parent] {
			least = min(least, j)
		}
		found = append(found,
			field.Invalid(pathOf(least).Child("parent"), nodes[least].Parent, "the node is its own ancestor"))
	}
	return found
}

// sums are what a node and its descendants have of a resource together. They saturate, and none is valid
// that does.
type sums struct{ nominal, used, unlent, guarantee int64 }

// sumsOf returns the sums of a node whose children have theirs.
func (t *Tree) sumsOf(node *Node, i, col int32, below []sums) sums {
	name := t.columns[col]
	s := sums{nominal: node.Nominal[name], used: node.Used[name], unlent: t.at(i, col).unlent}
	for _, child := range t.children[i] {
		lower := below[int(child)*len(t.columns)+int(col)]
		s.nominal = quantity.AddSaturated(s.nominal, lower.nominal)
		s.used = quantity.AddSaturated(s.used, lower.used)
		s.unlent = quantity.AddSaturated(s.unlent, lower.unlent)
		s.guarantee = quantity.AddSaturated(s.guarantee, lower.guarantee)
	}
	if own, ok := node.Guarantee[name]; ok {
		s.guarantee = own
	}
	return s
}

// checkSums returns what cannot hold of a resource at a node.
func (t *Tree) checkSums(node *Node, col int32, totals []sums, path *field.Path) (found problems) {
	i, name := t.index[node.Name], t.columns[col]
	s := totals[int(i)*len(t.columns)+int(col)]
	invalid := func(name string, value int64, atLeast string, than int64) {
		key := path.Child(name).Key(string(t.columns[col]))
		found = append(found, field.Invalid(key, value, fmt.Sprintf("must be at %s %d", atLeast, than)))
	}
	children := int64(0)
	for _, child := range t.children[i] {
		children = quantity.AddSaturated(children, totals[int(child)*len(t.columns)+int(col)].guarantee)
	}
	if s.guarantee < children {
		invalid("guarantee", s.guarantee, "least what the children are guaranteed:", children)
	}
	if most, ok := node.Max[name]; ok && most < s.guarantee {
		invalid("max", most, "least what is guaranteed:", s.guarantee)
	} else if ok && most < s.unlent {
		invalid("max", most, "least what the node and its descendants do not lend:", s.unlent)
	}
	switch {
	case t.parent[i] >= 0:
	case s.nominal >= limit:
		found = append(found,
			tooMuch(path.Child("nominal").Key(string(name)), "the nominal amounts of the tree add up to 2^62 or more"))
	case s.used >= limit:
		found = append(found,
			tooMuch(path.Child("used").Key(string(name)), "the used amounts of the tree add up to 2^62 or more"))
	case s.guarantee > s.nominal:
		invalid("guarantee", s.guarantee, "most the nominal amounts of the tree:", s.nominal)
	}
	return found
}

// sortedNames returns the names of amounts in their order.
func sortedNames(amounts map[corev1.ResourceName]int64) []corev1.ResourceName {
	return slices.Sorted(maps.Keys(amounts))
}
