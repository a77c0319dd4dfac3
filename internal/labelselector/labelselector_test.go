package labelselector_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/labelselector"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		name     string
		selector *metav1.LabelSelector
		want     string
	}{
		{"no selector", nil, ""},
		{"all labels", &metav1.LabelSelector{}, ""},
		{"labels", &metav1.LabelSelector{MatchLabels: map[string]string{"b": "2", "a": "1"}}, "a=1,b=2"},
		{"an expression", &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
			{Key: "a", Operator: metav1.LabelSelectorOpExists}}}, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := labelselector.Of(test.selector)
			testkit.OK(t, err)
			testkit.Equal(t, got.String(), test.want)
		})
	}
	all, err := labelselector.Of(&metav1.LabelSelector{})
	testkit.OK(t, err)
	testkit.Equal(t, all.Matches(labels.Set{"a": "1"}), true)
	none, err := labelselector.Of(nil)
	testkit.OK(t, err)
	testkit.Equal(t, none.Matches(labels.Set{}), false)
}

// The first label that is invalid is named, each time; then an expression.
func TestErrors(t *testing.T) {
	const name = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
		"character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	bad := []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Is"}}
	for range 20 {
		_, err := labelselector.Of(&metav1.LabelSelector{MatchLabels: map[string]string{
			"a": "1", "-": "1", "c-": "3", "d-": "4", "e-": "5"}, MatchExpressions: bad})
		testkit.Equal(t, err.Error(), `key: Invalid value: "-": name part `+name)
	}
	for range 20 {
		_, err := labelselector.Of(&metav1.LabelSelector{MatchLabels: map[string]string{"a": "1", "b": "-", "c": "-", "d": "-"}, MatchExpressions: bad})
		testkit.Equal(t, err.Error(), `values[0][b]: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric `+
			"characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "+
			"'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')")
	}
	_, err := labelselector.Of(&metav1.LabelSelector{MatchLabels: map[string]string{"a": "1"}, MatchExpressions: bad})
	testkit.Equal(t, err.Error(), `"Is" is not a valid label selector operator`)
}
