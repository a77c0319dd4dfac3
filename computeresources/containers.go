package computeresources

import (
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Kind says which part of a pod spec states an amount: one of its containers, or
// the pod itself.
type Kind uint8

const (
	App     Kind = iota // an entry of spec.containers
	Init                // an entry of spec.initContainers that runs to completion
	Sidecar             // an entry of spec.initContainers with restartPolicy Always
	Pod                 // spec.resources
)

// String returns "container", "init container", "sidecar" or "pod", and "unknown"
// for a value that is none of the constants.
func (k Kind) String() string {
	switch k {
	case App:
		return "container"
	case Init:
		return "init container"
	case Sidecar:
		return "sidecar"
	case Pod:
		return "pod"
	}
	return "unknown"
}

// Ref names a part of a pod spec: a container by kind, index in its list and name,
// or the pod itself. The zero value is the first app container, without a name.
type Ref struct {
	Kind  Kind
	Index int    // in spec.containers or spec.initContainers; 0 for the pod
	Name  string // of the container; empty for the pod
}

// String returns the reference in words: `container app`, `init container setup`,
// `sidecar proxy`, `pod`.
func (r Ref) String() string {
	if r.Kind == Pod {
		return r.Kind.String()
	}
	return fmt.Sprintf("%v %s", r.Kind, r.Name)
}

// Path returns where the part stands below the path of its pod spec, as validation
// errors name it: spec.containers[0], spec.initContainers[1], or spec for the pod
// itself. A nil path is spec, where a Pod has it; that of a Deployment is
// field.NewPath("spec", "template", "spec").
func (r Ref) Path(spec *field.Path) *field.Path {
	if spec == nil {
		spec = field.NewPath("spec")
	}
	switch r.Kind {
	case Pod:
		return spec
	case App:
		return spec.Child("containers").Index(r.Index)
	case Init, Sidecar:
		return spec.Child("initContainers").Index(r.Index)
	}
	return spec
}

// Containers yields the init containers and sidecars of a pod spec in the order in
// which they start, then its app containers. Ephemeral containers are left out:
// they cannot state resources. The containers are those of spec, not copies. A nil
// spec has none.
func Containers(spec *corev1.PodSpec) iter.Seq2[Ref, *corev1.Container] {
	return func(yield func(Ref, *corev1.Container) bool) {
		if spec == nil {
			return
		}
		for i := range spec.InitContainers {
			c := &spec.InitContainers[i]
			if !yield(Ref{initKind(c), i, c.Name}, c) {
				return
			}
		}
		for i := range spec.Containers {
			c := &spec.Containers[i]
			if !yield(Ref{App, i, c.Name}, c) {
				return
			}
		}
	}
}

// initKind tells a sidecar from an init container that runs to completion.
func initKind(c *corev1.Container) Kind {
	if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
		return Sidecar
	}
	return Init
}
