package nodeaffinity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Required is the node selector of a pod and its required node affinity. Its zero value matches each node.
type Required struct {
	labels   labels.Selector // of spec.nodeSelector, nil if there is none
	affinity Selector
}

// RequiredOf returns the node selector and the required node affinity of a pod.
//
// Source: GetRequiredNodeAffinity.
func RequiredOf(spec *corev1.PodSpec) (r Required) {
	if spec == nil {
		return r
	}
	if len(spec.NodeSelector) > 0 {
		r.labels = labels.SelectorFromSet(spec.NodeSelector)
	}
	r.affinity = SelectorOf(requiredSelector(spec))
	return r
}

// Matches reports whether the pod may be on a node. It may not be on nil.
func (r *Required) Matches(n *corev1.Node) bool {
	return n != nil && (r.labels == nil || r.labels.Matches(labels.Set(n.Labels))) && r.affinity.Matches(n)
}

// requiredSelector returns the required node affinity, nil if there is none.
func requiredSelector(spec *corev1.PodSpec) *corev1.NodeSelector {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// NamedNodes returns the only nodes that the scheduler looks at because each term of the required affinity names some,
// sorted, and whether it does so. There are none if the terms contradict themselves.
//
// Source: PreFilter of the plugin.
func NamedNodes(spec *corev1.PodSpec) (names []string, areNamed bool) {
	if spec == nil || requiredSelector(spec) == nil {
		return nil, false
	}
	terms := requiredSelector(spec).NodeSelectorTerms
	for _, term := range terms {
		var named []string
		isNamed := false
		for _, r := range term.MatchFields {
			if r.Key != metav1.ObjectNameField || r.Operator != corev1.NodeSelectorOpIn {
				continue
			}
			if !isNamed {
				named, isNamed = slices.Clone(r.Values), true
				continue
			}
			named = slices.DeleteFunc(named, func(name string) bool { return !slices.Contains(r.Values, name) })
		}
		if !isNamed {
			return nil, false
		}
		names = append(names, named...)
	}
	slices.Sort(names)
	return slices.Compact(names), len(terms) > 0
}
