package computeresources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Change is one amount of a pod that was set, or has to be set.
type Change struct {
	Ref      Ref                 `json:"ref"`
	List     List                `json:"list"`
	Resource corev1.ResourceName `json:"resource"`
	From     *resource.Quantity  `json:"from,omitempty"`  // nil if it was not set
	To       *resource.Quantity  `json:"to,omitempty"`    // nil if it is removed
	Source   Source              `json:"source,omitzero"` // the object that requires it; zero for the pod itself
}

// String returns the change as an instruction: "container app: set the cpu request to 100m",
// "sidecar proxy: change the cpu request from 100m to 200m", "pod: remove the memory limit
// 1Gi". The source follows in parentheses, if there is one.
func (c Change) String() string {
	var text string
	switch {
	case c.To == nil:
		text = fmt.Sprintf("%v: remove the %s %v %s", c.Ref, c.Resource, c.List, quantity.Text(c.From))
	case c.From == nil:
		text = fmt.Sprintf("%v: set the %s %v to %s", c.Ref, c.Resource, c.List, quantity.Text(c.To))
	default:
		text = fmt.Sprintf("%v: change the %s %v from %s to %s", c.Ref, c.Resource, c.List, quantity.Text(c.From),
			quantity.Text(c.To))
	}
	if c.Source != (Source{}) {
		text += fmt.Sprintf(" (%v)", c.Source)
	}
	return text
}

// ApplyChanges writes changes into spec, in their order. From is not compared with the current
// amounts. Spec does not share memory with the changes. Lists are copied before they are changed,
// so a change of one container is not one of others that have the same list. A change whose Ref is not in spec (see
// Ref.In), or whose List is unspecified, is an error that names it; then nothing is written.
//
// ApplyRequestDefaults, qos.GuaranteedChanges, steps.Fill and other functions return changes.
func ApplyChanges(spec *corev1.PodSpec, changes []Change) error {
	for i := range changes {
		c := &changes[i]
		if _, found := c.Ref.In(spec); !found {
			return fmt.Errorf("%v: index %d: not in the pod spec", *c, c.Ref.Index)
		}
		if _, ok := c.List.internal(); !ok {
			return fmt.Errorf("%v: index %d: neither a request nor a limit", *c, c.Ref.Index)
		}
	}
	w := podwalk.Writer{Spec: spec}
	for i := range changes {
		changes[i].apply(&w)
	}
	return nil
}

// apply writes a change into a spec that has its part.
func (c *Change) apply(w *podwalk.Writer) {
	part, _ := c.Ref.In(w.Spec)
	at, list := part.position(w.Spec), podwalk.List(c.List)
	if c.To == nil {
		w.Delete(at, list, c.Resource)
	} else {
		w.Set(at, list, c.Resource, *c.To)
	}
}
