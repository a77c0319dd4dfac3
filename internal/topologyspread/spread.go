package topologyspread

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/taints"
)

// Spread is how the pods that the constraints of one pod count are spread over nodes.
type Spread struct {
	*Constraints
	limits  []limit // of the hard constraints
	tallies []tally // of the soft constraints
	scored  []bool  // nodes that have the labels of the soft constraints, if they need them
}

// tally is the number of pods in each domain of a constraint. A domain is the nodes with the same value of a label.
// Nodes without the label are in the domain of the empty value.
type tally struct {
	*constraint
	nodes []place
	pods  []int // by domain
}

// place is what a tally needs to know of a node.
type place struct {
	domain    int32
	hasLabel  bool
	isCounted bool // its pods count
}

// limit is the tally of a hard constraint with the least number of pods in a domain. It ignores domains without nodes
// whose pods count.
type limit struct {
	tally
	domains int
	least   int         // math.MaxInt32 without domains
	having  map[int]int // how many domains have a number of pods
}

// On returns how pods are spread over nodes. A nil node has no domain. pods returns the pods on a node that have not
// ended; nil stands for no pods, which may be added one by one. It takes time in proportion to nodes and pods.
//
// Source: calPreFilterState and PreScore.
func (c *Constraints) On(nodes []*corev1.Node, pods func(i int) []*corev1.Pod) *Spread {
	if c == nil {
		c = &Constraints{}
	}
	s := &Spread{Constraints: c, scored: make([]bool, len(nodes))}
	for i, node := range nodes {
		s.scored[i] = node != nil && (c.mayLackLabel || hasLabels(node, c.soft))
	}
	for _, t := range c.talliesOf(c.hard, nodes) {
		s.limits = append(s.limits, limitOf(t))
	}
	s.tallies = c.talliesOf(c.soft, nodes)
	if pods == nil {
		return s
	}
	for i := range nodes {
		for _, pod := range pods(i) {
			s.Add(i, pod)
		}
	}
	return s
}

// talliesOf returns a tally without pods for each constraint. The pods of a node count only if it has the labels of all
// these constraints, unless nodes may lack them.
func (c *Constraints) talliesOf(all []constraint, nodes []*corev1.Node) []tally {
	tallies := make([]tally, len(all))
	domains := make([]map[string]int32, len(all))
	for k := range all {
		tallies[k] = tally{constraint: &all[k], nodes: make([]place, len(nodes))}
		domains[k] = map[string]int32{}
		if all[k].isPerNode {
			tallies[k].pods = make([]int, len(nodes))
		}
	}
	for i, node := range nodes {
		if node == nil {
			continue
		}
		isIncluded := c.mayLackLabel || hasLabels(node, all)
		for k := range tallies {
			t := &tallies[k]
			value, hasLabel := node.Labels[t.topologyKey]
			if t.isPerNode {
				t.nodes[i] = place{domain: int32(i), hasLabel: hasLabel, isCounted: true}
				continue
			}
			domain, isKnown := domains[k][value]
			if !isKnown {
				domain = int32(len(t.pods))
				domains[k][value] = domain
				t.pods = append(t.pods, 0)
			}
			isHonored := (!t.honorsAffinity || c.required.Matches(node)) && (!t.honorsTaints || c.tolerates(node))
			t.nodes[i] = place{domain: domain, hasLabel: hasLabel, isCounted: isIncluded && isHonored}
		}
	}
	return tallies
}

// tolerates reports whether the pod tolerates all taints of a node that keep pods off it.
func (c *Constraints) tolerates(node *corev1.Node) bool {
	return !taints.Untolerated(node.Spec.Taints, c.tolerations, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute)
}

func hasLabels(node *corev1.Node, all []constraint) bool {
	for i := range all {
		if _, found := node.Labels[all[i].topologyKey]; !found {
			return false
		}
	}
	return true
}

// limitOf returns the limit of a tally without pods.
func limitOf(t tally) limit {
	isDomain := make([]bool, len(t.pods))
	l := limit{tally: t, least: math.MaxInt32}
	for _, n := range t.nodes {
		if n.isCounted && !isDomain[n.domain] {
			isDomain[n.domain] = true
			l.domains, l.least = l.domains+1, 0
		}
	}
	l.having = map[int]int{0: l.domains}
	return l
}

// change adds to the pods in the domain of a node whose pods count: 1 or -1.
func (l *limit) change(i int, by int) {
	domain := l.nodes[i].domain
	before := l.pods[domain]
	after := before + by
	l.pods[domain] = after
	l.having[before]--
	l.having[after]++
	if after < l.least || before == l.least && l.having[before] == 0 {
		l.least = after
	}
}

// Add counts a pod that came to a node. It takes time in proportion to the constraints.
func (s *Spread) Add(i int, pod *corev1.Pod) { s.change(i, pod, 1) }

// Remove no longer counts a pod that left a node. It takes time in proportion to the constraints.
func (s *Spread) Remove(i int, pod *corev1.Pod) { s.change(i, pod, -1) }

// Selects reports whether a constraint counts pods of the namespace with these labels.
func (s *Spread) Selects(podLabels map[string]string) bool {
	selects := func(c constraint) bool { return !c.countsNone && c.selector.Matches(labels.Set(podLabels)) }
	return slices.ContainsFunc(s.hard, selects) || slices.ContainsFunc(s.soft, selects)
}

// A pod that is being deleted does not count.
//
// Source: countPodsMatchSelector.
func (s *Spread) change(i int, pod *corev1.Pod, by int) {
	if pod == nil || pod.Namespace != s.namespace || pod.DeletionTimestamp != nil {
		return
	}
	for k := range s.limits {
		if l := &s.limits[k]; l.counts(i, pod) {
			l.change(i, by)
		}
	}
	for k := range s.tallies {
		if t := &s.tallies[k]; t.counts(i, pod) {
			t.pods[t.nodes[i].domain] += by
		}
	}
}

// counts reports whether a pod of the namespace counts on a node.
func (t *tally) counts(i int, pod *corev1.Pod) bool {
	return t.nodes[i].isCounted && !t.countsNone && t.selector.Matches(labels.Set(pod.Labels))
}
