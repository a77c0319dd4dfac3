package coschedule

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

func TestRobust(t *testing.T) {
	golden.Robust(t, Run,
		"apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: run-%d}\nspec: {pipelineSpec: {tasks: [{name: build, taskSpec: {steps: [{name: a}]}}]}}\n",
		append(golden.Files(t, "samples/*.yaml"), "testdata/release.yaml"),
		[]string{}, []string{"-explain"})
}

// Reading is what the tests of podreport compare for all broken inputs.
func FuzzInput(f *testing.F) { golden.FuzzInput(f, Run) }
