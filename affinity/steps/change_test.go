package steps_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// sentences are changes, or conflicts, in words.
func sentences[T any](all []T) []string {
	out := testkit.Strings(all)
	return out
}

// An entry is one amount of a container, for changes in words.
type entry struct{ container, resource, list string }

func (e entry) set(to string) string {
	return fmt.Sprintf("%s: set the %s %s to %s", e.container, e.resource, e.list, to)
}

func (e entry) change(from, to string) string {
	return fmt.Sprintf("%s: change the %s %s from %s to %s", e.container, e.resource, e.list, from, to)
}

// expect compares an answer in words.
func expect(t *testing.T, wantChanges, wantConflicts []string, changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
	t.Helper()
	testkit.NoDiff(t, sentences(changes), wantChanges, "changes")
	testkit.NoDiff(t, sentences(conflicts), wantConflicts, "conflicts")
}

func TestTektonStep(t *testing.T) {
	tests := []struct {
		kind computeresources.Kind
		name string
		want bool
	}{
		{computeresources.App, "step-build", true},
		{computeresources.App, "step-", true},
		{computeresources.App, "step", false},
		{computeresources.App, "sidecar-step-build", false},
		{computeresources.App, "Step-build", false},
		{computeresources.App, "", false},
		{computeresources.Init, "step-build", false},
		{computeresources.Sidecar, "step-build", false},
	}
	for _, test := range tests {
		c := &corev1.Container{Name: test.name}
		testkit.Equal(t, steps.TektonStep(computeresources.Ref{Kind: test.kind, Name: test.name}, c), test.want, test.kind, test.name)
	}
	testkit.Equal(t, steps.TektonStep(computeresources.Ref{Kind: computeresources.App}, nil), false)
}
