package nodeaffinity_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func node(name string, labels map[string]string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

// term has requirements of labels, or of fields if the key is metadata.name or spec.x.
func term(requirements ...corev1.NodeSelectorRequirement) (t corev1.NodeSelectorTerm) {
	for _, r := range requirements {
		if r.Key == "metadata.name" || r.Key == "spec.x" {
			t.MatchFields = append(t.MatchFields, r)
		} else {
			t.MatchExpressions = append(t.MatchExpressions, r)
		}
	}
	return t
}

func requirement(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
}

func single(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
	return term(requirement(key, op, values...))
}

func requiring(terms ...corev1.NodeSelectorTerm) *corev1.PodSpec {
	return &corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
	}}}
}

// Which of the nodes a, b and one without a name match. The names are those of the documentation of node affinity.
func TestRequired(t *testing.T) {
	nodes := []*corev1.Node{
		node("a", map[string]string{"zone": "east", "disk": "ssd", "cores": "8", "odd": "x y"}),
		node("b", map[string]string{"zone": "west", "cores": "many"}),
		node("", nil),
	}
	for name, test := range map[string]struct {
		spec *corev1.PodSpec
		want string
	}{
		"no spec":                              {nil, "[a b ]"},
		"nothing required":                     {&corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}}, "[a b ]"},
		"affinity to pods only":                {&corev1.PodSpec{Affinity: &corev1.Affinity{}}, "[a b ]"},
		"node selector":                        {&corev1.PodSpec{NodeSelector: map[string]string{"zone": "east"}}, "[a]"},
		"node selector of two labels":          {&corev1.PodSpec{NodeSelector: map[string]string{"zone": "west", "disk": "ssd"}}, "[]"},
		"node selector with an invalid value":  {&corev1.PodSpec{NodeSelector: map[string]string{"odd": "x y"}}, "[a]"},
		"no terms":                             {requiring(), "[]"},
		"an empty term":                        {requiring(corev1.NodeSelectorTerm{}), "[]"},
		"an empty term and another":            {requiring(corev1.NodeSelectorTerm{}, single("zone", "In", "west")), "[b]"},
		"In":                                   {requiring(single("zone", "In", "north", "east")), "[a]"},
		"NotIn":                                {requiring(single("zone", "NotIn", "east")), "[b ]"},
		"Exists":                               {requiring(single("disk", "Exists")), "[a]"},
		"DoesNotExist":                         {requiring(single("disk", "DoesNotExist")), "[b ]"},
		"Gt":                                   {requiring(single("cores", "Gt", "7")), "[a]"},
		"Gt the same":                          {requiring(single("cores", "Gt", "8")), "[]"},
		"Lt":                                   {requiring(single("cores", "Lt", "9")), "[a]"},
		"all requirements of a term":           {requiring(term(requirement("zone", "Exists"), requirement("disk", "DoesNotExist"))), "[b]"},
		"one of two terms":                     {requiring(single("zone", "In", "north"), single("disk", "In", "ssd")), "[a]"},
		"an unknown operator":                  {requiring(single("zone", "Like", "east")), "[]"},
		"an invalid term and another":          {requiring(single("zone", "Exists", "east"), single("zone", "In", "west")), "[b]"},
		"an invalid requirement beside others": {requiring(term(requirement("zone", "Exists"), requirement("zone", "Exists", "x"))), "[]"},
		"a name":                               {requiring(single("metadata.name", "In", "b")), "[b ]"},
		"another name":                         {requiring(single("metadata.name", "NotIn", "b")), "[a ]"},
		"an operator that names do not have":   {requiring(single("metadata.name", "Exists")), "[]"},
		"two names":                            {requiring(single("metadata.name", "In", "a", "b")), "[]"},
		"no name":                              {requiring(single("metadata.name", "In")), "[]"},
		"another field":                        {requiring(single("spec.x", "In", "a")), "[]"},
		"another field, which is empty":        {requiring(single("spec.x", "In", "")), "[a b ]"},
		"a name and a label":                   {requiring(term(requirement("metadata.name", "In", "a"), requirement("disk", "Exists"))), "[a]"},
		"a name and the label of another":      {requiring(term(requirement("metadata.name", "In", "b"), requirement("disk", "Exists"))), "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			required := nodeaffinity.RequiredOf(test.spec)
			got := []string{}
			for _, n := range nodes {
				if required.Matches(n) {
					got = append(got, n.Name)
				}
			}
			if fmt.Sprint(got) != test.want {
				t.Errorf("%v, want %s", got, test.want)
			}
			if required.Matches(nil) {
				t.Error("there is no node, and it matches")
			}
		})
	}
}

