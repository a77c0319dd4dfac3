package podreport_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

func TestRobust(t *testing.T) {
	golden.Robust(t, run,
		"apiVersion: v1\nkind: Pod\nmetadata: {name: web-%d}\nspec: {containers: [{name: app, resources: {requests: {cpu: 10m, memory: 1Mi}}}]}\n",
		golden.Files(t, "samples/*.yaml"),
		[]string{}, []string{"-o", "github"})
}
