package steps

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/resourcelist"
)

// Options say how defaults are filled in. The zero value divides them exactly, gives the
// other containers theirs, and sets nothing that the API server would reject.
type Options struct {
	// Division says how a default request is divided over the steps.
	Division division.Options

	// StepsOnly leaves containers that are no steps to the LimitRanger, as Tekton
	// does.
	StepsOnly bool

	// Uncapped lets Fill set requests as Tekton does, by default and minimum alone:
	// above the maximum, above the limit of the container, or too far below it for
	// the ratio. The API server rejects such pods. Fit does not look at it.
	Uncapped bool
}

// TektonOptions returns the options with which Fill does what Tekton Pipelines does:
// truncated division of the steps' requests, and nothing else. What cannot be divided
// stays whole nevertheless.
func TektonOptions() Options {
	return Options{Division: division.Options{Method: division.Truncated}, StepsOnly: true, Uncapped: true}
}

// Fill returns the requests to be set on containers that lack them, by the bounds of item
// (see the package comment): the default request whole for a container that is no step,
// and divided over the steps, for each at least the minimum. A part of nothing is set as
// zero, since the LimitRanger would fill in the whole default otherwise; but not of what
// cannot be divided: that is left out (see division.Options).
//
// No request is set above the limit of the container, or too far below it for the ratio;
// one that has none gets the default limit from the LimitRanger. Limits are not set, and
// what containers state is neither changed nor checked: that is Fit. If no request can be
// set that meets the bounds, unmet says so, and none is.
//
// Once the changes are applied, Fill returns none.
//
// Source: "Requests" and "Limits" of Tekton's "Compute Resources in Tekton".
func Fill(spec *corev1.PodSpec, item corev1.LimitRangeItem, isStep Predicate, opts Options) (changes []Change, unmet []Unmet) {
	all := readBounds(item, count(spec, isStep), opts)
	names := resourcelist.Names(item.DefaultRequest, item.Default, item.Min)
	for p, c := range containers(spec, isStep) {
		if opts.StepsOnly && p.step == noStep {
			continue
		}
		for _, name := range names {
			b := all[name]
			if b == nil || states(c.Resources.Requests, name) {
				continue
			}
			stated := resourcelist.Find(c.Resources.Requests, name)
			request, u := b.fill(b.part(p.step), positive(c.Resources.Limits, name), opts)
			switch {
			case u != nil:
				unmet = append(unmet, u.at(p.ref, name))
			case request != nil:
				changes = diff(changes, p.ref, false, name, stated, request)
			}
		}
	}
	return changes, unmet
}

// fill returns the request to be set on a container that has none, of its part of the
// default and the limit that it states.
func (b *bounds) fill(part, limit *resource.Quantity, opts Options) (*resource.Quantity, *Unmet) {
	switch {
	case part == nil || opts.Uncapped:
		return part, nil
	case b.unmet != nil:
		return nil, b.unmet
	case above(b.min, limit):
		return nil, unmetBy(LimitBelowMin, b.min, limit)
	}
	request, ceiling := part, either(limit, b.defaultLimit)
	switch {
	case !b.divisible && limit != nil: // to be requested as it is limited
		request = limit
	case above(request, ceiling):
		request = ceiling
	}
	if b.ratio != nil && ifPositive(ceiling) != nil && !b.keepsRatio(request, ceiling) {
		request = b.leastRequest(ceiling)
	}
	if above(request, b.max) {
		return nil, unmetBy(LimitAboveMax, b.max, limit)
	}
	return request, nil
}
