package computeresources_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The enumerations. The tests of the architecture compare each list with the constants of its type.
var (
	kinds  = []computeresources.Kind{computeresources.App, computeresources.Init, computeresources.Sidecar, computeresources.Pod}
	lists  = []computeresources.List{computeresources.Requests, computeresources.Limits}
	states = []computeresources.ResizeState{
		computeresources.ResizeNotPending, computeresources.ResizeDeferred, computeresources.ResizeInfeasible, computeresources.ResizePendingUnknown,
	}
	invalidCauses = []computeresources.InvalidCause{
		computeresources.InvalidName, computeresources.NotPodLevel, computeresources.Negative, computeresources.NotInteger,
		computeresources.NotPageMultiple, computeresources.RequestAboveLimit, computeresources.RequestNotLimit, computeresources.LimitMissing,
		computeresources.HugePagesAlone, computeresources.BelowContainers, computeresources.AbovePodLevel, computeresources.PodLevelOnWindows,
		computeresources.ClaimsAtPodLevel, computeresources.InvalidClaim, computeresources.InvalidResizePolicy,
	}
	resizeCauses = []computeresources.ResizeCause{
		computeresources.ResizeInvalid, computeresources.ResizeOfStaticPod, computeresources.ResizeOfWindowsPod, computeresources.ResizeChangesClass,
		computeresources.ResizeUnsupportedByNode, computeresources.PodLevelResizeOff, computeresources.ResizeRemovesPodLevel,
		computeresources.ResizeRemovesAmount, computeresources.ResizeOfOtherThanCompute, computeresources.ResizeWithNodeClaims,
		computeresources.ResizeAddsOrRemovesContainers, computeresources.ResizeRenamesContainer, computeresources.ResizeOfInitContainer,
		computeresources.ResizeRestartsInitContainer, computeresources.NodeLacksFeatures, computeresources.NodeIsNotLinux, computeresources.NodeIsTooSmall,
	}
)

// The generators of the property tests reach each view of a pod, all kinds of containers and defaults, and each
// cause for which a pod or a resize is refused.
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
		if len(computeresources.BindingLimits(&pod.Spec, opts)) > 0 {
			reached = append(reached, "binding limits")
		}
		for _, c := range computeresources.ApplyRequestDefaults(pod.Spec.DeepCopy(), computeresources.Gates{}) {
			reached = append(reached, fmt.Sprintf("default: %v of a %v", c.List, c.Ref.Kind))
		}
		for _, i := range computeresources.Validate(nil, &edited(t, pod).Spec, computeresources.Gates{}) {
			reached = append(reached, "invalid: "+string(i.Cause))
		}
		r := resizes(t)
		for _, p := range r.problems() {
			reached = append(reached, "resize is refused: "+string(p.Cause))
		}
		return append(reached, "resize: "+string(computeresources.PendingResize(r.updated)))
	}, slices.Concat([]string{
		"the status counts more than the spec", "the status counts less than the spec", "pod-level amounts count", "pod-level status counts",
		"overhead counts", "missing requests count", "what is claimed from the node counts", "binding limits", "default: limit of a pod",
	}, testkit.Each("a container: ", kinds[:3]), testkit.Each("default: request of a ", kinds),
		testkit.Each("invalid: ", invalidCauses), testkit.Each("resize is refused: ", resizeCauses), testkit.Each("resize: ", states))...)
}
