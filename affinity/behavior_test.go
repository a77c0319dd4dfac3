package affinity_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/affinity"
)

// The table of TEP-0135, with behaviors as values of the flag "coschedule". Where it says "invalid", the behavior
// is empty.
var table = []struct {
	disable, coschedule string
	during, after       string
}{
	{"false", "disabled", "", "disabled"},
	{"false", "workspaces", "workspaces", "workspaces"},
	{"false", "pipelineruns", "", "pipelineruns"},
	{"false", "isolate-pipelinerun", "", "isolate-pipelinerun"},
	{"true", "disabled", "disabled", "disabled"},
	{"true", "workspaces", "disabled", "workspaces"},
	{"true", "pipelineruns", "pipelineruns", "pipelineruns"},
	{"true", "isolate-pipelinerun", "isolate-pipelinerun", "isolate-pipelinerun"},
}

func TestTableOfTheDocument(t *testing.T) {
	for _, row := range table {
		spellings := []affinity.Flags{
			{DisableAffinityAssistant: row.disable, Coschedule: row.coschedule},
			{DisableAffinityAssistant: strings.ToUpper(row.disable), Coschedule: strings.ToUpper(row.coschedule)},
			{DisableAffinityAssistant: row.disable[:1], Coschedule: row.coschedule},
		}
		if row.disable == "false" { // (default)
			spellings = append(spellings, affinity.Flags{Coschedule: row.coschedule})
		}
		if row.coschedule == "workspaces" { // (default)
			spellings = append(spellings, affinity.Flags{DisableAffinityAssistant: row.disable})
		}
		for _, flags := range spellings {
			got, err := affinity.BehaviorOf(flags)
			if err != nil || flagOf(got) != row.after {
				t.Errorf("%+v after the migration: %v, %v, want %s", flags, got, err, row.after)
			}
			flags.DuringMigration = true
			got, err = affinity.BehaviorOf(flags)
			if row.during != "" {
				if err != nil || flagOf(got) != row.during {
					t.Errorf("%+v during the migration: %v, %v, want %s", flags, got, err, row.during)
				}
				continue
			}
			checkFlagError(t, got, err, "coschedule value "+row.coschedule+" is incompatible with disable-affinity-assistant setting to false")
		}
	}
}

func checkFlagError(t *testing.T, got affinity.Behavior, err error, message string) {
	t.Helper()
	if err == nil || got != affinity.Disabled {
		t.Fatalf("BehaviorOf = %v, %v, want disabled and an error", got, err)
	}
	if err.Error() != message {
		t.Errorf("message %q, want %q", err, message)
	}
}

func TestDefaultsOfFlags(t *testing.T) {
	for _, flags := range []affinity.Flags{{}, {DuringMigration: true}} {
		if got, err := affinity.BehaviorOf(flags); err != nil || got != affinity.PerWorkspace {
			t.Errorf("%+v: %v, %v", flags, got, err)
		}
	}
}

func TestValuesThatAreNone(t *testing.T) {
	got, err := affinity.BehaviorOf(affinity.Flags{Coschedule: "Invalid"})
	checkFlagError(t, got, err, `invalid value for feature flag "coschedule": "invalid"`)
	got, err = affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "true", Coschedule: "pipelinerun", DuringMigration: true})
	checkFlagError(t, got, err, `invalid value for feature flag "coschedule": "pipelinerun"`)
	got, err = affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "yes", Coschedule: "nonsense", DuringMigration: true})
	checkFlagError(t, got, err, `failed parsing feature flags config "yes": strconv.ParseBool: parsing "yes": invalid syntax`)
	// After the migration, Tekton no longer reads that flag.
	if got, err := affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "yes"}); err != nil || got != affinity.PerWorkspace {
		t.Errorf("a flag that is gone counts: %v, %v", got, err)
	}
}

// flagOf returns the value of the flag "coschedule" that selects a behavior.
func flagOf(b affinity.Behavior) string {
	if b == affinity.PerWorkspace {
		return "workspaces"
	}
	return string(b)
}
