package limitrange

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// Problem is one reason why a pod is not admitted, for the author of the pod.
type Problem struct {
	// Ref is the container, or the pod. Resource is empty if the problem is not about one resource.
	Ref      computeresources.Ref
	Resource corev1.ResourceName
	// What is wrong, and the Remedy, in words. There may be no remedy.
	What, Remedy string
	// Defaults are the defaults of LimitRanges that contribute to the problem, at most a request
	// and a limit. The author of the pod did not write them.
	Defaults []computeresources.Change
	// Violation is the violated bound. If it is nil, Invalid is the validation error of the API
	// server.
	Violation *Violation
	Invalid   *computeresources.InvalidResource
}

// String returns the problem in words: "container app: request cpu 2 is above the default
// limit 1 from LimitRange team-defaults: set a limit or lower the request".
func (p Problem) String() string {
	if p.Remedy == "" {
		return p.What
	}
	return p.What + ": " + p.Remedy
}

// Error returns what String returns.
func (p *Problem) Error() string { return p.String() }

// Field returns the problem as an error at the field of Invalid or of the Violation. The detail is
// what String returns, or the message of the API server if there is nothing to add. Path is the
// path of the pod spec; nil means spec.
func (p *Problem) Field(path *field.Path) *field.Error {
	var err *field.Error
	switch {
	case p.Invalid != nil && !isMismatch(p.Invalid):
		return p.Invalid.Field(path)
	case p.Invalid != nil:
		err = p.Invalid.Field(path)
	case p.Violation != nil:
		err = p.Violation.Field(path)
	default:
		return field.Forbidden(p.Ref.Path(path), p.String())
	}
	err.Detail = p.String()
	return err
}

// Problems are all reasons why a pod is not admitted.
type Problems []Problem

// Err returns the problems as one error, nil if there are none. It wraps a *Problem for each,
// which is a copy.
func (ps Problems) Err() error {
	errs := make([]*Problem, len(ps))
	for i := range ps {
		errs[i] = ps[i].owned()
	}
	return aggregate.Of(errs)
}

// ErrorList returns the problems by field. See Problem.Field.
func (ps Problems) ErrorList(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range ps {
		errs = append(errs, ps[i].Field(path))
	}
	return errs
}

// owned returns a copy that shares nothing with p.
func (p Problem) owned() *Problem {
	p.Defaults = slices.Clone(p.Defaults)
	for i := range p.Defaults {
		d := &p.Defaults[i]
		d.From, d.To = quantity.Clone(d.From), quantity.Clone(d.To)
	}
	if p.Violation != nil {
		p.Violation = p.Violation.owned()
	}
	if p.Invalid != nil {
		p.Invalid = ownedInvalid(p.Invalid)
	}
	return &p
}

func ownedInvalid(i *computeresources.InvalidResource) *computeresources.InvalidResource {
	own := *i
	own.Amount, own.Against = quantity.Clone(i.Amount), quantity.Clone(i.Against)
	if i.Entry != nil {
		entry := *i.Entry
		own.Entry = &entry
	}
	return &own
}

// Problems returns why the pod is not admitted, with the LimitRange that is responsible and what to
// change: first requests that contradict their limits, then other invalid amounts, both in the
// order of Invalid; then violations. It has one problem for each element of Invalid and Violations,
// and is empty if the pod is admitted. The problems own their memory.
func (a Admission) Problems() Problems {
	var found Problems
	for _, invalid := range a.Invalid {
		if isMismatch(invalid) {
			found = append(found, a.mismatch(invalid))
		}
	}
	for _, invalid := range a.Invalid {
		if !isMismatch(invalid) {
			found = append(found, Problem{Ref: invalid.Ref, Resource: invalid.Resource, What: invalid.Error(), Invalid: ownedInvalid(invalid)})
		}
	}
	for _, v := range a.Violations {
		found = append(found, a.problem(*v))
	}
	return found
}

// isMismatch reports whether it is about a request and its limit.
func isMismatch(i *computeresources.InvalidResource) bool {
	return i.Cause == computeresources.RequestAboveLimit || i.Cause == computeresources.RequestNotLimit
}

// mismatch returns a request above the limit, or one that is not equal to it where it has to
// be, in the light of where they have come from.
func (a Admission) mismatch(i *computeresources.InvalidResource) Problem {
	p := Problem{Ref: i.Ref, Resource: i.Resource, Defaults: a.defaultsOf(i.Ref, i.Resource), Invalid: ownedInvalid(i)}
	request := *i.Amount // since Cmp may convert its receiver
	order, relation := request.Cmp(*i.Against), "is above"
	if order < 0 {
		relation = "is below"
	}
	given := origins(p.Defaults)
	p.What = fmt.Sprintf("%v: %s %s %s", i.Ref, given.request.subject("request", i.Resource, i.Amount), relation, given.limit.object("limit", i.Against))
	p.Remedy = given.remedyOfMismatch(order, resourcename.IsOvercommitAllowed(i.Resource))
	return p
}

// defaultsOf returns what LimitRanges have given to a container of one resource.
func (a Admission) defaultsOf(ref computeresources.Ref, name corev1.ResourceName) []computeresources.Change {
	var of []computeresources.Change
	for _, d := range a.Defaults {
		if d.Ref == ref && d.Resource == name {
			d.To = quantity.Clone(d.To)
			of = append(of, d)
		}
	}
	return of
}

// problem is a violation in the light of where the amounts have come from.
func (a Admission) problem(v Violation) Problem {
	p := v.Diagnosis()
	p.Defaults = a.defaultsOf(v.Ref, v.Resource)
	given := origins(p.Defaults)
	for _, d := range a.Defaulted {
		if d.Ref == v.Ref && d.Resource == v.Resource && d.List == computeresources.Requests {
			given.request.followsLimit = true
		}
	}
	p.What, p.Remedy = v.words(given)
	return p
}
