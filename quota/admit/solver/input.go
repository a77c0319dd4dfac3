package solver

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// Input is what a pod has to satisfy besides its own spec. Lists in it are only read,
// and their order changes nothing. The zero value asks for nothing.
type Input struct {
	// Items are those of all LimitRanges of the namespace.
	Items []RangeItem
	// IgnorePodLevel leaves spec.resources out, as a cluster without PodLevelResources
	// (KEP-2837) does. The solution then has no pod level.
	IgnorePodLevel bool
	// Budgets are what is left of the ResourceQuotas that match the pod. Whether one
	// matches is the caller's to find out.
	Budgets []Budget
}

// RangeItem is one item of a LimitRange. Items of type Container and Pod count. Those of type
// PersistentVolumeClaim do not concern pods and are passed over; any other type is an
// InputError.
type RangeItem struct {
	Source computeresources.Source // names the object in answers
	Item   corev1.LimitRangeItem
}

// Budget is what is left of one ResourceQuota, under the names that the quota has for it:
// cpu or requests.cpu, limits.cpu, requests.nvidia.com/gpu, pods. Names under which a pod
// costs nothing, such as services, are passed over. Less than nothing is left where usage
// is above a quota that was lowered: as on a server, what costs nothing still fits.
type Budget struct {
	Source    computeresources.Source // names the object in answers
	Remaining corev1.ResourceList
}

// InputError is returned for input that no answer can be computed from.
type InputError struct {
	Source computeresources.Source // the object; zero for the pod
	Ref    computeresources.Ref    // the part of the pod; zero for an object
	Field  string                  // below it, such as `max[cpu]` or `type`
	Value  string                  // the type that is unknown; empty where the value is too large
}

const typeField = "type"

// Error names object, field and value.
func (e *InputError) Error() string {
	object := e.Source.String()
	if e.Ref != (computeresources.Ref{}) {
		object = e.Ref.String()
	}
	if e.Field != typeField {
		return fmt.Sprintf("%s: %s is beyond 9223372036854775807, the largest amount that Kubernetes compares", object, e.Field)
	}
	return fmt.Sprintf("%s: %s %q is not Container, Pod or PersistentVolumeClaim", object, e.Field, e.Value)
}

// checkTypes returns an error for the first type, in the order of sources, that is none of
// a LimitRange.
func checkTypes(bounds []RangeItem) error {
	var first *InputError
	for i := range bounds {
		b := &bounds[i]
		switch b.Item.Type {
		case corev1.LimitTypeContainer, corev1.LimitTypePod, corev1.LimitTypePersistentVolumeClaim:
			continue
		}
		e := &InputError{Source: b.Source, Field: typeField, Value: string(b.Item.Type)}
		if first == nil || cmp.Or(e.Source.Compare(first.Source), cmp.Compare(e.Value, first.Value)) < 0 {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return first
}
