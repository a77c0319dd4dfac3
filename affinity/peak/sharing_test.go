package peak_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// surroundings are a run and the requests of a configuration.
type surroundings struct {
	Run      *affinity.Run
	Requests corev1.ResourceList
}

func TestSharedLists(t *testing.T) {
	draw := func(t *rapid.T) (affinity.Plan, surroundings) {
		run := twoClaims()
		run.Tasks[0].Requests = testkit.ResourceList(testkit.Positive()).Draw(t, "requests")
		requests := testkit.ResourceList(testkit.Ordinary()).Draw(t, "configured")
		return *plan(t, run, affinity.PerWorkspace), surroundings{run, requests}
	}
	testkit.Applies(t, draw, func(plan *affinity.Plan, others surroundings) any {
		sizes, err := peak.ApplySizes(plan, others.Run, peak.Options{})
		return []any{sizes, err}
	})
}
