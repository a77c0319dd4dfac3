package affinity_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
)

// For any names, either there is an error, or the API server accepts every resulting name.
func FuzzPlanFor(f *testing.F) {
	f.Add("build-1", "src", "srcb", "", "cache", "team", "web", "")
	f.Add("my-pipelinerun", "workspace-1", "workspace-2", "a.b", "pvc", "", "", "pipelineruns")
	f.Add(strings.Repeat("r", 63), "a", "a", strings.Repeat("x", 200), "A", "a/b", "-", "isolate-pipelinerun")
	f.Add("", "", "\xff", "-", "é", "tekton.dev/pipelineRun", "x", "disabled")
	f.Fuzz(func(t *testing.T, run, first, second, templateName, claim, key, value, behavior string) {
		r := &affinity.Run{
			Name: run, UID: types.UID(claim), Labels: map[string]string{key: value},
			Workspaces: []affinity.Workspace{{Name: first, ClaimTemplate: template(templateName)}, {Name: second, ClaimName: claim}},
			Tasks:      []affinity.Task{{Name: first, Workspaces: []string{second}, RunAfter: []string{second}}, {Name: second}},
		}
		opts := with(affinity.Behavior(behavior))
		faults := affinity.Validate(r, opts)
		plan, err := affinity.PlanFor(r, opts)
		if (err == nil) != (len(faults) == 0) || (plan == nil) != (err != nil) {
			t.Fatalf("PlanFor = %v, %v, but Validate = %v", plan, err, faults)
		}
		if err != nil {
			return
		}
		checkNames(t, plan)
	})
}

// Flags give either a behavior or an error, never both.
func FuzzBehaviorOf(f *testing.F) {
	for _, row := range table {
		f.Add(row.disable, row.coschedule, true)
		f.Add(row.disable, row.coschedule, false)
	}
	f.Add("x", "\xff", true)
	f.Fuzz(func(t *testing.T, disable, coschedule string, migrating bool) {
		got, err := affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: disable, Coschedule: coschedule, DuringMigration: migrating})
		if err != nil && (got != affinity.Disabled || err.Error() == "") {
			t.Errorf("%v, %v", got, err)
		}
		if !slices.Contains(behaviors, got) {
			t.Errorf("undefined behavior: %q", got)
		}
		if other, otherErr := affinity.BehaviorOf(affinity.Flags{DisableAffinityAssistant: "x", Coschedule: coschedule}); !migrating && (other != got || (otherErr == nil) != (err == nil)) {
			t.Errorf("a flag that is gone counts: %v, %v", other, otherErr)
		}
	})
}
