package solver

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// solutionOf returns the parts of a solved spec, and what differs from the spec that it
// was before.
func solutionOf(spec, solved *corev1.PodSpec) Solution {
	var s Solution
	before := requirementsOf(spec)
	for i, after := range requirementsOf(solved) {
		s.Parts = append(s.Parts, Part{Ref: after.ref, Requests: after.requirements.Requests,
			Limits: after.requirements.Limits})
		s.Changes = append(s.Changes, changes(after.ref, before[i].requirements, after.requirements)...)
	}
	return s
}

// changes returns what after sets that before does not, and what the server rounds.
func changes(ref computeresources.Ref, before, after *corev1.ResourceRequirements) []computeresources.Change {
	var all []computeresources.Change
	for _, name := range quantity.Names(after.Requests, after.Limits) {
		for _, list := range [...]computeresources.List{computeresources.Requests, computeresources.Limits} {
			from, to := quantity.Find(list.Of(before), name), quantity.Find(list.Of(after), name)
			if to == nil || from != nil && !isRoundedByServer(*from) {
				continue
			}
			all = append(all, computeresources.Change{Ref: ref, List: list, Resource: name, From: quantity.Clone(from),
				To: quantity.Clone(to)})
		}
	}
	return all
}

// isRoundedByServer reports whether the server rounds an amount up to a milli-unit.
func isRoundedByServer(q resource.Quantity) bool {
	size := math.Abs(q.AsApproximateFloat64())
	switch {
	case q.IsZero() || size > 1e19: // an error, or not used in this field
		return false
	case size < 1e-4: // whose zeros may take very long to write out
		return true
	default:
		_, exact := quantity.RoundUp(q)
		return !exact
	}
}

// roundUp rounds what the server rounds.
func roundUp(list corev1.ResourceList) {
	for name, q := range list {
		if v, ok := milliUnits(q); ok && isRoundedByServer(q) {
			list[name] = quantityOf(name, v)
		}
	}
}
