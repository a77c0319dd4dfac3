package steps

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Change is one amount of a container that is to be set, changed or removed.
type Change struct {
	Ref      computeresources.Ref // the container
	Limit    bool                 // its limit, not its request
	Resource corev1.ResourceName
	From     *resource.Quantity // what it states now; nil if nothing
	To       *resource.Quantity // what it should state; nil if nothing
}

// String returns the change in words: "container step-a: request cpu 200m becomes 300m".
func (c Change) String() string {
	what := "request"
	if c.Limit {
		what = "limit"
	}
	switch from, to := quantity.Text(c.From), quantity.Text(c.To); {
	case c.To == nil:
		return fmt.Sprintf("%v: %s %s %s removed", c.Ref, what, c.Resource, from)
	case c.From == nil:
		return fmt.Sprintf("%v: %s %s %s", c.Ref, what, c.Resource, to)
	default:
		return fmt.Sprintf("%v: %s %s %s becomes %s", c.Ref, what, c.Resource, from, to)
	}
}

// ApplyChanges writes changes into spec, in their order, whatever it states now. The
// amounts written are spec's own. If a change names a container that spec does not have
// at that index by that name, then nothing is written, and the error says which.
func ApplyChanges(spec *corev1.PodSpec, changes []Change) error {
	for _, c := range changes {
		if container(spec, c.Ref) == nil {
			return fmt.Errorf("steps: %v, at index %d, is not in the pod spec", c.Ref, c.Ref.Index)
		}
	}
	for _, c := range changes {
		r := &container(spec, c.Ref).Resources
		list := &r.Requests
		if c.Limit {
			list = &r.Limits
		}
		put(list, c.Resource, c.To)
	}
	return nil
}

// container returns the container that ref names, or nil.
func container(spec *corev1.PodSpec, ref computeresources.Ref) *corev1.Container {
	if spec == nil {
		return nil
	}
	var list []corev1.Container
	switch ref.Kind {
	case computeresources.App:
		list = spec.Containers
	case computeresources.Init, computeresources.Sidecar:
		list = spec.InitContainers
	case computeresources.Pod: // is no container
	}
	if ref.Index < 0 || ref.Index >= len(list) || list[ref.Index].Name != ref.Name {
		return nil
	}
	return &list[ref.Index]
}

// put sets an amount of a list, or removes it if q is nil.
func put(list *corev1.ResourceList, name corev1.ResourceName, q *resource.Quantity) {
	if q == nil {
		delete(*list, name)
		return
	}
	quantity.Set(list, name, *q)
}

// diff appends the change that brings an amount of a container to what it should be,
// unless it is that already.
func diff(changes []Change, ref computeresources.Ref, limit bool, name corev1.ResourceName, from, to *resource.Quantity) []Change {
	if !differ(from, to) {
		return changes
	}
	return append(changes, Change{Ref: ref, Limit: limit, Resource: name, From: quantity.Clone(from), To: quantity.Clone(to)})
}
