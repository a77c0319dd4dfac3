package interpodaffinity

import (
	"iter"
	"maps"

	corev1 "k8s.io/api/core/v1"
)

// State has how many pods on nodes meet the terms of a pod, and whose terms the pod meets, by domain.
type State struct {
	incoming   *Incoming
	index      *Index
	topologies []*topology
	required   []*topology // of the terms of the required affinity
	matching   int64       // pods that these terms select, once for each term whose label the node has
	refusing   int64       // pods whose anti-affinity selects the pod, once for each such term
	scoring    int64       // likewise for the terms that the score is made of
}

// topology has the counts for one key of a topology.
type topology struct {
	*domains
	key          string
	affinity     counts // pods that the required affinity of the pod selects
	antiAffinity counts // pods that its required anti-affinity selects
	existing     counts // pods whose required anti-affinity selects the pod
	score        counts // the sum of the weights
}

// counts are by domain. They are nil while all are zero.
type counts []int64

// On returns the state of a pod on the nodes of an index.
//
// The cost is that of comparing the pod with each group of pods with the same terms, and each pod of the namespaces
// that its own terms are about.
func (in *Incoming) On(x *Index) *State {
	s := &State{incoming: in, index: x} // invalid terms are none
	for i := range in.affinity {
		s.required = append(s.required, s.topology(in.affinity[i].topologyKey))
	}
	for _, g := range x.groups {
		s.countTermsOf(&g.terms, maps.All(g.pods))
	}
	for name := range x.namespaces {
		if !in.isAbout(name) {
			continue
		}
		isWanted := func(labels map[string]string) bool { return in.isAboutPods(name, labels) }
		for i, pod := range x.Pods(name, isWanted) {
			s.countPod(pod, i, 1)
		}
	}
	return s
}

// Add counts a pod that came to node i.
func (s *State) Add(i int, pod *corev1.Pod) { s.update(i, pod, 1) }

// Remove undoes Add, and removes a pod that On has counted.
func (s *State) Remove(i int, pod *corev1.Pod) { s.update(i, pod, -1) }

func (s *State) update(i int, pod *corev1.Pod, n int64) {
	if pod == nil {
		return
	}
	t := s.index.termsOf(pod)
	s.countTermsOf(&t, on(i, n))
	s.countPod(pod, i, n)
}

// on yields n pods on node i.
func on(i int, n int64) iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) { yield(i, n) }
}

// countTermsOf counts pods whose terms may select the incoming pod: so many on each node.
//
// Source: getExistingAntiAffinityCounts and processExistingPod of the plugin.
func (s *State) countTermsOf(t *terms, pods iter.Seq2[int, int64]) {
	in := s.incoming
	for k := range t.antiAffinity {
		if !in.isSelectedBy(&t.antiAffinity[k]) {
			continue
		}
		topology := s.topology(t.antiAffinity[k].topologyKey)
		for i, n := range pods {
			if topology.add(&topology.existing, i, n) {
				s.refusing += n
			}
		}
	}
	if !in.isScored {
		return
	}
	if in.hardWeight > 0 {
		for k := range t.affinity {
			if in.isSelectedBy(&t.affinity[k]) {
				s.score(t.affinity[k].topologyKey, in.hardWeight, pods)
			}
		}
	}
	for k := range t.preferred {
		if in.isSelectedBy(&t.preferred[k]) {
			s.score(t.preferred[k].topologyKey, t.preferred[k].weight, pods)
		}
	}
}

// score counts pods for the score, with the weight of a term: so many on each node.
func (s *State) score(topologyKey string, weight int32, pods iter.Seq2[int, int64]) {
	topology := s.topology(topologyKey)
	for i, n := range pods {
		if topology.add(&topology.score, i, n*int64(weight)) {
			s.scoring += n
		}
	}
}

// countPod counts n pods on a node if the terms of the incoming pod select them.
//
// Source: updateWithAffinityTerms, updateWithAntiAffinityTerms and processExistingPod of the plugin.
func (s *State) countPod(pod *corev1.Pod, i int, n int64) {
	in := s.incoming
	if in.selects(pod) {
		for _, topology := range s.required {
			if topology.add(&topology.affinity, i, n) {
				s.matching += n
			}
		}
	}
	for k := range in.antiAffinity {
		if t := &in.antiAffinity[k]; t.matches(pod.Namespace, pod.Labels, nil) {
			topology := s.topology(t.topologyKey)
			topology.add(&topology.antiAffinity, i, n)
		}
	}
	for k := range in.preferred {
		if t := &in.preferred[k]; t.matches(pod.Namespace, pod.Labels, nil) {
			s.score(t.topologyKey, t.weight, on(i, n))
		}
	}
}

// topology returns the counts for a key.
func (s *State) topology(key string) *topology {
	for _, t := range s.topologies {
		if t.key == key {
			return t
		}
	}
	t := &topology{domains: s.index.domainsOf(key), key: key}
	s.topologies = append(s.topologies, t)
	return t
}

// add adds to the count of the domain of node i, and reports whether it is in one.
func (t *topology) add(c *counts, i int, amount int64) bool {
	if t.of[i] == none {
		return false
	}
	if *c == nil {
		*c = make(counts, t.n)
	}
	(*c)[t.of[i]] += amount
	return true
}

// at returns the count of the domain of node i, zero if it is in none.
func (t *topology) at(c counts, i int) int64 {
	if c == nil || t.of[i] == none {
		return 0
	}
	return c[t.of[i]]
}
