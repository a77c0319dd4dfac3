package interpodaffinity

import (
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Index has the pods on nodes by namespace and labels, and their terms, each once for all pods with the same namespace
// and terms.
// One goroutine at a time may use an Index and the States on it, which write to it.
type Index struct {
	nodes      []*corev1.Node
	namespaces map[string]*namespace
	groups     map[groupKey]*group
	domains    map[string]*domains // by the key of the topology, as soon as they have been asked for
	seed       maphash.Seed        // of the hashes of labels, on which no answer depends
}

// namespace has the pods of a namespace.
type namespace struct {
	owner *Index            // which alone may write to it
	sets  map[uint64][]*set // by the hash of their labels
}

// set is the pods with the same labels.
type set struct {
	owner  *Index // which alone may write to it
	labels map[string]string
	pods   []placed
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
	x := &Index{nodes, map[string]*namespace{}, map[groupKey]*group{}, map[string]*domains{}, maphash.MakeSeed()}
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
	return &Index{x.nodes, maps.Clone(x.namespaces), maps.Clone(x.groups), maps.Clone(x.domains), x.seed}
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
	s := x.set(pod)
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
// is that of a search among the pods of the namespace with the same labels.
func (x *Index) Remove(i int, pod *corev1.Pod) {
	if pod == nil {
		return
	}
	s := x.set(pod)
	k := slices.Index(s.pods, placed{pod, i})
	if k >= 0 {
		last := len(s.pods) - 1
		s.pods[k] = s.pods[last]
		s.pods = s.pods[:last]
		x.count(i, pod, -1)
	}
	if len(s.pods) == 0 {
		x.forget(pod)
	}
}

// Pods yields the pods of a namespace with labels that are wanted, with the index of their node. It asks once for all
// pods with the same labels.
func (x *Index) Pods(name string, isWanted func(labels map[string]string) bool) iter.Seq2[int, *corev1.Pod] {
	return func(yield func(i int, pod *corev1.Pod) bool) {
		n := x.namespaces[name]
		if n == nil {
			return
		}
		for _, sets := range n.sets {
			for _, s := range sets {
				if !isWanted(s.labels) {
					continue
				}
				for _, p := range s.pods {
					if !yield(p.node, p.pod) {
						return
					}
				}
			}
		}
	}
}

// set returns the pods with the labels of a pod, to write to.
func (x *Index) set(pod *corev1.Pod) *set {
	n, key := x.namespace(pod.Namespace), x.hashOf(pod.Labels)
	sets := n.sets[key]
	k := slices.IndexFunc(sets, func(s *set) bool { return maps.Equal(s.labels, pod.Labels) })
	switch {
	case k < 0:
		k, sets = len(sets), append(slices.Clip(sets), &set{owner: x, labels: pod.Labels})
		n.sets[key] = sets
	case sets[k].owner != x:
		sets = slices.Clone(sets)
		sets[k] = &set{x, sets[k].labels, slices.Clone(sets[k].pods)}
		n.sets[key] = sets
	}
	return sets[k]
}

// forget forgets the labels of a pod, which no pod has now.
func (x *Index) forget(pod *corev1.Pod) {
	n, key := x.namespace(pod.Namespace), x.hashOf(pod.Labels)
	sets := slices.Clone(n.sets[key])
	n.sets[key] = slices.DeleteFunc(sets, func(s *set) bool { return len(s.pods) == 0 })
	if len(n.sets[key]) == 0 {
		delete(n.sets, key)
	}
	if len(n.sets) == 0 {
		delete(x.namespaces, pod.Namespace)
	}
}

// hashOf returns a hash of labels.
func (x *Index) hashOf(labels map[string]string) (sum uint64) {
	for key, value := range labels {
		sum += maphash.String(x.seed, key) ^ 3*maphash.String(x.seed, value)
	}
	return sum
}

// namespace returns the pods of a namespace to write to.
func (x *Index) namespace(name string) *namespace {
	n := x.namespaces[name]
	switch {
	case n == nil:
		n = &namespace{x, map[uint64][]*set{}}
	case n.owner != x:
		n = &namespace{x, maps.Clone(n.sets)}
	}
	x.namespaces[name] = n
	return n
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
