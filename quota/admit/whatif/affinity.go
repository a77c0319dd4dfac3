package whatif

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// nodeSelector is on which nodes a pod may be by its node selector and its required node affinity.
//
// Source: RequiredNodeAffinity of k8s.io/component-helpers/scheduling/corev1/nodeaffinity.
type nodeSelector struct {
	labels      labels.Selector // of spec.nodeSelector, nil if there is none
	terms       []selectorTerm  // of the affinity, one of which has to match
	hasAffinity bool
}

// selectorTerm has requirements that all have to match.
type selectorTerm struct {
	labels labels.Selector // nil if there are none
	fields []corev1.NodeSelectorRequirement
}

// requiredTerms returns the terms of the required node affinity, and whether there is one.
func requiredTerms(spec *corev1.PodSpec) (terms []corev1.NodeSelectorTerm, isSet bool) {
	a := spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil, false
	}
	return a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms, true
}

// nodeSelectorOf reads the node selector and the affinity of a pod.
func nodeSelectorOf(spec *corev1.PodSpec) (s nodeSelector) {
	if len(spec.NodeSelector) > 0 {
		s.labels = labels.SelectorFromSet(spec.NodeSelector)
	}
	terms, isSet := requiredTerms(spec)
	s.hasAffinity = isSet
	for i := range terms {
		if term, matchesSome := termOf(&terms[i]); matchesSome {
			s.terms = append(s.terms, term)
		}
	}
	return s
}

// termOf reads a term, and reports whether it can match a node: it cannot if it is empty or invalid.
func termOf(t *corev1.NodeSelectorTerm) (term selectorTerm, matchesSome bool) {
	for _, r := range t.MatchFields {
		if len(r.Values) != 1 || r.Operator != corev1.NodeSelectorOpIn && r.Operator != corev1.NodeSelectorOpNotIn {
			return term, false
		}
	}
	if len(t.MatchExpressions) > 0 {
		selector := labels.NewSelector()
		for _, r := range t.MatchExpressions {
			requirement, err := labels.NewRequirement(r.Key, operatorOf(r.Operator), slices.Clone(r.Values))
			if err != nil {
				return term, false
			}
			selector = selector.Add(*requirement)
		}
		term.labels = selector
	}
	term.fields = t.MatchFields
	return term, len(t.MatchExpressions)+len(t.MatchFields) > 0
}

// operatorOf returns the operator of a label selector, empty if it is unknown.
func operatorOf(op corev1.NodeSelectorOperator) selection.Operator {
	switch op {
	case corev1.NodeSelectorOpIn:
		return selection.In
	case corev1.NodeSelectorOpNotIn:
		return selection.NotIn
	case corev1.NodeSelectorOpExists:
		return selection.Exists
	case corev1.NodeSelectorOpDoesNotExist:
		return selection.DoesNotExist
	case corev1.NodeSelectorOpGt:
		return selection.GreaterThan
	case corev1.NodeSelectorOpLt:
		return selection.LessThan
	}
	return ""
}

// matches reports whether a pod may be on a node.
func (s *nodeSelector) matches(n *corev1.Node) bool {
	if s.labels != nil && !s.labels.Matches(labels.Set(n.Labels)) {
		return false
	}
	return !s.hasAffinity || slices.ContainsFunc(s.terms, func(t selectorTerm) bool { return t.matches(n) })
}

func (t *selectorTerm) matches(n *corev1.Node) bool {
	if t.labels != nil && !t.labels.Matches(labels.Set(n.Labels)) {
		return false
	}
	for _, r := range t.fields {
		value := ""
		if r.Key == metav1.ObjectNameField {
			value = n.Name
		}
		if n.Name != "" && (r.Values[0] == value) != (r.Operator == corev1.NodeSelectorOpIn) {
			return false
		}
	}
	return true
}

// namedNodes returns the only nodes that the scheduler looks at because each term of the affinity names some, and
// whether it does so. They are none if the terms contradict themselves.
//
// Source: PreFilter of k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity.
func namedNodes(spec *corev1.PodSpec) (names []string, areNamed bool) {
	terms, _ := requiredTerms(spec)
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
