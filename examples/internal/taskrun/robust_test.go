package taskrun

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

func TestRobust(t *testing.T) {
	golden.Robust(t, Run,
		"apiVersion: v1\nkind: Pod\nmetadata: {name: web-%d}\nspec: {containers: [{name: app, resources: {requests: {cpu: 10m, memory: 1Mi}}}]}\n",
		append(golden.Files(t, "samples/*.yaml"), "testdata/written/workspaces.yaml"),
		[]string{})
}

// Reading is what the tests of podreport compare for all broken inputs.
func FuzzInput(f *testing.F) { golden.FuzzInput(f, Run) }
