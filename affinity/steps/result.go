package steps

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// diff appends the change of an amount of a container to its new value, unless it already has that
// value.
func diff(
	changes []computeresources.Change, ref computeresources.Ref, list computeresources.List,
	name corev1.ResourceName, from, to *resource.Quantity,
) []computeresources.Change {
	if !differ(from, to) {
		return changes
	}
	return append(changes,
		computeresources.Change{Ref: ref, List: list, Resource: name, From: quantity.Clone(from), To: quantity.Clone(to)})
}

// appendReplacements appends the changes that replace the amounts of a container.
func appendReplacements(
	changes []computeresources.Change, ref computeresources.Ref, from, to *corev1.ResourceRequirements,
) []computeresources.Change {
	for _, name := range quantity.Names(from.Requests, from.Limits, to.Requests, to.Limits) {
		for _, list := range [...]computeresources.List{computeresources.Requests, computeresources.Limits} {
			changes = diff(changes, ref, list, name,
				quantity.Find(list.Of(from), name), quantity.Find(list.Of(to), name))
		}
	}
	return changes
}

// cloned returns changes with amounts of their own.
func cloned(changes []computeresources.Change) (own []computeresources.Change) {
	for _, c := range changes {
		c.From, c.To = quantity.Clone(c.From), quantity.Clone(c.To)
		own = append(own, c)
	}
	return own
}

// value returns an amount of a conflict. A nil amount is zero.
func value(bound limitrange.Bound, q *resource.Quantity) limitrange.BoundValue {
	v := limitrange.BoundValue{Bound: bound}
	if q != nil {
		v.Amount = q.DeepCopy()
	}
	return v
}

// conflictOf returns what contradicts each other. Container and resource are for at to fill in.
func conflictOf(cause limitrange.ConflictCause, values ...limitrange.BoundValue) *limitrange.Conflict {
	return &limitrange.Conflict{Cause: cause, Type: corev1.LimitTypeContainer, Values: values}
}

// at returns a conflict for a container and resource, with its own amounts.
func at(c *limitrange.Conflict, ref computeresources.Ref, name corev1.ResourceName) *limitrange.Conflict {
	own := *c
	own.Ref, own.Resource = ref, name
	own.Values = make([]limitrange.BoundValue, len(c.Values))
	for i, v := range c.Values {
		v.Resource, v.Amount = name, v.Amount.DeepCopy()
		if v.Bound == limitrange.Request || v.Bound == limitrange.Limit {
			v.Ref = ref
		} else {
			v.Type = corev1.LimitTypeContainer
		}
		own.Values[i] = v
	}
	return &own
}
