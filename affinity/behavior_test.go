package affinity_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/affinity"
)

// The table of TEP-0135, with behaviors as Coschedule returns them. Where it says "invalid", the behavior
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
			if err != nil || got.Coschedule() != row.after {
				t.Errorf("%+v after the migration: %v, %v, want %s", flags, got, err, row.after)
			}
			flags.DuringMigration = true
			got, err = affinity.BehaviorOf(flags)
			if row.during != "" {
				if err != nil || got.Coschedule() != row.during {
					t.Errorf("%+v during the migration: %v, %v, want %s", flags, got, err, row.during)
				}
				continue
			}
			want := &affinity.FlagError{Flag: "coschedule", Value: row.coschedule, Other: "disable-affinity-assistant", OtherValue: "false"}
			checkFlagError(t, got, err, want, "coschedule value "+row.coschedule+" is incompatible with disable-affinity-assistant setting to false")
		}
	}
}

func checkFlagError(t *testing.T, got affinity.Behavior, err error, want *affinity.FlagError, message string) {
	t.Helper()
	var flagError *affinity.FlagError
	if !errors.As(err, &flagError) || got != affinity.Disabled {
		t.Fatalf("BehaviorOf = %v, %v, want disabled and a FlagError", got, err)
	}
	if diff := cmp.Diff(want, flagError); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
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
	checkFlagError(t, got, err, &affinity.FlagError{Flag: "coschedule", Value: "invalid"}, `invalid value for feature flag "coschedule": "invalid"`)
	got, err = affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "true", Coschedule: "pipelinerun", DuringMigration: true})
	checkFlagError(t, got, err, &affinity.FlagError{Flag: "coschedule", Value: "pipelinerun"}, `invalid value for feature flag "coschedule": "pipelinerun"`)
	got, err = affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "yes", Coschedule: "nonsense", DuringMigration: true})
	checkFlagError(t, got, err, &affinity.FlagError{Flag: "disable-affinity-assistant", Value: "yes"},
		`failed parsing feature flags config "yes": strconv.ParseBool: parsing "yes": invalid syntax`)
	// After the migration, Tekton no longer reads that flag.
	if got, err := affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "yes"}); err != nil || got != affinity.PerWorkspace {
		t.Errorf("a flag that is gone counts: %v, %v", got, err)
	}
}

// The flag that a behavior names selects that behavior.
func TestCoschedule(t *testing.T) {
	for b, want := range map[affinity.Behavior]string{
		affinity.PerWorkspace: "workspaces", affinity.PerRun: "pipelineruns", affinity.PerRunIsolated: "isolate-pipelinerun", affinity.Disabled: "disabled",
	} {
		if got := b.Coschedule(); got != want {
			t.Errorf("%q: %q, want %q", b, got, want)
		}
		if got, err := affinity.BehaviorOf(affinity.Flags{Coschedule: want}); got != b || err != nil {
			t.Errorf("%s: %q, %v", want, got, err)
		}
	}
	if got := affinity.Behavior("workspaces").Coschedule(); got != "" {
		t.Errorf("an undefined behavior: %q", got)
	}
}

// Tekton rejects an empty flag. This package treats it as unset, because a caller that reads a
// missing flag from a map gets an empty string.
func TestDivergenceEmptyFlag(t *testing.T) {
	got, err := affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "", Coschedule: "", DuringMigration: true})
	if got != affinity.PerWorkspace || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
