package whatif

import (
	"cmp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/controllers"
)

// daemonPod returns the pod of a DaemonSet for a node.
func daemonPod(object *appsv1.DaemonSet, it *item, namespace, node string) *corev1.Pod {
	p := podFrom(&object.Spec.Template, it, namespace)
	p.Spec.Tolerations = controllers.DaemonTolerations(&p.Spec)
	affinity := cmp.Or(p.Spec.Affinity.DeepCopy(), &corev1.Affinity{})
	affinity.NodeAffinity = cmp.Or(affinity.NodeAffinity, &corev1.NodeAffinity{})
	affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
			{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
		}}},
	}
	p.Spec.Affinity = affinity
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

// daemonTargetOf returns the node that nodesForDaemons has for a pod of a DaemonSet.
func (d *draft) daemonTargetOf(it *item, p *pod) string {
	if p == nil || !d.located && it.targets == nil {
		return "" // also of a pod with a node that the DaemonSet has adopted
	}
	return targetOf(p)
}

// syncDaemonSet does what the controller of a DaemonSet does until nothing is left to do.
func (d *draft) syncDaemonSet(namespace string, it *item, object *appsv1.DaemonSet) {
	set := controllers.NewDaemonSet(object, d.nodesForDaemons(it, object),
		controllers.DaemonNode{IsGone: d.located, MayStay: !d.located})
	see := func(name string, p *pod) { set.See(name, d.daemonTargetOf(it, p), d.seen(p, it)) }
	d.watch(namespace, it, see, func() bool {
		batches, deleted := set.Sync()
		changed := carryOut(it, batches, func(node string) bool {
			return d.createNumbered(namespace, it, daemonPod(object, it, namespace, node))
		})
		for _, p := range deleted {
			d.removeNamed(namespace, p.Object.Name)
		}
		return changed || len(deleted) > 0
	})
}

// nodesForDaemons returns the nodes as the controller of a DaemonSet looks at them, by name. If nothing is known of
// nodes, they are those of the pods that were read, or one without a name.
func (d *draft) nodesForDaemons(it *item, object *appsv1.DaemonSet) (nodes []controllers.DaemonNode) {
	if d.located {
		isPlace := controllers.DaemonPlace(object)
		for _, n := range d.places.Nodes() {
			shouldRun, mayStay := isPlace(n)
			nodes = append(nodes, controllers.DaemonNode{Name: n.Name, ShouldRun: shouldRun, MayStay: mayStay})
		}
		return nodes
	}
	names := it.targets
	if names == nil {
		names = []string{""}
	}
	for _, name := range names {
		nodes = append(nodes, controllers.DaemonNode{Name: name, ShouldRun: true, MayStay: true})
	}
	return nodes
}

// wantedDaemons returns how many pods a DaemonSet wants.
func (d *draft) wantedDaemons(it *item, object *appsv1.DaemonSet) (n int) {
	for _, node := range d.nodesForDaemons(it, object) {
		if node.ShouldRun {
			n++
		}
	}
	return n
}
