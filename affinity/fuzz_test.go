package affinity_test

import (
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
