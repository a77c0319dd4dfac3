package tree

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

func TestRobust(t *testing.T) {
	golden.Robust(t, Run,
		"apiVersion: v1\nkind: Pod\nmetadata: {name: web-%d}\nspec: {containers: [{name: app, resources: {requests: {cpu: 10m, memory: 1Mi}}}]}\n",
		append(golden.Files(t, "samples/*.yaml"), "testdata/workloads.yaml"),
		[]string{}, []string{"-files", "v1"}, []string{"-files", "v2"}, []string{"-files", "systemd"})
}

// Reading is what the tests of podreport compare for all broken inputs.
func FuzzInput(f *testing.F) { golden.FuzzInput(f, Run) }
