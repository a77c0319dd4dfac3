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
// A default limit acts as a maximum for a container that sets only a request: a request above it makes the pod invalid.
//
// On the server, computeresources.ApplyRequestDefaults comes first, so a container with a limit has
// a request, and ApplyPodLevelDefaults afterwards. Applying the defaults again changes nothing. Spec and
// the result share no memory. For a nil spec, the result is nil.
//
// If nothing is missing, the result is nil, and the cost is one lookup for each container and
// default, without allocation.
//
// Source: PodMutateLimitFunc of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func (p *Policy) ApplyDefaults(spec *corev1.PodSpec) []computeresources.Change {
	if p == nil || !p.lacksDefaults(spec) {
		return nil
	}
	w := podwalk.Writer{Spec: spec}
	var ofApps, ofInits []computeresources.Change
	i := 0
	for ref, c := range computeresources.Containers(spec) {
		set := &ofApps
		switch ref.Kind {
		case computeresources.Init, computeresources.Sidecar:
			set = &ofInits
		case computeresources.App, computeresources.Pod: // the pod is not a container
		}
		*set = appendMissing(*set, &w, i, podwalk.Requests, ref, c.Resources.Requests, p.requests)
		*set = appendMissing(*set, &w, i, podwalk.Limits, ref, c.Resources.Limits, p.limits)
		i++
	}
	return append(ofApps, ofInits...)
}

// lacksDefaults reports whether a container lacks an amount that there is a default for.
func (p *Policy) lacksDefaults(spec *corev1.PodSpec) bool {
	lacks := func(list corev1.ResourceList, defaults []BoundValue) bool {
		for i := range defaults {
			if _, set := list[defaults[i].Resource]; !set {
				return true
			}
		}
		return false
	}
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		_, c := cs.At(i)
		if lacks(c.Resources.Requests, p.requests) || lacks(c.Resources.Limits, p.limits) {
			return true
		}
	}
	return false
}

// appendMissing sets the amounts that a list of container i lacks to their defaults, and appends the changes.
func appendMissing(
	set []computeresources.Change, w *podwalk.Writer, i int, of podwalk.List, ref computeresources.Ref,
	list corev1.ResourceList, defaults []BoundValue,
) []computeresources.Change {
	for j := range defaults {
		d := &defaults[j]
		if _, stated := list[d.Resource]; stated {
			continue
		}
		w.Set(i, of, d.Resource, d.Amount)
		set = append(set, computeresources.Change{Ref: ref, List: computeresources.List(of), Resource: d.Resource,
			To: quantity.Clone(&d.Amount), Source: d.Source})
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
