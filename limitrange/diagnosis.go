package limitrange

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Problem is one reason why a pod is not admitted, for someone who has to change it.
type Problem struct {
	// Ref is the container that it is about, or the pod itself. Resource is empty if the
	// problem is an error of the API server that is not about a request and its limit.
	Ref      computeresources.Ref
	Resource corev1.ResourceName
	// What is wrong, and the Remedy, in words. There may be no remedy.
	What, Remedy string
	// Defaults are those of LimitRanges that take part in it, at most a request and a
	// limit: what the pod's author has not written.
	Defaults []computeresources.Change
	// Violation is the bound that is broken, or else Invalid what the API server says
	// about the pod.
	Violation *Violation
	Invalid   *field.Error
}

// String returns the problem in words: "container app: request cpu 2 is above the default
// limit 1 from LimitRange team-defaults: set a limit or lower the request".
func (p Problem) String() string {
	if p.Remedy == "" {
		return p.What
	}
	return p.What + ": " + p.Remedy
}

// Problems returns why the pod is not admitted, in words that say what to change and which
// LimitRange is behind it: first requests that do not fit their limits, by container and
// resource; then whatever else is invalid; then violations. It is empty if the pod is
// admitted, and otherwise has one problem for each of Invalid and Violations. An error of
// Invalid that computeresources.Validate does not return for Spec is about the pod. The
// problems own all they hold.
func (a Admission) Problems() []Problem {
	var found []Problem
	for ref, c := range computeresources.Containers(a.Spec) {
		found = a.appendMismatches(found, ref, &c.Resources)
	}
	if a.Spec != nil && a.Spec.Resources != nil {
		found = a.appendMismatches(found, computeresources.Ref{Kind: computeresources.Pod}, a.Spec.Resources)
	}
	parts := a.parts()
	for _, err := range a.Invalid {
		if !isMismatch(err) {
			ref, known := parts[err.Field]
			if !known {
				ref.Kind = computeresources.Pod
			}
			invalid := *err
			found = append(found, Problem{Ref: ref, What: err.Error(), Invalid: &invalid})
		}
	}
	for _, v := range a.Violations {
		found = append(found, a.problem(v))
	}
	return found
}

// parts returns which part of the pod an error of Invalid is about, by its field.
func (a Admission) parts() map[string]computeresources.Ref {
	if len(a.Invalid) == 0 {
		return nil
	}
	parts := map[string]computeresources.Ref{}
	for _, invalid := range computeresources.Validate(a.Spec, computeresources.ValidateOptions{}) {
		parts[invalid.Field(nil).Field] = invalid.Ref
	}
	return parts
}

// isMismatch tells the errors about a request and its limit, which stand at the list of
// requests, from those about one entry.
func isMismatch(err *field.Error) bool { return strings.HasSuffix(err.Field, ".resources.requests") }

// appendMismatches finds requests above the limit, and those that are not equal to it where
// they have to be.
func (a Admission) appendMismatches(found []Problem, ref computeresources.Ref, r *corev1.ResourceRequirements) []Problem {
	for _, name := range quantity.Names(r.Requests) {
		request, limit := quantity.Find(r.Requests, name), quantity.Find(r.Limits, name)
		if limit == nil {
			continue
		}
		order := request.Cmp(*limit)
		if order <= 0 && (order == 0 || resourcelist.IsOvercommitAllowed(name)) {
			continue
		}
		p := Problem{Ref: ref, Resource: name, Defaults: a.defaultsOf(ref, name), Invalid: a.mismatch(ref, *request, name)}
		relation := "is above"
		if order < 0 {
			relation = "is below"
		}
		given := origins(p.Defaults)
		p.What = fmt.Sprintf("%v: %s %s %s", ref, given.request.subject("request", name, request), relation, given.limit.object("limit", limit))
		p.Remedy = given.remedyOfMismatch(order, resourcelist.IsOvercommitAllowed(name))
		found = append(found, p)
	}
	return found
}

// mismatch returns the error of the server about a request and its limit.
func (a Admission) mismatch(ref computeresources.Ref, request resource.Quantity, name corev1.ResourceName) *field.Error {
	path := ref.Path(nil).Child("resources", "requests").String()
	for _, err := range a.Invalid {
		if err.Field == path && err.BadValue == request.String() && strings.Contains(err.Detail, " "+string(name)+" ") {
			clone := *err
			return &clone
		}
	}
	return nil
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
