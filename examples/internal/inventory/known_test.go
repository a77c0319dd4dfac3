package inventory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What was wrong before is a warning, as often as it was.
func TestKnown(t *testing.T) {
	const (
		fine  = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
		gone  = "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: a}}\n"
		other = "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: b}}\n"
		wrong = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: 5}}\n"
		text  = "looks: {like: nothing}\n"
		none  = `no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"`
	)
	for _, test := range []struct {
		name           string
		before, change []string
		want           []string // of the change
		old            []string
	}{
		{"the same", []string{fine, gone}, []string{fine, gone},
			[]string{"0 PodDisruptionBudget a: warning: " + none + " (as before)"},
			[]string{"0 PodDisruptionBudget a: warning: " + none + " (before the change)"}},
		{"another object", []string{fine, gone}, []string{other},
			[]string{"1 PodDisruptionBudget b: " + none},
			[]string{"0 PodDisruptionBudget a: warning: " + none + " (before the change)"}},
		{"once more", []string{fine, gone}, []string{gone, gone},
			[]string{"0 PodDisruptionBudget a: warning: " + none + " (as before)", "1 PodDisruptionBudget a: " + none},
			[]string{"0 PodDisruptionBudget a: warning: " + none + " (before the change)"}},
		{"it is removed", []string{fine, gone}, []string{fine}, nil,
			[]string{"0 PodDisruptionBudget a: warning: " + none + " (before the change)"}},
		{"what is no object has the name of its file", []string{fine, text}, []string{text},
			[]string{"0 a.yaml: warning: not a Kubernetes object: it has neither apiVersion nor kind (as before)"},
			[]string{"0 a.yaml: warning: not a Kubernetes object: it has neither apiVersion nor kind (before the change)"}},
		{"nothing was read before", []string{gone}, []string{gone},
			[]string{"1 PodDisruptionBudget a: " + none}, []string{"1 PodDisruptionBudget a: " + none}},
		{"an invalid field", []string{fine, wrong}, []string{fine, wrong},
			[]string{"0 Pod p: warning: spec.containers: want a list, not a number (as before)"},
			[]string{"0 Pod p: warning: spec.containers: want a list, not a number (before the change)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, change := read(&inventory.List{}, test.before...), read(&inventory.List{}, test.change...)
			inventory.Known(before, change)
			testkit.NoDiff(t, coded(change), test.want, "change")
			testkit.NoDiff(t, coded(before), test.old, "before")
		})
	}
}

// What the API server would reject is known as well.
func TestKnownRejection(t *testing.T) {
	before, change := read(&inventory.List{}, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"), &inventory.List{}
	for _, l := range []*inventory.List{before, change} {
		l.Fail(objects.Place{Named: "Pod p"}, objects.Invalid, "spec", "wrong in /"+map[bool]string{true: "old", false: "new"}[l == before])
	}
	change.Fail(objects.Place{Named: "Pod p"}, objects.Invalid, "spec", "another in /new")
	for _, l := range []*inventory.List{before, change} { // what is not wrong with the input, or not known to be
		l.Fail(objects.Place{Named: "Pod p"}, objects.Failed, "", "panicked")
		l.Fail(objects.Place{Named: "Job j"}, objects.Uncomputed, "", "has pods")
		l.Fail(objects.Place{Named: "Pod r"}, objects.Warning, "spec", "odd")
		l.Fail(objects.Place{Named: "Pod s"}, objects.Skipped, "", "replaced")
	}
	change.Fail(objects.Place{Named: "Pod p"}, objects.Invalid, "status", "wrong in /new")
	change.Fail(objects.Place{Named: "Pod q"}, objects.Invalid, "spec", "wrong in /new")
	inventory.Known(before, change, "/old", "/new")
	same := []string{"3 Pod p: panicked", "0 Job j: has pods", "0 Pod r: warning: spec: odd", "0 Pod s: skipped: replaced"}
	testkit.NoDiff(t, coded(change), slices.Concat([]string{"0 Pod p: warning: spec: wrong in /new (as before)", "2 Pod p: spec: another in /new"}, same,
		[]string{"2 Pod p: status: wrong in /new", "2 Pod q: spec: wrong in /new"}))
	testkit.NoDiff(t, coded(before), slices.Concat([]string{"0 Pod p: warning: spec: wrong in /old (before the change)"}, same))
}

// What has no name has that of its file, which is said once.
func TestKnownFile(t *testing.T) {
	const fine, text = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n", "looks: {like: nothing}\n"
	before, change := read(&inventory.List{}, fine, text), read(&inventory.List{}, text)
	inventory.Known(before, change)
	testkit.Equal(t, change.Problems[0].String(), "a.yaml: document 1: warning: not a Kubernetes object: it has neither apiVersion nor kind (as before)")
}

// coded returns the exit codes of problems, and what they say.
func coded(l *inventory.List) (said []string) {
	for _, p := range l.Problems {
		said = append(said, fmt.Sprintf("%d %s", p.Code(), p.Message()))
	}
	return said
}
