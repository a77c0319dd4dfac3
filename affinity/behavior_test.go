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

// The eight rows of the table of TEP-0135, during the migration and after it.
func TestTableOfTheMigration(t *testing.T) {
	for _, row := range [][4]string{ // "-" is "N/A: invalid"
		{"false", "disabled", "-", "disabled"},
		{"false", "workspaces", "workspaces", "workspaces"},
		{"false", "pipelineruns", "-", "pipelineruns"},
		{"false", "isolate-pipelinerun", "-", "isolate-pipelinerun"},
		{"true", "disabled", "disabled", "disabled"},
		{"true", "workspaces", "disabled", "workspaces"},
		{"true", "pipelineruns", "pipelineruns", "pipelineruns"},
		{"true", "isolate-pipelinerun", "isolate-pipelinerun", "isolate-pipelinerun"},
	} {
		during, err := affinity.MigratingBehavior(row[0], row[1])
		if (err != nil) != (row[2] == "-") || err == nil && flagOf(during) != row[2] {
			t.Errorf("%v, during: %v, %v", row, during, err)
		}
		if err != nil && (during != affinity.Disabled || err.Error() != "coschedule value "+row[1]+" is incompatible with disable-affinity-assistant setting to false") {
			t.Errorf("%v: %v, %v", row, during, err)
		}
		if after, err := affinity.BehaviorOf(row[1]); err != nil || flagOf(after) != row[3] {
			t.Errorf("%v, after: %v, %v", row, after, err)
		}
	}
}

func TestMigrationDefaults(t *testing.T) {
	for flags, want := range map[[2]string]affinity.Behavior{{"", ""}: affinity.PerWorkspace, {"TRUE", ""}: affinity.Disabled, {"true", "PipelineRuns"}: affinity.PerRun} {
		if got, err := affinity.MigratingBehavior(flags[0], flags[1]); err != nil || got != want {
			t.Errorf("%v: %q, %v", flags, got, err)
		}
	}
	for flags, want := range map[[2]string]string{{"yes", ""}: `failed parsing feature flags config "yes"`, {"true", "x"}: `invalid value for feature flag "coschedule": "x"`} {
		if got, err := affinity.MigratingBehavior(flags[0], flags[1]); got != affinity.Disabled || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %q, %v", flags, got, err)
		}
	}
}
