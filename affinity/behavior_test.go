package affinity_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/affinity"
)

// The table of TEP-0135 after the migration, when only the flag "coschedule" counts.
func TestTableOfTheDocument(t *testing.T) {
	for _, value := range []string{"disabled", "workspaces", "pipelineruns", "isolate-pipelinerun"} {
		for _, spelled := range []string{value, strings.ToUpper(value)} {
			if got, err := affinity.BehaviorOf(spelled); err != nil || flagOf(got) != value {
				t.Errorf("%s: %v, %v", spelled, got, err)
			}
		}
	}
}

func TestDefaultsOfFlags(t *testing.T) {
	for _, value := range []string{"", "workspaces"} {
		if got, err := affinity.BehaviorOf(value); err != nil || got != affinity.PerWorkspace {
			t.Errorf("%q: %q, %v", value, got, err)
		}
	}
}

func TestValuesThatAreNone(t *testing.T) {
	for _, value := range []string{"invalid", "pipelinerun", "true", " workspaces"} {
		got, err := affinity.BehaviorOf(strings.ToUpper(value))
		if want := `invalid value for feature flag "coschedule": "` + value + `"`; err == nil || err.Error() != want || got != affinity.Disabled {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
	}
}

// flagOf returns the value of the flag "coschedule" that selects a behavior.
func flagOf(b affinity.Behavior) string {
	if b == affinity.PerWorkspace {
		return "workspaces"
	}
	return string(b)
}
