package limitrange

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ApplyDefaults sets missing requests and limits of containers, init containers and sidecars to the
// defaults of the LimitRanges, as the LimitRanger does, and returns what it has set: for app
// containers in their order, then for init containers and sidecars; requests before limits; sorted
// by resource. An amount of zero is not missing. Pod-level resources are never set.
//
// On the server, computeresources.ApplyRequestDefaults comes first, so a container with a limit has
// a request. Applying the defaults again changes nothing. Spec and the result share no memory. For
// a nil spec, the result is nil.
//
// If nothing is missing, the result is nil, and the cost is one lookup for each container and
// default, without allocation.
//
// Source: PodMutateLimitFunc of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func (p *Policy) ApplyDefaults(spec *corev1.PodSpec) []computeresources.Change {
	if p == nil || !p.lacksDefaults(spec) {
		return nil
	}
	var ofInits, ofApps []computeresources.Change
	for ref, c := range computeresources.Containers(spec) {
		switch ref.Kind {
		case computeresources.Init, computeresources.Sidecar:
			ofInits = p.appendMissing(ofInits, ref, &c.Resources)
		case computeresources.App:
			ofApps = p.appendMissing(ofApps, ref, &c.Resources)
		case computeresources.Pod: // is not a container
		}
	}
	set := append(ofApps, ofInits...)
	_ = computeresources.ApplyChanges(spec, set) // spec has all of these containers
	return set
}

// lacksDefaults reports whether a container lacks an amount that there is a default for.
func (p *Policy) lacksDefaults(spec *corev1.PodSpec) bool {
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		_, c := cs.At(i)
		if lacks(c.Resources.Requests, p.requests) || lacks(c.Resources.Limits, p.limits) {
			return true
		}
	}
	return false
}

func lacks(list corev1.ResourceList, defaults []BoundValue) bool {
	for i := range defaults {
		if _, set := list[defaults[i].Resource]; !set {
			return true
		}
	}
	return false
}

// appendMissing appends the changes that set the amounts that a container lacks to their defaults.
func (p *Policy) appendMissing(set []computeresources.Change, ref computeresources.Ref, r *corev1.ResourceRequirements) []computeresources.Change {
	set = appendMissingOf(set, ref, computeresources.Requests, r.Requests, p.requests)
	return appendMissingOf(set, ref, computeresources.Limits, r.Limits, p.limits)
}

func appendMissingOf(set []computeresources.Change, ref computeresources.Ref, of computeresources.List, list corev1.ResourceList, defaults []BoundValue) []computeresources.Change {
	for i := range defaults {
		d := &defaults[i]
		if _, stated := list[d.Resource]; stated {
			continue
		}
		set = append(set, computeresources.Change{Ref: ref, List: of, Resource: d.Resource, To: quantity.Clone(&d.Amount), Source: d.Source})
	}
	return set
}

// AnnotationKey is the annotation in which the LimitRanger records what it has set.
const AnnotationKey = "kubernetes.io/limit-ranger"

// Annotation returns the value of the LimitRanger's annotation for these defaults, in the order of
// ApplyDefaults: "LimitRanger plugin set: cpu, memory request for container app; cpu limit for init
// container setup". It is empty if nothing was set.
//
// Each LimitRange that sets a default overwrites the annotation, so it contains the defaults of the
// last one only, as on the server.
func Annotation(set []computeresources.Change) string {
	if len(set) == 0 {
		return ""
	}
	last := set[0].Source
	for _, d := range set {
		if ordering.Sources(last, d.Source) < 0 {
			last = d.Source
		}
	}
	var notes []string
	var names []string // of the container and list at hand
	var previous computeresources.Change
	for _, d := range set {
		if !ofOneObject(d.Source, last) {
			continue
		}
		if names != nil && (d.Ref != previous.Ref || d.List != previous.List) {
			notes = append(notes, note(names, previous))
			names = nil
		}
		names, previous = append(names, string(d.Resource)), d
	}
	notes = append(notes, note(names, previous))
	return "LimitRanger plugin set: " + strings.Join(notes, "; ")
}

// note returns one part of the annotation: resources of one list in a container.
func note(names []string, d computeresources.Change) string {
	return fmt.Sprintf("%s %v for %s %s", strings.Join(names, ", "), d.List, noteKind(d.Ref.Kind), d.Ref.Name)
}

// noteKind returns what the annotation calls a kind of container.
func noteKind(kind computeresources.Kind) string {
	switch kind {
	case computeresources.App:
		return "container"
	case computeresources.Init, computeresources.Sidecar:
		return "init container"
	case computeresources.Pod: // has no defaults
	}
	return kind.String()
}
