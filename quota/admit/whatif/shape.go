package whatif

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// shapeOf returns what determines where a pod may be.
func (d *draft) shapeOf(pod *corev1.Pod) *places.Shape { return d.places.ShapeOf(pod, d.around) }

// reshape looks again at what pods that wait ask for, after an object has changed that decides about it.
func (d *draft) reshape(kind string) {
	if kind != "Namespace" && kind != "Service" {
		d.places.ForgetShape()
		return
	}
	if d.reshapeIf(func(*pod) bool { return true }) {
		d.places.Free()
	}
}

// reshapeIf looks again at what some of the pods that wait ask for, and reports whether there are any.
func (d *draft) reshapeIf(isConcerned func(p *pod) bool) (found bool) {
	d.places.ForgetShape()
	for _, p := range d.waiting() {
		if !isConcerned(p) {
			continue
		}
		own := *p
		own.Shape = d.shapeOf(own.Object)
		d.places.Remove(&p.Pod)
		d.places.Add(&own.Pod)
		d.space(own.Namespace).pods.Set(own.Name, &own)
		found = true
	}
	return found
}

// around returns what decides about a pod in addition to nodes and pods.
func (d *draft) around(pod *corev1.Pod) placement.Around {
	around := placement.Around{Namespaces: map[string]map[string]string{},
		Rules: release.Rules(d.opts.Admission.Kubernetes), Profile: d.profile.plugins}
	if slices.ContainsFunc(pod.Spec.Volumes, podvolumes.Concern) {
		around.Volumes = d.volumeObjects()
	}
	if s := d.spaces[""]; s != nil {
		for k, it := range s.items.All {
			if k.kind == "Namespace" {
				around.Namespaces[k.name] = namespaceLabels(it.object)
			}
		}
	}
	namespace, _ := placeOf(pod)
	s := d.space(namespace)
	for _, it := range s.items.All {
		if service, ok := it.object.(*corev1.Service); ok {
			around.Services = append(around.Services, service)
		}
	}
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil {
		if it := s.items.Get(referenced(owner)); it != nil {
			around.Controller = it.object
		}
	}
	return around
}

// namespaceLabels returns the labels of a namespace, with the one that the API server sets.
func namespaceLabels(object admit.APIObject) map[string]string {
	own := map[string]string{corev1.LabelMetadataName: object.GetName()}
	maps.Copy(own, object.GetLabels())
	return own
}
