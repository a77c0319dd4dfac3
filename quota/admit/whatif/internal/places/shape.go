package places

import (
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/podvolumes"
)

// Shape is what determines where a pod may be. It is never written to.
type Shape struct {
	request noderesources.Request
	isGated bool
	pod     *placement.Pod  // for a pod of a DaemonSet, without its node
	target  string          // the node of a pod of a DaemonSet, otherwise empty
	taken   map[string]bool // nodes on which there may be no further pod; nil if there are none
}

// IsGated reports whether the pod has scheduling gates.
func (s *Shape) IsGated() bool { return s.isGated }

// Named returns the names of the only nodes that are looked at, sorted, and whether no others are.
func (s *Shape) Named() (names []string, areNamed bool) {
	if s.target != "" {
		return []string{s.target}, true
	}
	return s.pod.Named()
}

// Volumes returns the volumes of the pod, nil if there are none at which a plugin looks.
func (s *Shape) Volumes() *podvolumes.Volumes { return s.pod.Volumes() }

// isFor reports whether a node is not excluded because a DaemonSet wants the pod on another one.
func (s *Shape) isFor(node string) bool { return s.target == "" || s.target == node }

// lastShape is a shape, and the pod that it is of.
type lastShape struct {
	pod   *corev1.Pod
	shape *Shape
}

// ShapeOf returns the shape of a pod. Around returns what else decides about it than nodes and pods. Pods that ask the
// same, one after the other, share their shape, until ForgetShape is called.
func (p *Places) ShapeOf(pod *corev1.Pod, around func(pod *corev1.Pod) placement.Around) *Shape {
	core, target := withoutTarget(pod)
	if p.last.pod == nil || !asksTheSame(p.last.pod, core) || hasOwnClaims(core) {
		p.last = lastShape{core, &Shape{
			request: noderesources.SpecRequest(&core.Spec, computeresources.Options{Kubernetes: p.opts.Kubernetes}),
			isGated: len(core.Spec.SchedulingGates) > 0, pod: placement.Of(core, around(core)), target: target,
		}}
	}
	if p.last.shape.target != target {
		own := *p.last.shape
		own.target, p.last.shape = target, &own
	}
	return p.last.shape
}

// ForgetShape notes that something has changed that decides about pods, other than nodes and pods.
func (p *Places) ForgetShape() { p.last = lastShape{} }

// Exclusive returns the shape of pods of which there is at most one on each node, and none on those that are taken.
func (s *Shape) Exclusive(pod *placement.Pod, taken map[string]bool) *Shape {
	own := *s
	own.pod, own.taken = pod, maps.Clone(taken)
	return &own
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

// hasOwnClaims reports whether a pod uses claims that are its own, so that no other pod asks the same.
func hasOwnClaims(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Ephemeral != nil })
}

// asksTheSame reports whether two pods ask the same of their nodes.
func asksTheSame(a, b *corev1.Pod) bool {
	ofA, ofB := metav1.GetControllerOfNoCopy(a), metav1.GetControllerOfNoCopy(b)
	return a.Namespace == b.Namespace && maps.Equal(a.Labels, b.Labels) &&
		(ofA == nil) == (ofB == nil) && (ofA == nil || ofA.Kind == ofB.Kind && ofA.Name == ofB.Name) &&
		reflect.DeepEqual(&a.Spec, &b.Spec)
}
