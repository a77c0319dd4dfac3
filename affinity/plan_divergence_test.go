package affinity_test

import (
	"testing"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// If two workspaces use one claim, Tekton creates the placeholder of the last one and sends the
// tasks of the other to a placeholder that does not exist, so they wait forever.
// See docs/decisions/affinity.md#one-placeholder-for-a-shared-claim.
func TestDivergenceSharedClaim(t *testing.T) {
	run := buildRun()
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "maven", ClaimName: "build-cache-pvc"})
	run.Tasks = []affinity.Task{{Name: "both", Workspaces: []string{"maven", "cache"}}, {Name: "first", Workspaces: []string{"cache"}}, {Name: "last", Workspaces: []string{"maven"}}}
	run.Finally = nil
	plan := planFor(t, run, with(affinity.PerWorkspace))
	last := affinity.Workspace{Name: "maven"}.AssistantName("build")
	var sets []string
	for _, set := range plan.StatefulSets {
		sets = append(sets, set.Name)
	}
	testkit.NoDiff(t, sets, []string{last, sourceAssistant}, "placeholders")
	for _, p := range plan.Tasks {
		testkit.Equal(t, p.Assistant, last, p.Task, "goes to")
	}
}
