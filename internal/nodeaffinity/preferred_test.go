package nodeaffinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func preferring(terms ...corev1.PreferredSchedulingTerm) *corev1.PodSpec {
	return &corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: terms,
	}}}
}

func weighted(weight int32, preference corev1.NodeSelectorTerm) corev1.PreferredSchedulingTerm {
	return corev1.PreferredSchedulingTerm{Weight: weight, Preference: preference}
}

func TestPreferred(t *testing.T) {
	a := node("a", map[string]string{"zone": "east", "disk": "ssd"})
	for name, test := range map[string]struct {
		terms []corev1.PreferredSchedulingTerm
		want  int64
	}{
		"no terms":                   {[]corev1.PreferredSchedulingTerm{}, 0},
		"a term that matches":        {[]corev1.PreferredSchedulingTerm{weighted(5, single("zone", "In", "east"))}, 5},
		"a term that does not match": {[]corev1.PreferredSchedulingTerm{weighted(5, single("zone", "In", "west"))}, 0},
		"all that match": {[]corev1.PreferredSchedulingTerm{
			weighted(5, single("zone", "In", "east")), weighted(7, single("zone", "In", "west")), weighted(100, single("metadata.name", "In", "a")),
		}, 105},
		"the same twice":                    {[]corev1.PreferredSchedulingTerm{weighted(5, single("disk", "Exists")), weighted(5, single("disk", "Exists"))}, 10},
		"an empty term":                     {[]corev1.PreferredSchedulingTerm{weighted(5, corev1.NodeSelectorTerm{})}, 0},
		"a weight below zero":               {[]corev1.PreferredSchedulingTerm{weighted(-5, single("disk", "Exists"))}, -5},
		"an invalid term without a weight":  {[]corev1.PreferredSchedulingTerm{weighted(0, single("disk", "Like"))}, 0},
		"weights above the 32-bit integers": {[]corev1.PreferredSchedulingTerm{weighted(2147483647, single("disk", "Exists")), weighted(1, single("disk", "Exists"))}, 2147483648},
	} {
		t.Run(name, func(t *testing.T) {
			preferred, err := nodeaffinity.PreferredOf(preferring(test.terms...))
			if preferred == nil || err != nil {
				t.Fatal(preferred, err)
			}
			testkit.Equal(t, preferred.Score(a), test.want)
			if got := preferred.Score(nil); got != 0 {
				t.Errorf("%d without a node", got)
			}
		})
	}
}

// A pod without preferences leaves the plugin nothing to score.
func TestNothingPreferred(t *testing.T) {
	for name, spec := range map[string]*corev1.PodSpec{
		"no spec": nil, "no affinity": {}, "affinity to pods only": {Affinity: &corev1.Affinity{}}, "required only": requiring(single("disk", "Exists")),
	} {
		preferred, err := nodeaffinity.PreferredOf(spec)
		if preferred != nil || err != nil || preferred.Score(node("a", nil)) != 0 {
			t.Errorf("%s: %v, %v", name, preferred, err)
		}
	}
}

// Each invalid term is named, word for word as the scheduler has it.
func TestInvalidPreferences(t *testing.T) {
	_, err := nodeaffinity.PreferredOf(preferring(
		weighted(1, single("zone", "In", "east")),
		weighted(1, single("zone", "In", "north east")),
		weighted(1, term(requirement("zone", "Like", "x"), requirement("metadata.name", "Exists"), requirement("metadata.name", "In", "a", "b"))),
	))
	const want = `[[1].matchExpressions[0].values[0][zone]: Invalid value: "north east": a valid label must be an empty string or ` +
		`consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  ` +
		`or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), ` +
		`[2].matchExpressions[0].operator: Unsupported value: "Like": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", ` +
		`[2].matchFields[0].operator: Unsupported value: "Exists": supported values: "In", "NotIn", ` +
		`[2].matchFields[1].values: Invalid value: ["a","b"]: must have one element]`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
