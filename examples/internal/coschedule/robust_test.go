package coschedule

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A file that is no manifest takes nothing from the report on the others.
func TestOneOfMany(t *testing.T) {
	golden.OneOfMany(t, Run, func(i int) string {
		return fmt.Sprintf("apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: run-%d}\nspec: {pipelineSpec: {tasks: [{name: build, taskSpec: {steps: [{name: a}]}}]}}\n", i)
	})
}

func TestPanics(t *testing.T) { golden.Panics(t, Run) }

// No text of the input reaches a terminal with control characters.
func TestTerminal(t *testing.T) {
	golden.Terminal(t, Run, append(golden.Files(t, "samples/*.yaml"), "testdata/release.yaml"),
		[]string{}, []string{"-explain"})
}
