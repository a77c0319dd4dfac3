package computeresources_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options(pod).Draw(t, "options")
		spec := &pod.Spec
		testkit.Contract(t, func() any { return computeresources.PodRequests(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.PodLimits(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.BindingLimits(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.PodRequestTotals(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.PodLimitTotals(spec, opts) }, pod, opts)
	})
}
