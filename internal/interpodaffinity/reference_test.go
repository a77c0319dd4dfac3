package interpodaffinity_test

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/testkit"
)

// reference answers the questions of the package one node at a time, from the documentation of PodAffinityTerm, without
// any count.
type reference struct {
	*testkit.PodAffinityCluster
	hardWeight int32
}

// lists are the terms of a pod in the order in which the scheduler reads them.
type lists struct {
	with, without                   []corev1.PodAffinityTerm
	preferredWith, preferredWithout []corev1.WeightedPodAffinityTerm
}

func listsOf(pod *corev1.Pod) (l lists) {
	a := pod.Spec.Affinity
	if a != nil && a.PodAffinity != nil {
		l.with, l.preferredWith = a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	}
	if a != nil && a.PodAntiAffinity != nil {
		l.without, l.preferredWithout = a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	}
	return l
}

func isInvalid(term corev1.PodAffinityTerm) bool {
	_, err := metav1.LabelSelectorAsSelector(term.LabelSelector)
	_, other := metav1.LabelSelectorAsSelector(term.NamespaceSelector)
	return err != nil || other != nil
}

func (l lists) isInvalid() bool { return len(l.valid().all()) < len(l.all()) }

func (l lists) all() (all []corev1.PodAffinityTerm) {
	all = append(append(all, l.with...), l.without...)
	for _, w := range append(append([]corev1.WeightedPodAffinityTerm{}, l.preferredWith...), l.preferredWithout...) {
		all = append(all, w.PodAffinityTerm)
	}
	return all
}

// valid returns the lists without those that have an invalid term.
func (l lists) valid() lists {
	for _, list := range []*[]corev1.PodAffinityTerm{&l.with, &l.without} {
		for _, term := range *list {
			if isInvalid(term) {
				*list = nil
			}
		}
	}
	for _, list := range []*[]corev1.WeightedPodAffinityTerm{&l.preferredWith, &l.preferredWithout} {
		for _, term := range *list {
			if isInvalid(term.PodAffinityTerm) {
				*list = nil
			}
		}
	}
	return l
}

func selects(s *metav1.LabelSelector, set map[string]string) bool {
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(labels.Set(set))
}

// selects reports whether a term of a pod selects another pod. A namespace without an object has no labels if another pod
// selects the incoming one, and is only selected by the empty selector otherwise.
func (r reference) selects(term corev1.PodAffinityTerm, of, other *corev1.Pod) bool {
	if !selects(term.LabelSelector, other.Labels) {
		return false
	}
	if term.NamespaceSelector == nil && len(term.Namespaces) == 0 {
		return of.Namespace == other.Namespace
	}
	for _, name := range term.Namespaces {
		if name == other.Namespace {
			return true
		}
	}
	namespace, isKnown := r.NamespaceLabels()[other.Namespace]
	isEmpty := term.NamespaceSelector != nil && len(term.NamespaceSelector.MatchLabels)+len(term.NamespaceSelector.MatchExpressions) == 0
	return selects(term.NamespaceSelector, namespace) && (isKnown || isEmpty || of != other && other == r.Incoming)
}

func (r reference) selectsAll(terms []corev1.PodAffinityTerm, other *corev1.Pod) bool {
	for _, term := range terms {
		if !r.selects(term, r.Incoming, other) {
			return false
		}
	}
	return true
}

// nodeOf returns the node of a pod.
func (r reference) nodeOf(pod *corev1.Pod) *corev1.Node {
	for _, node := range r.Nodes {
		if node.Name == pod.Spec.NodeName {
			return node
		}
	}
	return nil
}

// isTogether reports whether the node of a pod is in the same domain as another node.
func (r reference) isTogether(key string, pod *corev1.Pod, node *corev1.Node) bool {
	value, isSet := node.Labels[key]
	other, isOtherSet := r.nodeOf(pod).Labels[key]
	return isSet && isOtherSet && value == other
}

func (r reference) refusal(node *corev1.Node) (reason string, preemptionMayHelp bool) {
	own := listsOf(r.Incoming)
	if !r.meetsAffinity(own.with, node) {
		return "node(s) didn't match pod affinity rules", false
	}
	for _, pod := range r.Pods {
		for _, term := range own.without {
			if r.selects(term, r.Incoming, pod) && r.isTogether(term.TopologyKey, pod, node) {
				return "node(s) didn't match pod anti-affinity rules", true
			}
		}
	}
	for _, pod := range r.Pods {
		for _, term := range listsOf(pod).valid().without {
			if r.selects(term, pod, r.Incoming) && r.isTogether(term.TopologyKey, pod, node) {
				return "node(s) didn't satisfy existing pods anti-affinity rules", true
			}
		}
	}
	return "", false
}

func (r reference) meetsAffinity(terms []corev1.PodAffinityTerm, node *corev1.Node) bool {
	isFirst, meetsAll := r.selectsAll(terms, r.Incoming), true
	for _, term := range terms {
		if _, isSet := node.Labels[term.TopologyKey]; !isSet {
			return false
		}
		meets := false
		for _, pod := range r.Pods {
			if !r.selectsAll(terms, pod) {
				continue
			}
			if _, isSet := r.nodeOf(pod).Labels[term.TopologyKey]; isSet {
				isFirst = false
			}
			meets = meets || r.isTogether(term.TopologyKey, pod, node)
		}
		meetsAll = meetsAll && meets
	}
	return meetsAll || isFirst
}

// scores returns the score of each node, and whether any term has an effect on any node.
func (r reference) scores() (scores []int64, isScored bool) {
	scores = make([]int64, len(r.Nodes))
	count := func(selects bool, key string, pod *corev1.Pod, weight int32) {
		if _, isSet := r.nodeOf(pod).Labels[key]; !selects || !isSet {
			return
		}
		isScored = true
		for i, node := range r.Nodes {
			if r.isTogether(key, pod, node) {
				scores[i] += int64(weight)
			}
		}
	}
	own := listsOf(r.Incoming)
	for _, pod := range r.Pods {
		other := listsOf(pod).valid()
		for _, w := range own.preferredWith {
			count(r.selects(w.PodAffinityTerm, r.Incoming, pod), w.PodAffinityTerm.TopologyKey, pod, w.Weight)
		}
		for _, w := range own.preferredWithout {
			count(r.selects(w.PodAffinityTerm, r.Incoming, pod), w.PodAffinityTerm.TopologyKey, pod, -w.Weight)
		}
		for _, term := range other.with {
			if r.hardWeight > 0 {
				count(r.selects(term, pod, r.Incoming), term.TopologyKey, pod, r.hardWeight)
			}
		}
		for _, w := range other.preferredWith {
			count(r.selects(w.PodAffinityTerm, pod, r.Incoming), w.PodAffinityTerm.TopologyKey, pod, w.Weight)
		}
		for _, w := range other.preferredWithout {
			count(r.selects(w.PodAffinityTerm, pod, r.Incoming), w.PodAffinityTerm.TopologyKey, pod, -w.Weight)
		}
	}
	return scores, isScored
}

// normalized returns scores from 0 to 100.
func normalized(scores []int64) (all []int64) {
	least, most := scores[0], scores[0]
	for _, score := range scores {
		least, most = min(least, score), max(most, score)
	}
	for _, score := range scores {
		part := 0.0
		if most > least {
			part = 100 * (float64(score-least) / float64(most-least))
		}
		all = append(all, int64(part))
	}
	return all
}