// Both the selector and the affinity have to match.
func TestSelectorAndAffinity(t *testing.T) {
	spec := requiring(single("disk", "In", "ssd"))
	spec.NodeSelector = map[string]string{"zone": "east"}
	required := nodeaffinity.RequiredOf(spec)
	for name, test := range map[string]struct {
		labels map[string]string
		want   bool
	}{
		"both":         {map[string]string{"zone": "east", "disk": "ssd"}, true},
		"the selector": {map[string]string{"zone": "east"}, false},
		"the affinity": {map[string]string{"disk": "ssd"}, false},
	} {
		testkit.Equal(t, required.Matches(node("a", test.labels)), test.want, name)
	}
}

// The selector of a volume: nil matches each node, one without terms none.
func TestSelector(t *testing.T) {
	a := node("a", map[string]string{"zone": "east"})
	for name, test := range map[string]struct {
		selector *corev1.NodeSelector
		want     bool
	}{
		"nil":        {nil, true},
		"no terms":   {&corev1.NodeSelector{}, false},
		"its zone":   {&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{single("zone", "In", "east")}}, true},
		"other zone": {&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{single("zone", "In", "west")}}, false},
	} {
		selector := nodeaffinity.SelectorOf(test.selector)
		testkit.Equal(t, selector.Matches(a), test.want, name)
		if got := selector.Matches(nil); got != (test.selector == nil) {
			t.Errorf("%s: no node matches: %v", name, got)
		}
	}
}

func TestNamedNodes(t *testing.T) {
	for name, test := range map[string]struct {
		spec *corev1.PodSpec
		want string
	}{
		"no spec":                   {nil, "[] false"},
		"no affinity":               {&corev1.PodSpec{}, "[] false"},
		"no terms":                  {requiring(), "[] false"},
		"one":                       {requiring(single("metadata.name", "In", "b")), "[b] true"},
		"several terms":             {requiring(single("metadata.name", "In", "b"), single("metadata.name", "In", "a", "b")), "[a b] true"},
		"a term that names none":    {requiring(single("metadata.name", "In", "b"), single("zone", "In", "east")), "[] false"},
		"NotIn":                     {requiring(single("metadata.name", "NotIn", "b")), "[] false"},
		"another field":             {requiring(single("spec.x", "In", "b")), "[] false"},
		"another field as well":     {requiring(term(requirement("spec.x", "In", "a"), requirement("metadata.name", "In", "b"))), "[b] true"},
		"names of both":             {requiring(term(requirement("metadata.name", "In", "a", "b"), requirement("metadata.name", "In", "c", "b"))), "[b] true"},
		"names that contradict":     {requiring(term(requirement("metadata.name", "In", "a"), requirement("metadata.name", "In", "b"))), "[] true"},
		"one term that contradicts": {requiring(term(requirement("metadata.name", "In")), single("metadata.name", "In", "a")), "[a] true"},
	} {
		t.Run(name, func(t *testing.T) {
			names, areNamed := nodeaffinity.NamedNodes(test.spec)
			testkit.Equal(t, fmt.Sprint(names, areNamed), test.want)
		})
	}
}

// The values of a spec are not sorted in place.
func TestNamedNodesDoNotWrite(t *testing.T) {
	spec := requiring(term(requirement("metadata.name", "In", "b", "a"), requirement("metadata.name", "In", "a")))
	nodeaffinity.NamedNodes(spec)
	got := fmt.Sprint(spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields)
	if got != "[{metadata.name In [b a]} {metadata.name In [a]}]" {
		t.Error(got)
	}
}

// All that is invalid in a selector is an error; what is empty is not.
func TestCheckSelector(t *testing.T) {
	invalid := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "a", Operator: "Like"}}}
	testkit.OK(t, nodeaffinity.CheckSelector(nil))
	testkit.OK(t, nodeaffinity.CheckSelector(&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{}}}))
	err := nodeaffinity.CheckSelector(&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{invalid, {}, invalid}})
	for _, want := range []string{"nodeSelectorTerms[0].matchExpressions[0].operator", "nodeSelectorTerms[2].matchExpressions[0].operator"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
