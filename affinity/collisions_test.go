package affinity_test

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// runWith is a run with one workspace. Its claim is created for the run if it has no name.
func runWith(name, workspace, claim string) *affinity.Run {
	run := &affinity.Run{Name: name, Namespace: "ci", UID: "uid-of-" + "run", Workspaces: []affinity.Workspace{{Name: workspace, ClaimName: claim}}}
	if claim == "" {
		run.Workspaces[0].ClaimTemplate = template("")
	}
	return run
}

func TestFindCollisions(t *testing.T) {
	plan := func(run *affinity.Run, b affinity.Behavior) *affinity.Plan { return planFor(t, run, with(b)) }
	first, second := runWith("build-1", "src", "a"), runWith("uild-1", "srcb", "b")
	elsewhere := runWith("uild-1", "srcb", "b")
	elsewhere.Namespace = "other"
	made := plan(runWith("one", "w", ""), affinity.PerRun)
	two := runWith("two", "h", made.DeleteClaims[0])
	usersOfTwo := []string{`workspace "w" of run "one"`}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		two.Workspaces = append(two.Workspaces, affinity.Workspace{Name: name, ClaimName: made.DeleteClaims[0]})
		usersOfTwo = append(usersOfTwo, fmt.Sprintf("workspace %q of run \"two\"", name))
	}
	usersOfTwo = append(usersOfTwo, `workspace "h" of run "two"`)
	inZ := func(name string) *affinity.Plan {
		run := runWith(name, "w", "")
		run.Namespace = "z"
		return plan(run, affinity.Disabled)
	}
	placeholders := &affinity.Collision{
		Kind: "StatefulSet", Namespace: "ci", Name: "affinity-assistant-626dd15bc0",
		Users: []string{`workspace "src" of run "build-1"`, `workspace "srcb" of run "uild-1"`},
	}
	tests := []struct {
		name  string
		plans []*affinity.Plan
		want  []*affinity.Collision
	}{
		{"none", nil, nil},
		{"nil", []*affinity.Plan{nil, nil}, nil},
		{"one run", []*affinity.Plan{plan(first, affinity.PerWorkspace), plan(first, affinity.PerWorkspace)}, nil},
		{"hashes of names put together", []*affinity.Plan{plan(second, affinity.PerWorkspace), nil, plan(first, affinity.PerWorkspace)}, []*affinity.Collision{placeholders}},
		{"a workspace without a claim", []*affinity.Plan{
			plan(&affinity.Run{Name: "uild-1", Namespace: "ci", UID: "u", Workspaces: []affinity.Workspace{{Name: "srcb"}}}, affinity.PerWorkspace), plan(first, affinity.PerWorkspace),
		}, nil},
		{"in another namespace", []*affinity.Plan{plan(elsewhere, affinity.PerWorkspace), plan(first, affinity.PerWorkspace)}, nil},
		{"no placeholders", []*affinity.Plan{plan(first, affinity.Disabled), plan(second, affinity.Disabled)}, nil},
		{"a run and a workspace", []*affinity.Plan{plan(first, affinity.PerWorkspace), plan(runWith("srcbuild-1", "w", "c"), affinity.PerRun)}, []*affinity.Collision{{
			Kind: "StatefulSet", Namespace: "ci", Name: "affinity-assistant-626dd15bc0",
			Users: []string{`workspace "src" of run "build-1"`, `run "srcbuild-1"`},
		}}},
		{"two runs with the same existing claim", []*affinity.Plan{plan(runWith("one", "w", "a"), affinity.PerRun), plan(runWith("two", "w", "a"), affinity.PerRun)}, nil},
		{"a claim that another run creates", []*affinity.Plan{plan(runWith("two", "v", made.DeleteClaims[0]), affinity.PerWorkspace), made}, []*affinity.Collision{{
			Kind: "PersistentVolumeClaim", Namespace: "ci", Name: made.DeleteClaims[0],
			Users: []string{`workspace "w" of run "one"`, `workspace "v" of run "two"`},
		}}},
		{"claims of one owner", []*affinity.Plan{plan(runWith("b", "w", ""), affinity.Disabled), plan(runWith("a", "w", ""), affinity.Disabled)}, []*affinity.Collision{{
			Kind: "PersistentVolumeClaim", Namespace: "ci", Name: affinity.Workspace{Name: "w"}.GeneratedClaimName("uid-of-run", ""),
			Users: []string{`workspace "w" of run "a"`, `workspace "w" of run "b"`},
		}}},
		{"workspaces of a run", []*affinity.Plan{plan(two, affinity.PerRun), made}, []*affinity.Collision{{
			Kind: "PersistentVolumeClaim", Namespace: "ci", Name: made.DeleteClaims[0], Users: usersOfTwo,
		}}},
		{"kinds before namespaces", []*affinity.Plan{plan(first, affinity.PerWorkspace), plan(second, affinity.PerWorkspace), inZ("a"), inZ("b")}, []*affinity.Collision{{
			Kind: "PersistentVolumeClaim", Namespace: "z", Name: affinity.Workspace{Name: "w"}.GeneratedClaimName("uid-of-run", ""),
			Users: []string{`workspace "w" of run "a"`, `workspace "w" of run "b"`},
		}, placeholders}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, affinity.FindCollisions(test.plans), test.want)
		})
	}
	if got, want := placeholders.Error(), `StatefulSet ci/affinity-assistant-626dd15bc0: workspace "src" of run "build-1", workspace "srcb" of run "uild-1"`; got != want {
		t.Errorf("Error = %s, want %s", got, want)
	}
	whole := affinity.Collision{Kind: "StatefulSet", Namespace: "ci", Name: "s", Users: []string{`workspace "w" of run "a"`, `run "b"`}}
	testkit.Equal(t, whole.Error(), `StatefulSet ci/s: workspace "w" of run "a", run "b"`, "Error")
}
