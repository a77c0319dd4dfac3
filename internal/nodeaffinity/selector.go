package nodeaffinity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
)

// Selector has terms, one of which has to match a node. Its zero value matches each node.
type Selector struct {
	terms []term
	isSet bool
}

// SelectorOf returns a node selector, such as that of a volume. Nil matches each node. Terms that are empty or invalid
// match no node, so a selector without other terms matches none.
//
// Source: NewLazyErrorNodeSelector.
func SelectorOf(selector *corev1.NodeSelector) (s Selector) {
	if selector == nil {
		return s
	}
	s.isSet = true
	for i := range selector.NodeSelectorTerms {
		t, err := termOf(&selector.NodeSelectorTerms[i], nil)
		if err == nil && !isEmpty(&selector.NodeSelectorTerms[i]) {
			s.terms = append(s.terms, t)
		}
	}
	return s
}

// CheckSelector returns what is invalid in a node selector, nil if nothing is. Empty terms are valid.
//
// Source: NewNodeSelector.
func CheckSelector(selector *corev1.NodeSelector) error {
	if selector == nil {
		return nil
	}
	var errs []error
	for i := range selector.NodeSelectorTerms {
		if _, err := termOf(&selector.NodeSelectorTerms[i], field.NewPath("nodeSelectorTerms").Index(i)); err != nil {
			errs = append(errs, err)
		}
	}
	return aggregate.Of(errs)
}

// Matches reports whether a term matches a node.
func (s *Selector) Matches(n *corev1.Node) bool {
	return !s.isSet || n != nil && slices.ContainsFunc(s.terms, func(t term) bool { return t.matches(n) })
}

// term has requirements that all have to match.
type term struct {
	labels labels.Selector // nil if there are none
	fields []corev1.NodeSelectorRequirement
}

// isEmpty reports whether a term has no requirement. Then it matches no node.
func isEmpty(t *corev1.NodeSelectorTerm) bool {
	return len(t.MatchExpressions)+len(t.MatchFields) == 0
}

// termOf reads a term. The error says everything that is invalid.
//
// Source: newNodeSelectorTerm.
func termOf(t *corev1.NodeSelectorTerm, path *field.Path) (term, error) {
	var errs []error
	selector := labels.NewSelector()
	for i, r := range t.MatchExpressions {
		requirement, err := labelRequirement(r, path.Child("matchExpressions").Index(i))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		selector = selector.Add(*requirement)
	}
	for i, r := range t.MatchFields {
		if err := checkFieldRequirement(r, path.Child("matchFields").Index(i)); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return term{}, aggregate.Of(errs)
	}
	read := term{fields: t.MatchFields}
	if len(t.MatchExpressions) > 0 {
		read.labels = selector
	}
	return read, nil
}

func labelRequirement(r corev1.NodeSelectorRequirement, path *field.Path) (*labels.Requirement, error) {
	op := operatorOf(r.Operator)
	if op == "" {
		return nil, field.NotSupported(path.Child("operator"), r.Operator, []corev1.NodeSelectorOperator{
			corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists,
			corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt,
		})
	}
	return labels.NewRequirement(r.Key, op, slices.Clone(r.Values), field.WithPath(path))
}

// checkFieldRequirement returns why a requirement of a field is invalid.
func checkFieldRequirement(r corev1.NodeSelectorRequirement, path *field.Path) error {
	operators := []corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn}
	if !slices.Contains(operators, r.Operator) {
		return field.NotSupported(path.Child("operator"), r.Operator, operators)
	}
	if len(r.Values) != 1 {
		return field.Invalid(path.Child("values"), r.Values, "must have one element")
	}
	return nil
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

// matches reports whether all requirements match a node. The only field is the name. A node without a name matches
// each requirement of fields.
//
// Source: nodeSelectorTerm.match.
func (t *term) matches(n *corev1.Node) bool {
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
