package taskrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/golden"
)

// written are manifests as people write them: one file or directory for
// each way.
const written = "testdata/written"

// The result for each: planned, or the reason why not.
func TestPlanOfManifestsAsTheyAreWritten(t *testing.T) {
	entries, err := os.ReadDir(written)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, mode := range []string{"pipelineruns", "workspaces"} {
		for _, entry := range entries {
			got := planWith("", "-no-render", "-explain", "-coschedule", mode, "-f", filepath.Join(written, entry.Name()))
			fmt.Fprintf(&all, "# %s, %s: exit code %d\n%s%s\n", entry.Name(), mode, got.Code, got.Stderr, got.Stdout)
		}
	}
	golden.Compare(t, "plan/golden/written.txt", strings.ReplaceAll(all.String(), written+"/", ""))
}

// A directory has all that its files have, and more finds its Pipeline.
func TestPlanOfDirectories(t *testing.T) {
	got := planWith("", "-no-render", "-explain", "-f", written)
	for _, want := range []string{
		"\nPipelineRun ci/golang-1\n", "\nPipelineRun matrix-xxxxx\n", "\nPipelineRun bundled\n", "\nPipelineRun json-xxxxx\n",
	} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("no %q in\n%s", want, got.Stdout)
		}
	}
	wrong := []string{
		"chart/taskrun.yaml: document 1: looks like a Helm template: render it first, with helm template",
		"anchors.yaml: document 6: PipelineRun circle: tasks[0].runAfter: Invalid value: \"a -> b -> a\": the tasks run after each other",
	}
	var found []string
	for line := range strings.Lines(problems(got.Stderr)) {
		found = append(found, strings.TrimSpace(strings.TrimPrefix(line, "kubemath: "+written+"/")))
	}
	if diff := cmp.Diff(wrong, found); diff != "" || got.Code != 2 {
		t.Errorf("exit code %d (-want +got):\n%s", got.Code, diff)
	}
}
