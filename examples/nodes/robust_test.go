package main

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A file that is no manifest takes nothing from the report on the others.
func TestOneOfMany(t *testing.T) {
	golden.OneOfMany(t, run, func(i int) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: web-%d}\nspec: {nodeName: a, containers: [{name: app, resources: {requests: {cpu: 10m, memory: 1Mi}}}]}\n", i)
	})
}

func TestPanics(t *testing.T) { golden.Panics(t, run) }

// No text of the input reaches a terminal with control characters.
func TestTerminal(t *testing.T) {
	golden.Terminal(t, run, golden.Files(t, "samples/*.yaml"),
		[]string{}, []string{"-pack"})
}
