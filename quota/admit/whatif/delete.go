package whatif

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
)

// Delete returns what happens if objects are deleted, one after the other, with all that belongs to them by
// ownerReferences, as kubectl delete does: the ReplicaSets and pods of a Deployment, for example, also pods that have
// ended. An object that has another owner stays. Nothing waits for finalizers, and nothing is orphaned. A Namespace is
// deleted with all its objects, and a node with its pods. Pods and ReplicaSets whose controller remains are created
// again. Of each object, only the kind and the name count. Nil ones are ignored. The cluster that is returned is the
// one afterwards: see Apply.
//
// Cost: linear in the objects of a namespace, and for each object that is deleted in its quotas. A pod whose controller
// remains costs a look at all pods of that controller, as in a cluster, and each one a look at the pods that wait for a
// node.
func (c *Cluster) Delete(objects ...admit.APIObject) (result Result, after *Cluster) {
	d := c.edit()
	for _, obj := range objects {
		if !workload.IsNil(obj) {
			d.answer(d.delete(obj))
		}
	}
	return d.result()
}

// delete deletes an object.
func (d *draft) delete(obj admit.APIObject) Object {
	namespace, k := placeOf(obj)
	o := Object{Source: sourceOf(namespace, k), Action: Deleted}
	isFound := false
	switch k.kind {
	case "Node":
		isFound = d.deleteNode(k.name)
	case "Pod":
		if p := d.podOf(types.NamespacedName{Namespace: namespace, Name: k.name}); p != nil {
			d.removePod(p)
			isFound = true
		}
	case "Namespace":
		if slices.Contains([]string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic}, k.name) {
			return refuse(o, apierrors.NewForbidden(schema.GroupResource{Resource: "namespaces"}, k.name,
				errors.New("this namespace may not be deleted"))) // by the plugin NamespaceLifecycle
		}
		isFound = d.deleteItem(namespace, k)
		isFound = d.empty(k.name) || isFound
		d.reselect(k.name)
	default:
		isFound = d.deleteItem(namespace, k)
	}
	if !isFound {
		o.Action = NotFound
	}
	d.reshape(k.kind)
	return o
}

func (d *draft) deleteNode(name string) (isFound bool) {
	if d.places.Node(name) == nil {
		return false
	}
	d.evict(name, func(*pod) bool { return true })
	d.evictEnded(name, func(*pod) bool { return true })
	d.places.RemoveNode(name)
	d.wakeDaemons(name, nil)
	return true
}

// empty deletes all objects of a namespace, and reports whether there were any.
func (d *draft) empty(namespace string) bool {
	if d.spaces[namespace] == nil {
		return false
	}
	s := d.space(namespace)
	for _, k := range slices.SortedFunc(s.items.Keys, key.compare) {
		if claim, ok := s.items.Get(k).object.(*corev1.PersistentVolumeClaim); ok {
			d.releaseVolume(claim)
		}
		d.dropItem(s, s.items.Get(k)) // controllers first, so that they create nothing
	}
	for _, name := range slices.Sorted(s.pods.Keys) {
		d.removePod(s.pods.Get(name))
	}
	d.dropSpace(namespace)
	delete(d.unlocked, namespace)
	return true
}

// deleteItem deletes an object other than a pod or a node with all that belongs to it.
func (d *draft) deleteItem(namespace string, k key) (isFound bool) {
	it := d.itemOf(namespace, k)
	if it == nil {
		return false
	}
	s := d.space(namespace)
	d.dropItem(s, it)
	d.release(s, it.object)
	if _, ok := it.object.(*corev1.LimitRange); ok {
		s.setRange(k.name, nil)
		d.recompile(s, s.quotasOf())
	}
	if _, ok := it.object.(*corev1.ResourceQuota); ok {
		d.recompile(s, without(s.quotasOf(), k.name))
	}
	if describesShared(k.kind) {
		d.setShared()
	}
	d.reclassify(it.object, false)
	if claim, ok := it.object.(*corev1.PersistentVolumeClaim); ok {
		d.releaseVolume(claim)
		d.wakeUsers(namespace, k.name)
	}
	d.volumesChanged(namespace, k)
	for _, owned := range slices.SortedFunc(slices.Values(it.owned), key.compare) {
		if of := s.items.Get(owned); of == nil || len(of.object.GetOwnerReferences()) > 0 && !d.isDependent(s, of.object, k) {
			continue // one that was not read has no references
		}
		d.deleteItem(namespace, owned)
	}
	d.removePods(d.dependentPods(s, k))
	for _, other := range d.dependents(s, k) {
		d.deleteItem(namespace, other)
	}
	d.lookAgain(namespace, it.owner)
	return true
}

// referrers are the objects of a namespace by the owners that they have or had. Some may be gone.
type referrers map[key][]key

func (r referrers) add(k key, object metav1.Object) {
	if r == nil {
		return // nothing was deleted yet
	}
	refs := object.GetOwnerReferences()
	for i := range refs {
		owner := referenced(&refs[i])
		r[owner] = append(r[owner], k)
	}
}

// referrersOf returns the objects of a namespace that have or had an owner, by kind and name. Some may be gone.
func (d *draft) referrersOf(s *space, owner key) []key {
	all := d.referrers[s.name]
	if all == nil {
		all = referrers{}
		for k, it := range s.items.All {
			all.add(k, it.object)
		}
		for name, p := range s.pods.All {
			all.add(key{"Pod", name}, p.Object)
		}
		d.referrers[s.name] = all
	}
	slices.SortFunc(all[owner], key.compare)
	all[owner] = slices.Compact(all[owner])
	return all[owner]
}

// dependents returns the objects other than pods all of whose owners are gone, of which one has been the object.
func (d *draft) dependents(s *space, of key) (keys []key) {
	for _, k := range d.referrersOf(s, of) {
		if it := s.items.Get(k); it != nil && d.isDependent(s, it.object, of) {
			keys = append(keys, k)
		}
	}
	return keys
}

// dependentPods returns the pods all of whose owners are gone, of which one has been the object: also those that have
// ended.
func (d *draft) dependentPods(s *space, of key) (pods []*pod) {
	for _, k := range d.referrersOf(s, of) {
		if p := s.pods.Get(k.name); k.kind == "Pod" && p != nil && d.isDependent(s, p.Object, of) {
			pods = append(pods, p)
		}
	}
	return pods
}

// isDependent reports whether an object has been owned by another one that is gone, and no other owner is left.
//
// Source: attemptToDeleteItem of k8s.io/kubernetes/pkg/controller/garbagecollector.
func (d *draft) isDependent(s *space, object metav1.Object, of key) bool {
	refs := object.GetOwnerReferences()
	isOwner := func(r metav1.OwnerReference) bool { return referenced(&r) == of }
	return slices.ContainsFunc(refs, isOwner) && !d.hasOwner(s, refs)
}

// hasOwner reports whether one of the owners is there.
func (d *draft) hasOwner(s *space, refs []metav1.OwnerReference) bool {
	return slices.ContainsFunc(refs, func(r metav1.OwnerReference) bool {
		owner := referenced(&r)
		return s.items.Get(owner) != nil || owner.kind == "Pod" && s.pods.Get(owner.name) != nil || d.itemOf("", owner) != nil
	})
}
