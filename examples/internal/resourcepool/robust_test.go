package resourcepool

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A file that is no manifest takes nothing from the report on the others.
func TestOneOfMany(t *testing.T) {
	golden.OneOfMany(t, Run, func(i int) string {
		return fmt.Sprintf("apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: pool-%[1]d}\nspec: {selectors: [{matchLabels: {of: \"%[1]d\"}}], quota: {hard: {limits.cpu: 1}}}\n---\n"+
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: shop-%[1]d, labels: {of: \"%[1]d\"}}\n---\n"+
			"apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePoolClaim\nmetadata: {name: claim, namespace: shop-%[1]d}\nspec: {pool: pool-%[1]d, claim: {limits.cpu: 1}}\n", i)
	})
}

func TestPanics(t *testing.T) { golden.Panics(t, Run) }

// No text of the input reaches a terminal with control characters.
func TestTerminal(t *testing.T) {
	golden.Terminal(t, Run, golden.Files(t, "samples/*.yaml"),
		[]string{}, []string{"-plan"}, []string{"-metrics"}, []string{"-migrate"})
}
