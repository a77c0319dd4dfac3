package solver

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Change is one amount that the solution sets.
type Change struct {
	Ref      computeresources.Ref // the container, or the pod as a whole
	Limit    bool                 // it is a limit, not a request
	Resource corev1.ResourceName
	To       resource.Quantity
	// From is what the spec states, if that is finer than the server stores;
	// otherwise nil.
	From *resource.Quantity
}

// String returns the change as an instruction: "container app: set the cpu request to
// 100m".
func (c Change) String() string {
	field := "request"
	if c.Limit {
		field = "limit"
	}
	if c.From != nil {
		return fmt.Sprintf("%v: round the %s %s from %s up to %s", c.Ref, c.Resource, field, quantity.Text(c.From), quantity.Text(&c.To))
	}
	return fmt.Sprintf("%v: set the %s %s to %s", c.Ref, c.Resource, field, quantity.Text(&c.To))
}

// list returns the list of requirements that the change is about.
func (c Change) list(r *corev1.ResourceRequirements) *corev1.ResourceList {
	if c.Limit {
		return &r.Limits
	}
	return &r.Requests
}

// solutionOf returns the parts of a solved spec, and what differs from the spec that it
// was before.
func solutionOf(spec, solved *corev1.PodSpec) Solution {
	var s Solution
	before := partsOf(spec)
	for i, after := range partsOf(solved) {
		s.Parts = append(s.Parts, Part{Ref: after.ref, Requests: after.requirements.Requests, Limits: after.requirements.Limits})
		s.Changes = append(s.Changes, changes(after.ref, before[i].requirements, after.requirements)...)
	}
	return s
}

func changes(ref computeresources.Ref, before, after *corev1.ResourceRequirements) []Change {
	var all []Change
	for _, name := range quantity.Names(after.Requests, after.Limits) {
		for _, limit := range []bool{false, true} {
			c := Change{Ref: ref, Limit: limit, Resource: name}
			to, set := (*c.list(after))[name]
			from, stated := (*c.list(before))[name]
			if !set || stated && !finer(from) {
				continue
			}
			c.To = to.DeepCopy()
			if stated {
				c.From = quantity.Clone(&from)
			}
			all = append(all, c)
		}
	}
	return all
}

// finer reports whether the server rounds an amount up to a thousandth.
func finer(q resource.Quantity) bool {
	switch size := math.Abs(q.AsApproximateFloat64()); {
	case q.IsZero() || size > 1e19: // an InputError, or of no meaning where it stands
		return false
	case size < 1e-4: // of which one may take forever to write out the zeros
		return true
	default:
		_, exact := quantity.RoundUp(q)
		return !exact
	}
}

// roundUp rounds what the server rounds.
func roundUp(list corev1.ResourceList) {
	for name, q := range list {
		if v, ok := thousandths(q); ok && finer(q) {
			list[name] = quantityOf(name, v)
		}
	}
}
