package tekton

import (
	"strings"
	"testing"

	"github.com/tektoncd/pipeline/pkg/reconciler/pipelinerun/resources"
	"knative.dev/pkg/kmeta"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// names draws names of up to 63 characters.
func names() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		start := rapid.StringMatching(`[a-z]`).Draw(t, "start")
		return start + strings.Repeat(rapid.SampledFrom([]string{"", "a", "b-", "--c", "d.", "f"}).Draw(t, "part"), rapid.IntRange(0, 20).Draw(t, "times")) +
			rapid.StringMatching(`[a-z0-9-]{0,9}`).Draw(t, "end")
	})
}

// The names of TaskRuns and of their pods are those of Tekton.
func TestNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run, task, fanOut := names().Draw(t, "run"), names().Draw(t, "task"), rapid.IntRange(1, 12).Draw(t, "fan out")
		for i, want := range resources.GetNamesOfTaskRuns(nil, task, run, fanOut) {
			testkit.Equal(t, affinity.TaskRunName(run, task, i, fanOut), want, "TaskRun", i)
		}
		for retries, suffix := range map[int]string{0: "-pod", 1: "-pod-retry1", 123: "-pod-retry123"} {
			testkit.Equal(t, affinity.PodName(run, retries), kmeta.ChildName(run, suffix), "pod")
		}
	})
}
