package computeresources_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generators of the property tests reach each view of a pod, and pods with all kinds of
// containers, set and refused in each way.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 600, func(t *rapid.T) (reached []string) {
		pod, opts := testkit.Pod().Draw(t, "pod"), options().Draw(t, "options")
		all := computeresources.PodRequests(pod, opts)
		differs := func(without computeresources.Options, what string) {
			other := computeresources.PodRequests(pod, without)
			for name, q := range all {
				if q.Cmp(other[name]) != 0 {
					reached = append(reached, what)
				}
			}
		}
		spec := computeresources.SpecRequests(&pod.Spec, opts)
		for name, q := range all {
			switch q.Cmp(spec[name]) {
			case 1:
				reached = append(reached, "the status counts more than the spec")
			case -1:
				reached = append(reached, "the status counts less than the spec")
			}
		}
		without := opts
		without.IgnorePodLevel = true
		differs(without, "pod-level amounts count")
		without = opts
		without.ExcludeOverhead = true
		differs(without, "overhead counts")
		without = opts
		without.MissingRequests = nil
		differs(without, "missing requests count")
		without = opts
		without.ClaimedFromNode = nil
		differs(without, "what is claimed from the node counts")
		without = opts
		without.PodLevelStatus = testkit.Off()
		differs(without, "pod-level status counts")
		for ref := range computeresources.Containers(&pod.Spec) {
			reached = append(reached, "a container: "+ref.Kind.String())
		}
		reached = append(reached, "resize: "+string(computeresources.PendingResize(pod)))
		if len(computeresources.BindingLimits(&pod.Spec, opts)) > 0 {
			reached = append(reached, "binding limits")
		}
		for _, i := range computeresources.Validate(nil, &pod.Spec, computeresources.Gates{}) {
			reached = append(reached, "invalid: "+string(i.Cause))
		}
		return reached
	},
		"the status counts more than the spec", "the status counts less than the spec", "pod-level amounts count", "pod-level status counts",
		"overhead counts", "missing requests count", "what is claimed from the node counts",
		"a container: container", "a container: init container", "a container: sidecar", "binding limits",
		"invalid: "+string(computeresources.RequestAboveLimit), "invalid: "+string(computeresources.RequestNotLimit),
	)
}
