package affinity_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/affinity"
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
			Kind: "PersistentVolumeClaim", Namespace: "ci", Name: affinity.ClaimName("", "w", "uid-of-run", ""),
			Users: []string{`workspace "w" of run "a"`, `workspace "w" of run "b"`},
		}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, affinity.FindCollisions(test.plans)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if got, want := placeholders.Error(), `StatefulSet ci/affinity-assistant-626dd15bc0: workspace "src" of run "build-1", workspace "srcb" of run "uild-1"`; got != want {
		t.Errorf("Error = %s, want %s", got, want)
	}
	whole := affinity.Collision{Kind: "StatefulSet", Namespace: "ci", Name: "s", Users: []string{`workspace "w" of run "a"`, `run "b"`}}
	if got, want := whole.Error(), `StatefulSet ci/s: workspace "w" of run "a", run "b"`; got != want {
		t.Errorf("Error = %s, want %s", got, want)
	}
}

// Collisions are sorted by kind, namespace and name; users by run and workspace.
func TestCollisionsAreSorted(t *testing.T) {
	run := func(name, namespace string) *affinity.Run {
		run := &affinity.Run{Name: name, Namespace: namespace, UID: "u"}
		for _, w := range []string{"p", "q", "r", "s", "t", "u", "v", "w"} {
			run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: w, ClaimTemplate: template("")})
		}
		return run
	}
	var plans []*affinity.Plan
	for _, namespace := range []string{"b", "a"} {
		for _, name := range []string{"two", "one"} {
			plans = append(plans, planFor(t, run(name, namespace), with(affinity.PerWorkspace)))
		}
		// A run whose name begins with the name of a workspace.
		other := &affinity.Run{Name: "one", Namespace: namespace, UID: "x", Workspaces: []affinity.Workspace{{Name: "wt", ClaimName: "c"}}}
		plans = append(plans, planFor(t, other, with(affinity.PerWorkspace)))
		third := &affinity.Run{Name: "tone", Namespace: namespace, UID: "x", Workspaces: []affinity.Workspace{{Name: "w", ClaimName: "c"}}}
		plans = append(plans, planFor(t, third, with(affinity.PerWorkspace)))
	}
	got := affinity.FindCollisions(plans)
	if len(got) != 2*8+2 {
		t.Fatalf("%d collisions: %v", len(got), got)
	}
	for i, c := range got[1:] {
		before := got[i]
		inOrder := before.Kind < c.Kind || before.Kind == c.Kind && (before.Namespace < c.Namespace || before.Namespace == c.Namespace && before.Name < c.Name)
		if !inOrder {
			t.Errorf("%v before %v", &before, &c)
		}
	}
	if got[0].Kind != "PersistentVolumeClaim" || got[0].Namespace != "a" || got[17].Kind != "StatefulSet" || got[17].Namespace != "b" {
		t.Errorf("first %v, last %v", &got[0], &got[17])
	}
	if diff := cmp.Diff([]string{`workspace "wt" of run "one"`, `workspace "w" of run "tone"`}, got[17].Users); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// If two workspaces of a run use one claim, the run has one placeholder for both but deletes the
// StatefulSets of both names. One of those may belong to another run.
func TestCollisionsWithWhatIsDeleted(t *testing.T) {
	deletes := &affinity.Run{Name: "build-1", UID: "1", Workspaces: []affinity.Workspace{{Name: "src", ClaimName: "c"}, {Name: "last", ClaimName: "c"}}}
	makes := &affinity.Run{Name: "uild-1", UID: "2", Workspaces: []affinity.Workspace{{Name: "srcb", ClaimName: "d"}}}
	found := affinity.FindCollisions([]*affinity.Plan{planFor(t, deletes, with(affinity.PerWorkspace)), planFor(t, makes, with(affinity.PerWorkspace))})
	const want = `StatefulSet /affinity-assistant-626dd15bc0: workspace "src" of run "build-1", workspace "srcb" of run "uild-1"`
	if len(found) != 1 || found[0].Error() != want {
		t.Errorf("%v, want %s", found, want)
	}
}

// Users of one run are sorted by workspace, regardless of the order in the manifest.
func TestUsersOfCollisionsAreSorted(t *testing.T) {
	made := planFor(t, runWith("one", "w", ""), with(affinity.PerRun))
	run := runWith("two", "h", made.DeleteClaims[0])
	want := []string{`workspace "w" of run "one"`}
	for _, name := range []string{"d", "a", "g", "c", "f", "b", "e"} {
		run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: name, ClaimName: made.DeleteClaims[0]})
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		want = append(want, fmt.Sprintf("workspace %q of run \"two\"", name))
	}
	found := affinity.FindCollisions([]*affinity.Plan{planFor(t, run, with(affinity.PerRun)), made})
	if len(found) != 1 {
		t.Fatalf("%d collisions, want 1", len(found))
	}
	if diff := cmp.Diff(want, found[0].Users); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
