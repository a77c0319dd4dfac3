package testkit

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// PodAffinityCluster is a cluster whose pods have affinity and anti-affinity, and a pod that comes.
type PodAffinityCluster struct {
	Nodes      []*corev1.Node
	Pods       []*corev1.Pod // with the name of their node
	Namespaces []*corev1.Namespace
	Incoming   *corev1.Pod
}

// PodsOn returns the pods of node i.
func (c *PodAffinityCluster) PodsOn(i int) (pods []*corev1.Pod) {
	for _, pod := range c.Pods {
		if pod.Spec.NodeName == c.Nodes[i].Name {
			pods = append(pods, pod)
		}
	}
	return pods
}

// NamespaceLabels returns the labels of all namespaces by name.
func (c *PodAffinityCluster) NamespaceLabels() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, namespace := range c.Namespaces {
		all[namespace.Name] = namespace.Labels
	}
	return all
}

// PodAffinityClusters draws clusters of up to so many nodes and pods. Terms often match; nodes lack labels; one
// namespace has pods but no object; and selectors, topology keys and weights may be invalid.
func PodAffinityClusters(nodes, pods int) *rapid.Generator[*PodAffinityCluster] {
	return rapid.Custom(func(t *rapid.T) *PodAffinityCluster {
		c := &PodAffinityCluster{}
		for i := range upTo(t, "nodes", 1, nodes) {
			c.Nodes = append(c.Nodes, topologyNode(t, fmt.Sprint("node-", i)))
		}
		for _, name := range []string{"a", "b", "c"} {
			labels := sampleOf(map[string][]string{"team": {"red", "blue"}, "env": {"prod"}}).Draw(t, "labels of namespace")
			c.Namespaces = append(c.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}})
		}
		templates := rapid.SliceOfN(rapid.Custom(affinityPod), 1, 5).Draw(t, "templates")
		for i := range upTo(t, "pods", 0, pods) {
			pod := rapid.SampledFrom(templates).Draw(t, "template").DeepCopy()
			if rarely(t, "other", 4) {
				pod = affinityPod(t)
			}
			pod.Name, pod.UID = fmt.Sprint("pod-", i), types.UID(fmt.Sprint("pod-", i))
			pod.Spec.NodeName = rapid.SampledFrom(c.Nodes).Draw(t, "node").Name
			c.Pods = append(c.Pods, pod)
		}
		c.Incoming = rapid.SampledFrom(append(templates, affinityPod(t))).Draw(t, "incoming").DeepCopy()
		c.Incoming.Name, c.Incoming.UID = "incoming", "incoming"
		return c
	})
}

// upTo draws a number, often a large one.
func upTo(t *rapid.T, label string, least, most int) int {
	return rapid.OneOf(rapid.IntRange(least, most), rapid.IntRange((least+most)/2, most)).Draw(t, label)
}

func topologyNode(t *rapid.T, name string) *corev1.Node {
	labels := sampleOf(map[string][]string{"zone": {"1", "2"}, "rack": {"1", "2", "3"}}).Draw(t, "labels of node")
	if labels == nil || rarely(t, "no labels", 8) {
		labels = map[string]string{}
	}
	if !rarely(t, "no hostname", 6) {
		labels[corev1.LabelHostname] = name
	}
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func affinityPod(t *rapid.T) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Namespace = rapid.SampledFrom([]string{"a", "a", "b", "c", "unknown"}).Draw(t, "namespace")
	pod.Labels = podLabels().Draw(t, "labels")
	if rarely(t, "no terms", 5) {
		return pod
	}
	pod.Spec.Affinity = &corev1.Affinity{}
	if !rarely(t, "no affinity", 4) {
		pod.Spec.Affinity.PodAffinity = &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  affinityTerms(t),
			PreferredDuringSchedulingIgnoredDuringExecution: weightedTerms(t),
		}
	}
	if !rarely(t, "no anti-affinity", 4) {
		pod.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  affinityTerms(t),
			PreferredDuringSchedulingIgnoredDuringExecution: weightedTerms(t),
		}
	}
	return pod
}

func affinityTerms(t *rapid.T) []corev1.PodAffinityTerm {
	if rarely(t, "none", 3) {
		return nil
	}
	return rapid.SliceOfN(PodAffinityTerms(), 1, 2).Draw(t, "required")
}

