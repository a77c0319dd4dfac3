package interpodaffinity

import (
	"iter"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Index has the pods on nodes by namespace, and their terms, each once for all pods with the same namespace and terms.
// One goroutine at a time may use an Index and the States on it, which write to it.
type Index struct {
	nodes      []*corev1.Node
	namespaces map[string]*namespace
	groups     map[groupKey]*group
	domains    map[string]*domains // by the key of the topology, as soon as they have been asked for
}

// namespace has the pods of a namespace.
type namespace struct {
	owner *Index // which alone may write to it
	pods  []placed
}

// placed is a pod on a node.
type placed struct {
	pod  *corev1.Pod
	node int
}

// groupKey is what pods with the same terms have in common.
type groupKey struct{ namespace, terms string }

// group is the pods with the same terms.
type group struct {
	owner *Index // which alone may write to it
	terms
	pods map[int]int64 // how many there are on a node
}

// domains are the values that the label of a topology has on nodes.
type domains struct {
	of []int32 // the domain of each node, none if it has no such label
	n  int
}

const none = -1

// NewIndex returns the index of the pods on nodes. Pods returns the pods of node i that have not ended. A node that is
// nil is one that only pods refer to: it and its pods do not count.
func NewIndex(nodes []*corev1.Node, pods func(i int) []*corev1.Pod) *Index {
	x := &Index{nodes, map[string]*namespace{}, map[groupKey]*group{}, map[string]*domains{}}
	for i := range nodes {
		for _, pod := range pods(i) {
			x.Add(i, pod)
		}
	}
	return x
}

// Clone returns a copy, to which another goroutine may write. The index must not be written to afterwards, because the
// copy shares with it what does not change. The cost is that of copying maps with an entry for each namespace and each
// group of pods with the same terms.
func (x *Index) Clone() *Index {
	return &Index{x.nodes, maps.Clone(x.namespaces), maps.Clone(x.groups), maps.Clone(x.domains)}
}

// Append sets the nodes, of which there are more than before: the others have their index, and their labels, as before.
// States on the index must not be used afterwards.
func (x *Index) Append(nodes []*corev1.Node) {
	x.nodes = nodes
	clear(x.domains)
}

// Add adds a pod that came to node i. The index keeps it, and it must not change.
func (x *Index) Add(i int, pod *corev1.Pod) {
	if x.nodes[i] == nil || pod == nil {
		return
	}
	s := x.namespace(pod.Namespace)
	s.pods = append(s.pods, placed{pod, i})
	x.count(i, pod, 1)
}

// Move is Remove for a pod that leaves node i, and otherwise Add.
func (x *Index) Move(i int, pod *corev1.Pod, leaves bool) {
	if leaves {
		x.Remove(i, pod)
	} else {
		x.Add(i, pod)
	}
}

// Remove removes a pod that was added to node i, and that is this object. If there is none, nothing changes. The cost
// is that of a search among the pods of the namespace.
func (x *Index) Remove(i int, pod *corev1.Pod) {
	if x.nodes[i] == nil || pod == nil {
		return
	}
	s := x.namespace(pod.Namespace)
	k := slices.Index(s.pods, placed{pod, i})
	if k < 0 {
		return
	}
	last := len(s.pods) - 1
	s.pods[k] = s.pods[last]
	s.pods = s.pods[:last]
	x.count(i, pod, -1)
}

// Pods yields the pods of a namespace, with the index of their node.
func (x *Index) Pods(namespace string) iter.Seq2[int, *corev1.Pod] {
	return func(yield func(i int, pod *corev1.Pod) bool) {
		s := x.namespaces[namespace]
		if s == nil {
			return
		}
		for _, p := range s.pods {
			if !yield(p.node, p.pod) {
				return
			}
		}
	}
}

// namespace returns the pods of a namespace to write to.
func (x *Index) namespace(name string) *namespace {
	s := x.namespaces[name]
	switch {
	case s == nil:
		s = &namespace{owner: x}
	case s.owner != x:
		s = &namespace{x, slices.Clone(s.pods)}
	}
	x.namespaces[name] = s
	return s
}

// count counts n pods in the group of a pod.
func (x *Index) count(i int, pod *corev1.Pod, n int64) {
	if !hasTerms(pod.Spec.Affinity) {
		return
	}
	key := groupKeyOf(pod)
	g := x.groups[key]
	switch {
	case g == nil:
		t, _ := termsOf(pod.Namespace, pod.Spec.Affinity) // an invalid list of terms of a pod on a node is ignored
		g = &group{x, t, map[int]int64{}}
		x.groups[key] = g
	case g.owner != x:
		g = &group{x, g.terms, maps.Clone(g.pods)}
		x.groups[key] = g
	}
	g.pods[i] += n
	if g.pods[i] == 0 {
		delete(g.pods, i)
	}
}

// groupKeyOf returns the key of the group of a pod.
func groupKeyOf(pod *corev1.Pod) groupKey {
	a := corev1.Affinity{PodAffinity: pod.Spec.Affinity.PodAffinity, PodAntiAffinity: pod.Spec.Affinity.PodAntiAffinity}
	encoded, _ := a.Marshal() // never fails
	return groupKey{pod.Namespace, string(encoded)}
}

// termsOf returns the terms of a pod.
func (x *Index) termsOf(pod *corev1.Pod) terms {
	if !hasTerms(pod.Spec.Affinity) {
		return terms{}
	}
	if g := x.groups[groupKeyOf(pod)]; g != nil {
		return g.terms
	}
	t, _ := termsOf(pod.Namespace, pod.Spec.Affinity)
	return t
}

// domainsOf returns the domains of a topology.
func (x *Index) domainsOf(key string) *domains {
	if d := x.domains[key]; d != nil {
		return d
	}
	d := &domains{of: make([]int32, len(x.nodes))}
	numbers := map[string]int32{}
	for i, node := range x.nodes {
		d.of[i] = none
		if node == nil {
			continue
		}
		value, isSet := node.Labels[key]
		if !isSet {
			continue
		}
		number, known := numbers[value]
		if !known {
			number = int32(len(numbers))
			numbers[value] = number
		}
		d.of[i] = number
	}
	d.n = len(numbers)
	x.domains[key] = d
	return d
}
