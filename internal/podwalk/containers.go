package podwalk

import (
	corev1 "k8s.io/api/core/v1"
)

// Kind is a kind of container, by the number that it has in package computeresources. Code that distinguishes
// kinds uses a switch with a case for each of them, so that the linter finds it when a kind is added.
type Kind uint8

const (
	App     Kind = iota + 1 // an entry of spec.containers
	Init                    // an entry of spec.initContainers that runs to completion
	Sidecar                 // an entry of spec.initContainers with restartPolicy Always
)

// initKind returns the kind of an entry of spec.initContainers.
func initKind(c *corev1.Container) Kind {
	if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
		return Sidecar
	}
	return Init
}

// RunsBesideApps reports whether containers of a kind run at the same time as the app
// containers.
func (k Kind) RunsBesideApps() bool {
	switch k {
	case App, Sidecar:
		return true
	case Init:
		return false
	}
	return false
}

// Containers are the containers of a pod spec, in the order in which they start: init containers
// and sidecars as they are listed, then app containers. Ephemeral containers are not included,
// because they cannot set resources.
type Containers struct{ init, app []corev1.Container }

// Of returns the containers of a pod spec. A nil spec has none.
func Of(spec *corev1.PodSpec) Containers {
	if spec == nil {
		return Containers{}
	}
	return Containers{spec.InitContainers, spec.Containers}
}

// Len returns the number of containers.
func (cs Containers) Len() int { return len(cs.init) + len(cs.app) }

// At returns container i, from 0 to Len()-1. It is that of the pod spec, not a copy.
func (cs Containers) At(i int) (Kind, *corev1.Container) {
	if i < len(cs.init) {
		c := &cs.init[i]
		return initKind(c), c
	}
	return App, &cs.app[i-len(cs.init)]
}

// Index returns the index of container i in the list of the pod spec that it is an entry
// of.
func (cs Containers) Index(i int) int {
	if i < len(cs.init) {
		return i
	}
	return i - len(cs.init)
}

// AppsFirst returns the container that is number i if app containers come before init
// containers and sidecars. That is the order in which the API server sets defaults, and in
// which component-helpers adds up.
func (cs Containers) AppsFirst(i int) int {
	if i < len(cs.app) {
		return i + len(cs.init)
	}
	return i - len(cs.app)
}

// IsSidecar reports whether a container is the sidecar with its name in the pod spec. It is false
// for nil.
func (cs Containers) IsSidecar(c *corev1.Container) bool {
	if c == nil {
		return false
	}
	switch initKind(c) {
	case App, Init:
		return false
	case Sidecar:
		for i := range cs.init {
			if cs.init[i].Name == c.Name {
				return true
			}
		}
	}
	return false
}
