package whatif

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/taints"
)

// Drain returns what happens if a node is drained, as kubectl drain --ignore-daemonsets --force
// --delete-emptydir-data does: it becomes unschedulable, and its pods are evicted, but those of DaemonSets and mirror
// pods. Pods that have ended are deleted as well. Pods without a controller, or with one that is not among the objects,
// are gone.
//
// Controllers replace pods after all that may be evicted are. A pod that its PodDisruptionBudget does not allow to be
// evicted is tried again after that, as long as some pod leaves; those that are left have Pod.Waits.
//
// If there is no node of this name, nothing happens. The cluster that is returned is the one afterwards: see Apply.
func (c *Cluster) Drain(node string) (result Result, after *Cluster) {
	d := c.edit()
	o := Object{Source: computeresources.Source{Kind: "Node", Name: node}, Action: NotFound}
	if object := d.places.Node(node); object != nil {
		o.Action = Updated
		cordoned := object.DeepCopy()
		cordoned.Spec.Unschedulable = true
		d.places.SetNode(cordoned)
		isMirror := func(p *pod) bool {
			_, is := p.Object.Annotations[corev1.MirrorPodAnnotationKey]
			return is
		}
		d.drainNode(node, func(p *pod) bool { return p.owner.kind != "DaemonSet" && !isMirror(p) })
		d.evictEnded(node, func(p *pod) bool { return !isMirror(p) })
	}
	d.answer(o)
	return d.result()
}

// evict evicts pods of a node, by namespace and name.
func (d *draft) evict(node string, isEvicted func(p *pod) bool) {
	for _, p := range d.podsOn(node) {
		if isEvicted(p) {
			d.lose(p, false)
		}
	}
}

// evictEnded deletes pods of a node that have ended, by namespace and name.
func (d *draft) evictEnded(node string, isEvicted func(p *pod) bool) {
	var ended []*pod
	for _, s := range d.spaces {
		for _, p := range s.pods.All {
			if p.ended && p.Node == node && isEvicted(p) {
				ended = append(ended, p)
			}
		}
	}
	slices.SortFunc(ended, (*pod).compare)
	for _, p := range ended {
		d.lose(p, false)
	}
}

// applyNode creates or updates a node. A manifest without allocatable resources keeps the status.
func (d *draft) applyNode(object *corev1.Node) Action {
	before, action := d.places.Node(object.Name), Created
	if before != nil {
		action = Updated
		if len(object.Status.Allocatable) == 0 {
			object = object.DeepCopy()
			object.Status = before.Status
		}
		if equality.Semantic.DeepEqual(before.Labels, object.Labels) &&
			equality.Semantic.DeepEqual(before.Spec.Taints, object.Spec.Taints) &&
			before.Spec.Unschedulable == object.Spec.Unschedulable &&
			equality.Semantic.DeepEqual(before.Status.Allocatable, object.Status.Allocatable) &&
			equality.Semantic.DeepEqual(before.Status.DeclaredFeatures, object.Status.DeclaredFeatures) &&
			equality.Semantic.DeepEqual(before.Status.Images, object.Status.Images) {
			return Unchanged
		}
	}
	d.places.SetNode(object)
	d.evict(object.Name, func(p *pod) bool {
		return taints.Untolerated(object.Spec.Taints, p.Object.Spec.Tolerations, corev1.TaintEffectNoExecute)
	})
	d.wakeDaemons(object.Name, object)
	if !d.located && !d.assumed { // so far, all pods counted as ready
		d.located = true
		for _, p := range d.waiting() {
			d.touch(p.NamespacedName, p)
			d.lookAgain(p.Namespace, p.owner)
		}
	}
	return action
}

// wakeDaemons notes that the controllers of DaemonSets have to look again that want a pod on a node and have none, or
// the other way round, or lack one that was refused. The object is nil if the node is gone.
func (d *draft) wakeDaemons(name string, object *corev1.Node) {
	has := map[work]bool{}
	for _, p := range d.podsOn(name) {
		has[work{p.Namespace, p.owner}] = true
	}
	for _, p := range d.waiting() {
		if targetOf(p) == name {
			has[work{p.Namespace, p.owner}] = true
		}
	}
	for _, set := range d.daemons {
		w := work{set.Namespace, key{"DaemonSet", set.Name}}
		shouldRun, mayStay := false, false
		it := d.itemOf(w.namespace, w.key)
		if of, ok := it.object.(*appsv1.DaemonSet); ok && object != nil {
			shouldRun, mayStay = controllers.DaemonPlace(of)(object)
		}
		if has[w] && !mayStay || !has[w] && shouldRun || it.missing != nil {
			d.lookAgain(w.namespace, w.key)
		}
	}
}
