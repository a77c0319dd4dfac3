package limitrange

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/release"
)

// Policy has the LimitRanges of a namespace, prepared for many pods and claims. It is never
// modified after Compile, and is safe for concurrent use. A nil Policy has no LimitRanges: it sets
// nothing, and everything passes.
//
// Concurrent callers do not wait for each other: they share nothing that is written.
type Policy struct {
	// The bounds that are enforced, by bound, resource and source.
	container, pod, claim []enforced
	resources             []corev1.ResourceName // that those of containers and pods name
	// The defaults that are given: at most one for each resource, by resource.
	limits, requests []BoundValue
	// All defaults of containers, by bound, resource and source, if their order matters; otherwise nil.
	candidates []candidate

	ignorePodLevel        bool
	exactly               bool // bounds are compared exactly
	skipsUnchangedAmounts bool
}

// enforced is a bound that is enforced.
type enforced struct {
	BoundValue
	amount   limitranger.Amount
	resource int // its number in Policy.resources; of a claim, that of the bound
}

// Compile returns the policy of LimitRanges, in any order; nil ones are ignored. The LimitRanges
// must have the defaults that the server stores: those of manifests do not, so pass their items
// through WithDefaults first. The policy shares no memory with ranges. Items of other types than
// Container, Pod and PersistentVolumeClaim are not enforced, as in the API server.
//
// If several ranges have a default for the same resource, the server uses that of the first one, in
// no fixed order; here, ranges are sorted by namespace and name: see InOrder. If one range has several Container
// items, which the server would not store, the last one counts, as on the server.
//
// Of the gates, PodLevelResources counts. Since 1.38, bounds are compared exactly, and of an update only the amounts
// that it changes.
//
// Cost: O(n log n) for n values. Reuse the policy for many pods.
func Compile(ranges []*corev1.LimitRange, kubernetes computeresources.Kubernetes) *Policy {
	var all []BoundValue
	for _, lr := range ranges {
		if lr != nil {
			all = appendValues(all, lr)
		}
	}
	// The order of equal keys is that of sources; of one source there is one value.
	slices.SortStableFunc(all, func(a, b BoundValue) int {
		return cmp.Or(
			cmp.Compare(a.Bound, b.Bound),
			cmp.Compare(a.Resource, b.Resource),
			ordering.Sources(a.Source, b.Source),
			cmp.Compare(formatted(a.Amount), formatted(b.Amount)),
		)
	})
	rules := release.Rules(kubernetes)
	p := &Policy{
		ignorePodLevel: !rules.CountsPodLevel(), exactly: rules.ComparesBoundsExactly(),
		skipsUnchangedAmounts: rules.SkipsUnchangedAmounts(),
	}
	for _, v := range all {
		p.add(v)
	}
	p.candidates = candidatesOf(all)
	return p
}

func (p *Policy) add(v BoundValue) {
	switch {
	case v.Type == corev1.LimitTypeContainer && v.Bound <= Ratio:
		p.container = append(p.container, p.enforce(v))
	case v.Type == corev1.LimitTypePod && v.Bound <= Ratio:
		p.pod = append(p.pod, p.enforce(v))
	case v.Type == corev1.LimitTypePersistentVolumeClaim && v.Bound <= Max:
		p.claim = append(p.claim, enforced{v, limitranger.AmountOf(&v.Amount), len(p.claim)})
	case v.Type == corev1.LimitTypeContainer && v.Bound == DefaultLimit:
		p.limits = withDefault(p.limits, v)
	case v.Type == corev1.LimitTypeContainer && v.Bound == DefaultRequest:
		p.requests = withDefault(p.requests, v)
	}
}

// enforce returns a bound to enforce, whose resource then has a number.
func (p *Policy) enforce(v BoundValue) enforced {
	number := slices.Index(p.resources, v.Resource)
	if number < 0 {
		number = len(p.resources)
		p.resources = append(p.resources, v.Resource)
	}
	return enforced{v, limitranger.AmountOf(&v.Amount), number}
}

// withDefault adds a default to those of sources that come before it.
func withDefault(defaults []BoundValue, v BoundValue) []BoundValue {
	if len(defaults) == 0 || defaults[len(defaults)-1].Resource != v.Resource {
		return append(defaults, v)
	}
	if last := &defaults[len(defaults)-1]; ofOneObject(last.Source, v.Source) {
		*last = v
	}
	return defaults
}
