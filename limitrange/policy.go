package limitrange

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Policy is the LimitRanges of a namespace, made ready for many pods and claims. It is
// never written after Compile, and safe for concurrent use. A nil Policy is that of no
// LimitRanges: nothing is set, everything passes.
//
// Callers at the same time do not wait for each other: nothing that they share is written, so that
// n processors answer n times as many questions.
type Policy struct {
	// The bounds that are enforced, by bound, resource and source.
	container, pod, claim []BoundValue
	// The defaults that are given: at most one for each resource, by resource.
	limits, requests []BoundValue
	// What passing compares with.
	rows []boundedResource

	opts Options
}

// Options says what of a pod counts. The zero value is what a default Kubernetes 1.37 cluster
// does.
type Options struct {
	// IgnorePodLevel leaves spec.resources out, as a cluster without PodLevelResources
	// (KEP-2837) does.
	IgnorePodLevel bool
}

// Compile returns the policy of LimitRanges, in any order; nil ones count as none. It takes
// them as the server has stored them: those from a manifest lack the defaults
// that WithDefaults gives to their items. It keeps
// nothing of ranges. Items of other types than Container, Pod and PersistentVolumeClaim
// are not enforced by the API server, nor here.
//
// Where several ranges give a default for the same resource, the server takes that of the
// first, in an order that is not fixed; here they come in the order of their namespaces
// and names. If one range has several Container items, which the server would not store, the
// last one counts, as there.
//
// Cost: n log n of the number of values. For one pod, Compile(ranges, opts).Validate(spec) is
// fine; for many, keep the policy.
func Compile(ranges []*corev1.LimitRange, opts Options) *Policy {
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
			a.Source.Compare(b.Source),
			cmp.Compare(formatted(a.Amount), formatted(b.Amount)),
		)
	})
	p := &Policy{opts: opts}
	for _, v := range all {
		p.add(v)
	}
	p.rows = boundedResources(AggregateOf(ranges))
	return p
}

func (p *Policy) add(v BoundValue) {
	switch enforced := v.Bound <= Ratio; {
	case v.Type == corev1.LimitTypeContainer && enforced:
		p.container = append(p.container, v)
	case v.Type == corev1.LimitTypePod && enforced:
		p.pod = append(p.pod, v)
	case v.Type == corev1.LimitTypePersistentVolumeClaim && v.Bound <= Max:
		p.claim = append(p.claim, v)
	case v.Type == corev1.LimitTypeContainer && v.Bound == DefaultLimit:
		p.limits = withDefault(p.limits, v)
	case v.Type == corev1.LimitTypeContainer && v.Bound == DefaultRequest:
		p.requests = withDefault(p.requests, v)
	}
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
