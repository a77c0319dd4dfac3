package resourcepool

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

func TestRobust(t *testing.T) {
	golden.Robust(t, Run,
		"apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: pool-%[1]d}\nspec: {selectors: [{matchLabels: {of: \"%[1]d\"}}], quota: {hard: {limits.cpu: 1}}}\n---\n"+
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: shop-%[1]d, labels: {of: \"%[1]d\"}}\n---\n"+
			"apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePoolClaim\nmetadata: {name: claim, namespace: shop-%[1]d}\nspec: {pool: pool-%[1]d, claim: {limits.cpu: 1}}\n",
		golden.Files(t, "samples/*.yaml"),
		[]string{}, []string{"-plan"}, []string{"-metrics"}, []string{"-migrate"})
}

// Reading is what the tests of podreport compare for all broken inputs.
func FuzzInput(f *testing.F) { golden.FuzzInput(f, Run) }