func weightedTerms(t *rapid.T) (terms []corev1.WeightedPodAffinityTerm) {
	if rarely(t, "none", 3) {
		return nil
	}
	for _, term := range rapid.SliceOfN(PodAffinityTerms(), 1, 2).Draw(t, "preferred") {
		weight := rapid.OneOf(rapid.Int32Range(1, 100), rapid.Int32Range(1, 3), rapid.SampledFrom([]int32{0, -1, 1, 100})).Draw(t, "weight")
		terms = append(terms, corev1.WeightedPodAffinityTerm{Weight: weight, PodAffinityTerm: term})
	}
	return terms
}

// rarely draws true about once in n times, whereas rapid prefers the least numbers.
func rarely(t *rapid.T, label string, n int) bool { return rapid.IntRange(0, n).Draw(t, label) == 2 }

// PodAffinityTerms draws terms, few of them invalid.
func PodAffinityTerms() *rapid.Generator[corev1.PodAffinityTerm] {
	return rapid.Custom(func(t *rapid.T) corev1.PodAffinityTerm {
		term := corev1.PodAffinityTerm{
			TopologyKey:   rapid.SampledFrom([]string{corev1.LabelHostname, corev1.LabelHostname, "zone", "zone", "rack", "missing"}).Draw(t, "topology key"),
			LabelSelector: selectorOf("app", "web", "db").Draw(t, "selector"),
		}
		if rarely(t, "namespaces", 3) {
			term.Namespaces = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "unknown"}), 0, 2).Draw(t, "namespaces")
		}
		if rarely(t, "namespace selector", 3) {
			term.NamespaceSelector = selectorOf("team", "red", "blue").Draw(t, "namespace selector")
		}
		if rarely(t, "match label keys", 4) {
			term.MatchLabelKeys = []string{rapid.SampledFrom([]string{"tier", "absent"}).Draw(t, "match label key")}
		}
		if rarely(t, "mismatch label keys", 4) {
			term.MismatchLabelKeys = []string{rapid.SampledFrom([]string{"app", "absent"}).Draw(t, "mismatch label key")}
		}
		return term
	})
}

func podLabels() *rapid.Generator[map[string]string] {
	return sampleOf(map[string][]string{"app": {"web", "db"}, "tier": {"front", "back"}})
}

// sampleOf draws labels with some of these keys, each with one of its values.
func sampleOf(values map[string][]string) *rapid.Generator[map[string]string] {
	return rapid.Custom(func(t *rapid.T) (labels map[string]string) {
		keys := make([]string, 0, len(values))
		for key := range values {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			if rarely(t, "absent", 4) {
				continue
			}
			if labels == nil {
				labels = map[string]string{}
			}
			labels[key] = rapid.SampledFrom(values[key]).Draw(t, key)
		}
		return labels
	})
}

// selectorOf draws selectors of labels with a key, few of them nil, empty or invalid.
func selectorOf(key string, values ...string) *rapid.Generator[*metav1.LabelSelector] {
	return rapid.Custom(func(t *rapid.T) *metav1.LabelSelector {
		value := rapid.SampledFrom(values).Draw(t, "value")
		expression := func(op metav1.LabelSelectorOperator, values ...string) *metav1.LabelSelector {
			return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: op, Values: values}}}
		}
		switch rapid.IntRange(0, 100).Draw(t, "kind") {
		case 30:
			return expression(metav1.LabelSelectorOpIn, "{{not a value}}")
		case 31:
			return expression("Between", value)
		case 32, 33, 34:
			return nil
		case 3, 4, 40, 41, 42, 43:
			return &metav1.LabelSelector{}
		case 5, 50, 51, 52, 53:
			return expression(metav1.LabelSelectorOpNotIn, value)
		case 6, 60, 61, 62, 63:
			return expression(metav1.LabelSelectorOpExists)
		case 70, 71, 72, 73:
			return expression(metav1.LabelSelectorOpDoesNotExist)
		case 7, 80, 81, 82, 83:
			return expression(metav1.LabelSelectorOpIn, values...)
		}
		return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
	})
}
