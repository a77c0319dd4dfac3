package admit

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota"
)

// Remedies say what the author of an object can do: see also violation.go and origin.go.

// wordsOfInvalid returns what is wrong with an amount, or with a container: "container app:
// hugepages-2Mi request 3Mi: 3Mi is not positive integer multiple of hugepages-2Mi".
func wordsOfInvalid(i *computeresources.InvalidResource) string {
	err := i.Field(nil)
	detail := err.Detail
	if i.Entry != nil {
		about := "claim"
		if i.Cause == computeresources.InvalidResizePolicy {
			about = "resize policy"
		}
		return fmt.Sprintf("%v: invalid %s: %s", i.Ref, about, err.ErrorBody())
	}
	if i.Resource == "" {
		return fmt.Sprintf("%v: %s", i.Ref, detail)
	}
	list := i.List
	if i.Cause == computeresources.LimitMissing {
		list = computeresources.Requests // what Amount is
	}
	return fmt.Sprintf("%v: %s %v %s: %s", i.Ref, i.Resource, list, quantity.Text(i.Amount), detail)
}

// remedyOfInvalid returns what to do about an amount that is invalid on its own, or together with
// pod-level resources.
func remedyOfInvalid(i *computeresources.InvalidResource) string {
	switch i.Cause {
	case computeresources.InvalidName:
		return fmt.Sprintf("remove the %v, or use the name of a resource", i.List)
	case computeresources.NotPodLevel:
		return fmt.Sprintf("set the %v on a container", i.List)
	case computeresources.Negative:
		return fmt.Sprintf("set a %v of zero or more", i.List)
	case computeresources.NotInteger:
		return fmt.Sprintf("set a whole number as the %v", i.List)
	case computeresources.NotPageMultiple:
		return fmt.Sprintf("set a multiple of the page size as the %v", i.List)
	case computeresources.RequestAboveLimit, computeresources.RequestNotLimit: // see wordsOfMismatch
	case computeresources.LimitMissing:
		return "set a limit of " + quantity.Text(i.Amount)
	case computeresources.HugePagesAlone:
		return "set cpu or memory as well"
	case computeresources.BelowContainers:
		return fmt.Sprintf("raise the pod-level %v to %s, or lower those of the containers", i.List, quantity.Text(i.Against))
	case computeresources.AbovePodLevel:
		return "lower the limit to " + quantity.Text(i.Against) + ", or raise that of the pod"
	case computeresources.PodLevelOnWindows:
		return "set resources on the containers only"
	case computeresources.ClaimsAtPodLevel:
		return "set the claims on the containers"
	case computeresources.InvalidClaim:
		return "refer once to each claim, by its name in spec.resourceClaims"
	case computeresources.InvalidResizePolicy:
		return "set NotRequired, once for cpu and once for memory"
	}
	return ""
}

// remedyOfResize returns what to do about a resize that is invalid, or that the node does not support.
func remedyOfResize(cause computeresources.ResizeCause) string {
	switch cause {
	case computeresources.ResizeOfStaticPod:
		return "change the manifest of the static pod on its node"
	case computeresources.ResizeChangesClass:
		return "choose amounts that keep the class"
	case computeresources.ResizeRemovesPodLevel, computeresources.ResizeRemovesAmount:
		return "keep it, or set another amount"
	case computeresources.ResizeAddsOrRemovesContainers, computeresources.ResizeRenamesContainer:
		return "send the containers in the order of the pod"
	case computeresources.ResizeLowersMemoryLimit, computeresources.ResizeAddsMemoryLimit:
		return "set the resize policy RestartContainer for memory when the pod is created"
	case computeresources.ResizeOfOtherThanCompute, computeresources.ResizeOfSidecar:
		return "change cpu and memory only, or create the pod again"
	case computeresources.ResizeRestartsInitContainer:
		return "set the resize policy NotRequired when the pod is created"
	case computeresources.ResizeNodeIsTooSmall:
		return "request less, or create the pod again on a larger node"
	case computeresources.ResizeNodeLacksFeatures, computeresources.ResizeNodeIsNotLinux,
		computeresources.ResizeOfWindowsPod, computeresources.ResizeUnsupportedByNode,
		computeresources.ResizePodLevelDisabled, computeresources.ResizeOfPodLevel,
		computeresources.ResizeWithNodeClaims, computeresources.ResizeOfInitContainer, computeresources.ResizeInvalid:
	}
	return "create the pod again with the new amounts"
}

// wordsOfFailure returns why a quota does not admit an object, and what to do.
func wordsOfFailure(f *quota.Failure) (what, remedy string) {
	switch f.Cause {
	case quota.ExceededQuota:
		return fmt.Sprintf("%v lacks %s", f.Source, resourcelist.String(f.Shortfall())), "request less, or raise the quota"
	case quota.MustSpecify:
		return fmt.Sprintf("%v requires %s", f.Source, missing(f.MissingRequired)), "set it, or set a default in a LimitRange"
	case quota.StatusUnknown:
		return fmt.Sprintf("%v has no status of %s", f.Source, join(f.Resources)), "wait for the quota controller"
	case quota.NegativeUsage:
		return "the object uses a negative amount of " + join(f.Resources), "set amounts of zero or more"
	case quota.UncoveredResources:
		return "no quota of the namespace allows " + join(f.Resources),
			"do not use it, or ask for a ResourceQuota that covers it"
	case quota.UncoveredScopes:
		var scopes []corev1.ResourceQuotaScope
		for _, s := range f.Scopes {
			scopes = append(scopes, s.ScopeName)
		}
		return "no quota of the namespace allows objects within " + join(scopes),
			"change what puts the object within the scope, or ask for a ResourceQuota with that scope"
	case quota.InvalidScope:
		return f.Error(), "correct the scope selector"
	}
	return f.Error(), ""
}

// missing returns what containers do not set: "requests.cpu of app and proxy, limits.memory of
// app".
func missing(list []quota.MissingResource) string {
	var parts []string
	for _, m := range list {
		parts = append(parts, fmt.Sprintf("%s of %s", m.Resource, join(m.Containers)))
	}
	return strings.Join(parts, ", ")
}

// join returns names in a sentence: "cpu, memory and pods".
func join[S ~string](names []S) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(name))
	}
	return b.String()
}
