package quotatree_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

type amounts = map[corev1.ResourceName]int64

// slow computes everything from what the nodes themselves hold, by the recursions of Kueue's source.
type slow struct {
	nodes map[string]*quotatree.Node
	names []string
	own   map[string]amounts
}

func newSlow(nodes []quotatree.Node) *slow {
	s := &slow{nodes: map[string]*quotatree.Node{}, own: map[string]amounts{}}
	for i := range nodes {
		n := &nodes[i]
		s.nodes[n.Name], s.own[n.Name] = n, amounts{}
		s.names = append(s.names, n.Name)
		for r, v := range n.Used {
			s.own[n.Name][r] += v
		}
	}
	return s
}

func (s *slow) children(n string) (all []string) {
	for _, name := range s.names {
		if s.nodes[name].Parent == n {
			all = append(all, name)
		}
	}
	return all
}

// leaves returns the nodes without children, below a node or, of "", below all.
func (s *slow) leaves(n string) (all []string) {
	children := s.children(n)
	for _, c := range children {
		all = append(all, s.leaves(c)...)
	}
	if len(children) == 0 && n != "" {
		all = append(all, n)
	}
	return all
}

func (s *slow) quota(n string, r corev1.ResourceName) int64 {
	q := s.nodes[n].Nominal[r]
	for _, c := range s.children(n) {
		q += s.quota(c, r) - s.unlent(c, r)
	}
	return q
}

func (s *slow) unlent(n string, r corev1.ResourceName) int64 {
	if lending, ok := s.nodes[n].LendingLimit[r]; ok && s.nodes[n].Parent != "" {
		return max(0, s.quota(n, r)-lending)
	}
	return 0
}

func (s *slow) usage(n string, r corev1.ResourceName) int64 {
	u := s.own[n][r]
	for _, c := range s.children(n) {
		u += max(0, s.usage(c, r)-s.unlent(c, r))
	}
	return u
}

func (s *slow) held(n string, r corev1.ResourceName) int64 {
	h := s.own[n][r]
	for _, c := range s.children(n) {
		h += s.held(c, r)
	}
	return h
}

// borrowable is available without maxima.
func (s *slow) borrowable(n string, r corev1.ResourceName) int64 {
	quota, usage, unlent := s.quota(n, r), s.usage(n, r), s.unlent(n, r)
	parent := s.nodes[n].Parent
	if parent == "" {
		return quota - usage
	}
	above := s.borrowable(parent, r)
	if borrowing, ok := s.nodes[n].BorrowingLimit[r]; ok {
		above = min(above, quota-unlent-max(0, usage-unlent)+borrowing)
	}
	return max(0, unlent-usage) + above
}

func (s *slow) available(n string, r corev1.ResourceName) int64 {
	free := s.borrowable(n, r)
	for ; n != ""; n = s.nodes[n].Parent {
		if most, ok := s.nodes[n].Max[r]; ok {
			free = min(free, most-s.held(n, r))
		}
	}
	return free
}

// empty is the tree without what is held.
func (s *slow) empty() *slow {
	return &slow{nodes: s.nodes, names: s.names, own: map[string]amounts{}}
}

func (s *slow) state(n string, r corev1.ResourceName) quotatree.State {
	return quotatree.State{
		Quota: s.quota(n, r), Unlent: s.unlent(n, r), Own: s.own[n][r], Held: s.held(n, r), Usage: s.usage(n, r),
		Available: s.available(n, r), Potential: s.empty().available(n, r),
	}
}

func (s *slow) hold(n string, held amounts, sign int64) {
	for r, v := range held {
		s.own[n][r] += sign * v
	}
}

var resources = []corev1.ResourceName{"cpu", "memory", "spot/cpu"}

// small and huge are amounts; of huge ones, those of a tree do not reach 2^62.
var (
	small = rapid.Int64Range(0, 12)
	huge  = rapid.OneOf(small, rapid.Int64Range(0, 1<<57), rapid.Int64Range(1<<56, 1<<57))
)

// drawAmounts draws an amount for each resource with a probability of 1 in n.
func drawAmounts(t *rapid.T, amount *rapid.Generator[int64], n int) amounts {
	a := amounts{}
	for _, r := range resources {
		if rapid.IntRange(1, n).Draw(t, "set") == 1 {
			a[r] = amount.Draw(t, "amount")
		}
	}
	return a
}

var weights = []string{"1", "2", "500m", "3", "0", "1000000001n", "999999997n"}

// drawNodes draws the nodes of up to two trees, in any order.
func drawNodes(t *rapid.T, amount *rapid.Generator[int64], most int) []quotatree.Node {
	nodes := make([]quotatree.Node, rapid.IntRange(1, most).Draw(t, "nodes"))
	for i := range nodes {
		n := &nodes[i]
		n.Name = fmt.Sprint("n", i)
		if parent := rapid.IntRange(0, i).Draw(t, "parent"); parent < i && i > 0 {
			n.Parent = nodes[parent].Name
		}
		n.Nominal = drawAmounts(t, amount, 1)
		n.BorrowingLimit, n.LendingLimit = drawAmounts(t, amount, 3), drawAmounts(t, amount, 3)
		n.Max, n.Guarantee = drawAmounts(t, amount, 4), drawAmounts(t, amount, 6)
		if w := rapid.SampledFrom(append(weights, "")).Draw(t, "weight"); w != "" {
			q := resource.MustParse(w)
			n.Weight = &q
		}
	}
	return rapid.Permutation(nodes).Draw(t, "order")
}

// drawTree draws a tree, with what New accepts.
func drawTree(t *rapid.T, amount *rapid.Generator[int64], most int) (*quotatree.Tree, []quotatree.Node) {
	nodes := drawNodes(t, amount, most)
	tree, err := quotatree.New(nodes, quotatree.Options{})
	if err != nil { // guarantees and maxima contradict each other, or what is not lent
		for i := range nodes {
			nodes[i].Guarantee, nodes[i].Max = nil, nil
		}
		tree, err = quotatree.New(nodes, quotatree.Options{})
	}
	testkit.OK(t, err)
	return tree, nodes
}

// compareStates fails if a tree and the slow one differ.
func compareStates(t *rapid.T, tree *quotatree.Tree, s *slow) {
	for _, n := range s.names {
		for _, r := range resources {
			testkit.Equal(t, tree.State(n, r), s.state(n, r), r, "of", n)
		}
	}
}
