package whatif

import (
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/quota/admit"
)

// shape is what determines where a pod may be. It is never written to.
type shape struct {
	request noderesources.Request
	isGated bool
	pod     *placement.Pod  // for a pod of a DaemonSet, without its node
	target  string          // the node of a pod of a DaemonSet, otherwise empty
	taken   map[string]bool // nodes on which there may be no further pod; nil if there are none
}

// named returns the names of the only nodes that are looked at, sorted, and whether no others are.
func (s *shape) named() (names []string, areNamed bool) {
	if s.target != "" {
		return []string{s.target}, true
	}
	return s.pod.Named()
}

// isFor reports whether a node is not excluded because a DaemonSet wants the pod on another one.
func (s *shape) isFor(node string) bool { return s.target == "" || s.target == node }

// shapeOf returns the shape of a pod. Pods that ask the same, one after the other, share it.
func (d *draft) shapeOf(pod *corev1.Pod) *shape {
	core, target := withoutTarget(pod)
	if d.lastPod == nil || !asksTheSame(d.lastPod, core) {
		d.lastPod, d.lastShape = core, &shape{
			request: noderesources.SpecRequest(&core.Spec, computeresources.Options{Kubernetes: d.opts.Admission.Kubernetes}),
			isGated: len(core.Spec.SchedulingGates) > 0, pod: placement.Of(core, d.around(core)), target: target,
		}
	}
	if d.lastShape.target != target {
		own := *d.lastShape
		own.target, d.lastShape = target, &own
	}
	return d.lastShape
}

// reshape looks again at what pods that wait ask for, after an object has changed that decides about it.
func (d *draft) reshape(kind string) {
	d.lastPod = nil
	if kind != "Namespace" && kind != "Service" {
		return
	}
	for i, p := range d.waiting {
		own := *p
		own.shape = d.shapeOf(p.object)
		d.waiting[i] = &own
		d.space(p.namespace).pods.Set(p.name, &own)
	}
	if len(d.waiting) > 0 {
		for _, n := range d.nodes {
			d.freed[n.name] = true
		}
	}
}

// withoutTarget returns a pod without the node that a DaemonSet wants it on, and that node. For other pods, the node is
// empty, and for those whose constraints count on which nodes they may be.
func withoutTarget(pod *corev1.Pod) (core *corev1.Pod, target string) {
	a := pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || len(pod.Spec.TopologySpreadConstraints) > 0 {
		return pod, ""
	}
	required := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil || len(required.NodeSelectorTerms) != 1 {
		return pod, ""
	}
	term := &required.NodeSelectorTerms[0]
	if len(term.MatchExpressions) > 0 || len(term.MatchFields) != 1 {
		return pod, ""
	}
	field := &term.MatchFields[0]
	if field.Key != metav1.ObjectNameField || field.Operator != corev1.NodeSelectorOpIn || len(field.Values) != 1 ||
		field.Values[0] == "" {
		return pod, ""
	}
	own, affinity, onNode := *pod, *a, *a.NodeAffinity
	onNode.RequiredDuringSchedulingIgnoredDuringExecution = nil
	affinity.NodeAffinity, own.Spec.Affinity = &onNode, &affinity
	return &own, field.Values[0]
}

// asksTheSame reports whether two pods ask the same of their nodes.
func asksTheSame(a, b *corev1.Pod) bool {
	ofA, ofB := metav1.GetControllerOfNoCopy(a), metav1.GetControllerOfNoCopy(b)
	return a.Namespace == b.Namespace && maps.Equal(a.Labels, b.Labels) &&
		(ofA == nil) == (ofB == nil) && (ofA == nil || ofA.Kind == ofB.Kind && ofA.Name == ofB.Name) &&
		reflect.DeepEqual(&a.Spec, &b.Spec)
}

// around returns what decides about a pod beside nodes and pods.
func (d *draft) around(pod *corev1.Pod) placement.Around {
	around := placement.Around{Namespaces: map[string]map[string]string{}}
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
