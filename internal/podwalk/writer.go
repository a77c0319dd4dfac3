package podwalk

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Writer writes requests and limits into a pod spec. The spec may share memory with others, such as
// the template that it is a copy of, and its containers may share lists with each other and with a
// configuration. Writer therefore replaces the lists, slices of containers and pod-level resources
// that it changes by copies, each once. It copies nothing that does not change.
//
// While a Writer is in use, nothing else replaces the containers of its spec.
type Writer struct {
	Spec *corev1.PodSpec

	inits, apps, podLevel bool   // whether it has copied them
	lists                 []bool // whether it has copied them: requests and limits of each container, and of the pod
}

// Set sets an amount of container i, as Of counts them. If i is the number of containers, it sets a
// pod-level amount, with new pod-level resources if the spec has none. The amount is copied.
func (w *Writer) Set(i int, list List, name corev1.ResourceName, amount resource.Quantity) {
	amount = amount.DeepCopy() // which never equals one with a decimal
	if old, set := list.Of(w.resources(i))[name]; !set || old != amount {
		quantity.Set(w.own(i, list), name, amount)
	}
}

// Delete removes an amount. The parameters are those of Set.
func (w *Writer) Delete(i int, list List, name corev1.ResourceName) {
	if _, set := list.Of(w.resources(i))[name]; set {
		delete(*w.own(i, list), name)
	}
}

// RoundUp rounds all amounts of the spec, overhead included, with quantity.RoundUp.
func (w *Writer) RoundUp() {
	for i := range Of(w.Spec).Len() + 1 {
		for _, list := range [...]List{Requests, Limits} {
			if !quantity.AreRounded(list.Of(w.resources(i))) {
				quantity.RoundUpAll(*w.own(i, list))
			}
		}
	}
	if !quantity.AreRounded(w.Spec.Overhead) {
		w.Spec.Overhead = maps.Clone(w.Spec.Overhead)
		quantity.RoundUpAll(w.Spec.Overhead)
	}
}

// resources returns the resources of a container or of the pod, which are nil for a pod without
// pod-level resources.
func (w *Writer) resources(i int) *corev1.ResourceRequirements {
	cs := Of(w.Spec)
	if i == cs.Len() {
		return w.Spec.Resources
	}
	_, c := cs.At(i)
	return &c.Resources
}

// own returns a list that only the spec refers to.
func (w *Writer) own(i int, list List) *corev1.ResourceList {
	w.ownPart(i)
	if w.lists == nil {
		w.lists = make([]bool, 2*(Of(w.Spec).Len()+1))
	}
	at, copied := list.in(w.resources(i)), &w.lists[2*i+int(list-Requests)]
	if !*copied {
		*at, *copied = maps.Clone(*at), true
	}
	return at
}

// ownPart makes the slice of a container, or the pod-level resources, those of the spec only.
func (w *Writer) ownPart(i int) {
	inits, containers := len(w.Spec.InitContainers), Of(w.Spec).Len()
	switch {
	case i < inits && !w.inits:
		w.Spec.InitContainers, w.inits = slices.Clone(w.Spec.InitContainers), true
	case i >= inits && i < containers && !w.apps:
		w.Spec.Containers, w.apps = slices.Clone(w.Spec.Containers), true
	case i == containers && !w.podLevel:
		var own corev1.ResourceRequirements
		if w.Spec.Resources != nil {
			own = *w.Spec.Resources
		}
		w.Spec.Resources, w.podLevel = &own, true
	}
}
