package nodes

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

func TestRobust(t *testing.T) {
	golden.Robust(t, Run,
		"apiVersion: v1\nkind: Pod\nmetadata: {name: web-%d}\nspec: {nodeName: a, containers: [{name: app, resources: {requests: {cpu: 10m, memory: 1Mi}}}]}\n",
		golden.Files(t, "samples/*.yaml"),
		[]string{}, []string{"-pack"})
}

// Reading is what the tests of podreport compare for all broken inputs.
func FuzzInput(f *testing.F) { golden.FuzzInput(f, Run) }
