package computeresources

import (
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/enum"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// Kind is the part of a pod spec that an amount is set for: a kind of container, or the pod itself.
// The zero value is unspecified.
type Kind uint8

const (
	App     Kind = iota + 1 // an entry of spec.containers
	Init                    // an entry of spec.initContainers that runs to completion
	Sidecar                 // an entry of spec.initContainers with restartPolicy Always
	Pod                     // spec.resources
)

// String returns "container", "init container", "sidecar" or "pod"; "unspecified" for the
// zero value, and "unknown" for any other value.
func (k Kind) String() string {
	switch k {
	case 0:
		return "unspecified"
	case App:
		return "container"
	case Init:
		return "init container"
	case Sidecar:
		return "sidecar"
	case Pod:
		return "pod"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (k Kind) MarshalText() ([]byte, error) { return enum.Marshal(k) }

// UnmarshalText sets k to the kind of that name. An unknown name is an error.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Unmarshal(k, text, Pod) }

// Ref identifies a part of a pod spec: a container, or the pod itself. A name alone identifies a container, and so
// do a kind and an index without a name; see In. Functions return all three. The zero value refers to no part.
type Ref struct {
	Kind  Kind   `json:"kind"`
	Index int    `json:"index"`          // in spec.containers or spec.initContainers; 0 for the pod
	Name  string `json:"name,omitempty"` // of the container; empty for the pod
}

// String returns the reference in words: `container app`, `init container setup`,
// `sidecar proxy`, `pod`; `container dbg` if only the name is set, and `unspecified` for the zero value.
func (r Ref) String() string {
	switch r.Kind {
	case App, Init, Sidecar:
		return fmt.Sprintf("%v %s", r.Kind, r.Name)
	case Pod:
	}
	if r.Kind == 0 && r.Name != "" {
		return "container " + r.Name
	}
	return r.Kind.String()
}

// Path returns the field path of the part, as in validation errors: spec.containers[0],
// spec.initContainers[1], or spec for the pod itself and for the zero value. The argument is the
// path of the pod spec. Nil means spec, as in a Pod; for a Deployment, pass field.NewPath("spec",
// "template", "spec").
func (r Ref) Path(spec *field.Path) *field.Path {
	if spec == nil {
		spec = field.NewPath("spec")
	}
	if list := r.Kind.list(); list != "" {
		return spec.Child(list).Index(r.Index)
	}
	return spec
}

// list returns the list of a pod spec that containers of a kind are entries of, and nothing for
// the pod.
func (k Kind) list() string {
	switch k {
	case App:
		return appList
	case Init, Sidecar:
		return initList
	case Pod:
	}
	return ""
}

const appList, initList = "containers", "initContainers"

// Resources returns the requests and limits of the part in a pod spec, not a copy. They are
// nil if spec has no such container (see In), or no pod-level resources.
func (r Ref) Resources(spec *corev1.PodSpec) *corev1.ResourceRequirements {
	r, found := r.In(spec)
	if !found {
		return nil
	}
	switch r.Kind {
	case App:
		return &spec.Containers[r.Index].Resources
	case Init, Sidecar:
		return &spec.InitContainers[r.Index].Resources
	case Pod:
		return spec.Resources
	}
	return nil
}

// In returns the part of spec that r refers to, with its kind, index and name, and whether there is one. If r has a
// name, that identifies the container, in the list of its kind if r has one; its index only tells containers of the
// same name apart, of which the first counts otherwise. Without a name, its kind and index do. A nil spec has no
// parts.
func (r Ref) In(spec *corev1.PodSpec) (part Ref, found bool) {
	if r.Kind == Pod {
		return Ref{Kind: Pod}, spec != nil
	}
	for ref := range Containers(spec) {
		isOther := r.Kind != 0 && r.Kind.list() != ref.Kind.list() || r.Name != "" && r.Name != ref.Name
		switch {
		case isOther:
		case r.Kind != 0 && r.Index == ref.Index:
			return ref, true
		case r.Name != "" && !found:
			part, found = ref, true
		}
	}
	return part, found
}

// position returns the index of the part among all containers of a spec, as podwalk.Of counts them, and
// their number for the pod.
func (r Ref) position(spec *corev1.PodSpec) int {
	switch r.Kind.list() {
	case appList:
		return len(spec.InitContainers) + r.Index
	case initList:
		return r.Index
	}
	return podwalk.Of(spec).Len()
}

// Containers yields the init containers and sidecars of a pod spec in the order in which they
// start, then its app containers. Ephemeral containers are not included, because they cannot set
// resources. The containers are those of spec, not copies. A nil spec has none. ApplyX functions
// replace containers that they change, so containers that were yielded before keep their amounts.
func Containers(spec *corev1.PodSpec) iter.Seq2[Ref, *corev1.Container] {
	return func(yield func(Ref, *corev1.Container) bool) {
		cs := podwalk.Of(spec)
		for i := range cs.Len() {
			kind, c := cs.At(i)
			if !yield(Ref{Kind(kind), cs.Index(i), c.Name}, c) {
				return
			}
		}
	}
}
