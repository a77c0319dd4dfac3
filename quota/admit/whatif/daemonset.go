package whatif

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/controllers"
)

// daemonNodes returns the names of the nodes on which a DaemonSet wants a pod. If nothing is known of nodes, they are
// those of the pods that were read, or one without a name.
func (d *draft) daemonNodes(it *item, object *appsv1.DaemonSet) (names []string) {
	switch {
	case d.located:
	case it.targets == nil:
		return []string{""}
	default:
		return it.targets
	}
	s := controllers.DaemonPlaceOf(object)
	for _, n := range d.places.Nodes() {
		if shouldRun, _ := s.ShouldRun(n); shouldRun {
			names = append(names, n.Name)
		}
	}
	return names
}

// daemonPod returns the pod of a DaemonSet for a node.
func daemonPod(object *appsv1.DaemonSet, it *item, namespace, name, node string) *corev1.Pod {
	p := podFrom(&object.Spec.Template, it, namespace, name)
	p.Spec.Tolerations = controllers.DaemonTolerations(&p.Spec)
	affinity := corev1.Affinity{}
	if p.Spec.Affinity != nil {
		affinity = *p.Spec.Affinity
	}
	onNode := corev1.NodeAffinity{}
	if affinity.NodeAffinity != nil {
		onNode = *affinity.NodeAffinity
	}
	onNode.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
			{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
		}}},
	}
	affinity.NodeAffinity, p.Spec.Affinity = &onNode, &affinity
	p.Spec.NodeName = "" // so that it waits if there is no room, where the kubelet would refuse it
	return p
}

// targetOf returns the node that a pod of a DaemonSet is or has to be on.
func targetOf(p *pod) string {
	if p.Node == "" && p.Shape != nil {
		if names, _ := p.Shape.Named(); len(names) == 1 {
			return names[0]
		}
	}
	return p.Node
}

// daemonTargetOf returns the node that daemonNodes has for a pod of a DaemonSet.
func (d *draft) daemonTargetOf(it *item, p *pod) string {
	if !d.located && it.targets == nil {
		return "" // also of a pod with a node that the DaemonSet has adopted
	}
	return targetOf(p)
}

// syncDaemonSet does what the controller of a DaemonSet does until nothing is left to do.
func (d *draft) syncDaemonSet(namespace string, it *item, object *appsv1.DaemonSet) {
	d.adopt(d.space(namespace), it)
	d.endPods(namespace, it)
	for nodes := d.nodesForDaemons(it, object); d.syncDaemons(namespace, it, object, nodes); {
	}
}

// syncDaemons is one sync of the controller, which looks at the pods on these nodes. It reports whether anything has
// changed.
func (d *draft) syncDaemons(
	namespace string, it *item, object *appsv1.DaemonSet, nodes []controllers.DaemonNode,
) (changed bool) {
	it.missing, it.behind = nil, false
	todo := controllers.DaemonSet(object, d.withDaemons(namespace, it, nodes))
	for _, batch := range todo.Create {
		for _, node := range batch {
			changed = d.createDaemon(namespace, it, object, node) || changed
		}
		if it.missing != nil {
			break
		}
	}
	for _, p := range todo.Delete {
		d.removePod(d.podOf(types.NamespacedName{Namespace: namespace, Name: p.Object.Name}))
	}
	return changed || len(todo.Delete) > 0
}

// nodesForDaemons returns the nodes as the controller of a DaemonSet looks at them, by name.
func (d *draft) nodesForDaemons(it *item, object *appsv1.DaemonSet) (nodes []controllers.DaemonNode) {
	if !d.located {
		for _, name := range d.daemonNodes(it, object) {
			nodes = append(nodes, controllers.DaemonNode{Name: name, ShouldRun: true, MayStay: true})
		}
		return nodes
	}
	place := controllers.DaemonPlaceOf(object)
	for _, n := range d.places.Nodes() {
		shouldRun, mayStay := place.ShouldRun(n)
		nodes = append(nodes, controllers.DaemonNode{Name: n.Name, ShouldRun: shouldRun, MayStay: mayStay})
	}
	return nodes
}

// withDaemons returns nodes with the pods of a DaemonSet, and those that are gone of its pods.
func (d *draft) withDaemons(namespace string, it *item, nodes []controllers.DaemonNode) []controllers.DaemonNode {
	nodes = slices.Clone(nodes)
	for _, p := range d.seen(namespace, it) {
		target := d.daemonTargetOf(it, d.podOf(types.NamespacedName{Namespace: namespace, Name: p.Object.Name}))
		i, found := slices.BinarySearchFunc(nodes, target,
			func(n controllers.DaemonNode, name string) int { return strings.Compare(n.Name, name) })
		if !found {
			nodes = slices.Insert(nodes, i, controllers.DaemonNode{Name: target, IsGone: d.located, MayStay: !d.located})
		}
		nodes[i].Pods = append(nodes[i].Pods, p)
	}
	return nodes
}

// createDaemon creates the pod of a DaemonSet for a node. It reports whether it is admitted.
func (d *draft) createDaemon(namespace string, it *item, object *appsv1.DaemonSet, node string) bool {
	return draw(it, d.isPod(namespace), func(name string) bool {
		return d.createFor(namespace, it, daemonPod(object, it, namespace, name, node)) != nil
	})
}
