package steps

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// Options select how Fill sets defaults, and WholePod with it. With the zero value, they are divided exactly,
// containers that are not steps get theirs, and nothing is set that the API server would reject.
type Options struct {
	// Division selects how a default request is divided among the steps, and in WholePod also how the
	// requirements of a task are.
	Division division.Options

	// StepsOnly leaves containers that are not steps to the LimitRanger, as Tekton does.
	StepsOnly bool

	// Unchecked sets requests as Tekton does, by the default and the minimum only, without a look at what the API
	// server rejects: requests may exceed the maximum or the limit of the container, or violate the ratio. Requests
	// of zero are not set, and negative requests are not replaced. The minimum is for each step, neither divided
	// nor rounded.
	Unchecked bool

	// AsTekton divides the requirements of a task as Tekton does, in WholePod: GPUs and huge pages as well, limits in
	// place of requests only if neither the task nor the step has any, and requirements whose lists are empty remove
	// those of the steps. Of two overrides of a container, only the last one counts.
	AsTekton bool

	// Only are the resources of the item that count; nil: all of them.
	Only []corev1.ResourceName

	// SingleRange means that there is one LimitRange, and the item is its item as the server stores
	// it: a container without a limit gets the default limit of the item. If the item is an
	// aggregate of several LimitRanges, the container may get a larger one. WholePod sets it itself.
	SingleRange bool
}

// TektonOptions returns the options with which Fill and WholePod do what Tekton Pipelines does: Fill
// sets the steps' requests of cpu, memory and ephemeral-storage that are missing or zero by
// truncated division of whole units, and nothing else. Requests and limits of other resources are left alone.
func TektonOptions() Options {
	return Options{
		Division: division.Options{Truncated: true, RoundUp: true}, StepsOnly: true, Unchecked: true, AsTekton: true,
		Only: []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage},
	}
}

// Fill returns the missing requests to set, by the bounds of item (see the package comment): the
// whole default request for a container that is not a step, and its part of the default request,
// but at least the minimum, for a step. A part of zero is set explicitly, since the LimitRanger
// would set the whole default otherwise.
//
// No request is set above the limit of the container, or so far below it that the ratio is
// violated. A container without a limit gets a default limit from the LimitRanger. An aggregate
// does not tell which of several LimitRanges sets it: it is between the default limit of item and
// the maximum. If no request is valid with all of these limits, which includes a ratio without a
// maximum, none is set, and the LimitRanger sets the default request. See Options.SingleRange. The
// request of a resource that cannot be divided is its limit; without a limit, it is not set. If a
// limit is zero, no request is set.
//
// So if the API server admits a pod under LimitRanges for containers, whose aggregate is item, it
// also admits the pod with the changes. Bounds of type Pod and pod-level resources are ignored.
//
// Limits are not set, and what containers set is neither changed nor checked: use Fit for that. If
// no request satisfies the bounds, none is set, and conflicts contain the reason. Conflicts also
// contain the steps that get the whole default request from the LimitRanger because no request is
// known to be valid with their default limit (limitrange.LimitNotSet).
//
// After the changes are applied, Fill returns none.
//
// Source: "Requests" and "Limits" of Tekton's "Compute Resources in Tekton".
func Fill(
	spec *corev1.PodSpec, item corev1.LimitRangeItem, isStep Predicate, opts Options,
) (changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
	all := readBounds(item, count(spec, isStep), opts)
	names := quantity.Names(item.DefaultRequest, item.Default, item.Min)
	for p, c := range containers(spec, isStep) {
		if opts.StepsOnly && p.step == noStep {
			continue
		}
		for _, name := range names {
			b, set := all[name], quantity.Find(c.Resources.Requests, name)
			if b == nil || isSet(set, opts) {
				continue
			}
			request, conflict := b.fill(p.step, quantity.Find(c.Resources.Limits, name), opts)
			switch {
			case conflict != nil:
				conflicts = append(conflicts, at(conflict, p.ref, name))
			case request != nil:
				changes = diff(changes, p.ref, computeresources.Requests, name, set, request)
			}
		}
	}
	return changes, conflicts
}

// isSet reports whether a request is kept: Tekton also keeps negative ones.
func isSet(request *resource.Quantity, opts Options) bool {
	return request != nil && (request.Sign() > 0 || opts.Unchecked && !request.IsZero())
}

// fill returns the request to set on a container that has none, from its part of the default and its
// limit.
func (b *bounds) fill(step int, limit *resource.Quantity, opts Options) (*resource.Quantity, *limitrange.Conflict) {
	part := b.part(step)
	switch {
	case opts.Unchecked:
		return ifPositive(part), nil
	case part == nil && limit == nil:
		return nil, b.undivided(part)
	case part == nil:
		return nil, nil
	case b.conflict != nil:
		return nil, b.conflict
	case above(b.min, limit):
		return nil, conflictOf(limitrange.LimitBelowMin, value(limitrange.Limit, limit), value(limitrange.Min, b.min))
	case limit == nil:
		request := b.fillUnlimited(part, opts)
		if request == nil {
			return nil, b.undivided(part)
		}
		return request, nil
	case limit.Sign() <= 0:
		return nil, nil
	}
	request := part
	if !b.divisible || above(request, limit) { // the request of a resource that cannot be divided equals its limit
		request = limit
	}
	if b.ratio != nil && !b.keepsRatio(request, limit) {
		request = b.leastRequest(limit)
	}
	if above(request, b.max) {
		return nil, conflictOf(limitrange.LimitAboveMax, value(limitrange.Limit, limit), value(limitrange.Max, b.max))
	}
	return request, nil
}

// undivided returns the conflict of a container without a request and a limit for which none can be
// set, if it gets more than its part that way: the LimitRanger gives it the whole default.
func (b *bounds) undivided(part *resource.Quantity) *limitrange.Conflict {
	switch {
	case !differ(part, b.whole):
		return nil
	case b.conflict != nil:
		return b.conflict
	}
	return conflictOf(limitrange.LimitNotSet, value(limitrange.DefaultRequest, b.whole))
}

// fillUnlimited returns the request to set on a container without a request and a limit. Its limit will
// be a default between that of the item and the maximum, or missing if the item has no default limit.
func (b *bounds) fillUnlimited(part *resource.Quantity, opts Options) *resource.Quantity {
	request := part
	switch {
	case !b.divisible, b.zeroLimit:
		return nil
	case above(request, b.defaultLimit):
		request = b.defaultLimit
	}
	greatest := b.max
	if opts.SingleRange {
		greatest = b.defaultLimit
	}
	switch {
	case b.ratio == nil || b.defaultLimit == nil:
		return request
	case greatest == nil:
		return nil
	case !b.keepsRatio(request, greatest):
		request = b.leastRequest(greatest)
	}
	if above(request, b.defaultLimit) {
		return nil
	}
	return request
}
