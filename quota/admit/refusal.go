package admit

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// Refusal is one reason why an object is not admitted. A *Refusal is an error.
type Refusal struct {
	// Ref is the container that it is about, or the pod for its pod-level resources and its
	// sums. It is zero where it is about the whole object, as for quotas and claims.
	Ref computeresources.Ref
	// Resource is what it is about, empty if there are several.
	Resource corev1.ResourceName
	// Path is the field of the object that has to change, such as
	// spec.template.spec.containers[0].resources.limits[cpu] of a Deployment.
	Path string
	// Source is the LimitRange or ResourceQuota that objects, and where in it; or the LimitRange
	// whose default makes the object invalid. It is zero if the API server itself objects to what
	// the object sets.
	Source computeresources.Source
	// What is wrong, and the Remedy, one sentence each without the stop.
	What, Remedy string
	// Defaults are those of LimitRanges that take part in it, which the author of the object has
	// not written.
	Defaults []computeresources.Change

	// Exactly one of these says what the API server objects to, in its own words: the error of
	// its validation, the bound of a LimitRange, or what a quota lacks.

	Invalid   *field.Error
	Violation *limitrange.Violation
	Failure   *quota.Failure

	// Amount and Resize have the cause of what is Invalid of a pod and of a resize, and otherwise
	// are nil.

	Amount *computeresources.InvalidResource
	Resize *computeresources.ResizeProblem
}

// String returns the problem in words: "container app: request cpu 50m is below the minimum 100m
// of LimitRange shop/bounds: raise the request".
func (p Refusal) String() string {
	if p.Remedy == "" {
		return p.What
	}
	return p.What + ": " + p.Remedy
}

// Error returns what String returns.
func (p *Refusal) Error() string { return p.String() }

// Field returns the problem as an error at its Path, or at path if that is not nil. The detail is
// what String returns.
func (p *Refusal) Field(path *field.Path) *field.Error {
	err := &field.Error{Type: field.ErrorTypeForbidden, Field: p.Path, BadValue: "", Detail: p.String()}
	switch {
	case p.Invalid != nil:
		err.Type, err.BadValue = p.Invalid.Type, p.Invalid.BadValue
	case p.Violation != nil:
		of := p.Violation.Field(nil)
		err.Type, err.BadValue = of.Type, of.BadValue
	}
	if path != nil {
		err.Field = path.String()
	}
	return err
}

// Refusals are all reasons why an object is not admitted, in the order of the API server.
type Refusals []Refusal

// Err returns the problems as one error in words for the author of the object, nil if there are
// none: an aggregate of a *Refusal for each, which is a copy. See Decision.Err for the answer of
// the API server.
func (ps Refusals) Err() error {
	errs := make([]*Refusal, len(ps))
	for i, p := range ps.owned() {
		errs[i] = &p
	}
	return aggregate.Of(errs)
}

// ErrorList returns the problems by field: see Refusal.Field.
func (ps Refusals) ErrorList(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range ps {
		errs = append(errs, ps[i].Field(path))
	}
	return errs
}

// owned returns copies that share nothing with ps.
func (ps Refusals) owned() Refusals {
	list := slices.Clone(ps)
	for i := range list {
		list[i] = ps[i].owned()
	}
	return list
}

// owned returns a copy that shares nothing with p.
func (p *Refusal) owned() Refusal {
	own := *p
	own.Defaults = slices.Clone(p.Defaults)
	for i := range own.Defaults {
		d := &own.Defaults[i]
		d.From, d.To = quantity.Clone(d.From), quantity.Clone(d.To)
	}
	if p.Invalid != nil {
		invalid := *p.Invalid
		own.Invalid = &invalid
	}
	if p.Amount != nil {
		i := *p.Amount
		i.Amount, i.Against = quantity.Clone(i.Amount), quantity.Clone(i.Against)
		own.Amount = &i
	}
	if p.Resize != nil {
		r := *p.Resize
		own.Resize = &r
	}
	if p.Violation != nil {
		v := *p.Violation
		v.Enforced, v.Request, v.Limit = v.Enforced.DeepCopy(), quantity.Clone(v.Request), quantity.Clone(v.Limit)
		own.Violation = &v
	}
	if p.Failure != nil {
		errors.As(quota.Failures{*p.Failure}.Err(), &own.Failure)
	}
	return own
}
