package admit

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
)

// Create returns the decision on creating an object in the namespace. The object is only read. For
// a nil object, or a nil pointer, the Decision has no refusals.
//
// Like the API server, it ignores the status and the deletion timestamp of the object: a created
// object has a new status. An object without a namespace is created in the namespace of the
// LimitRanges and quotas. An object that names another namespace is refused as a
// BadRequest and for nothing else. If neither LimitRanges nor quotas name a namespace, every
// object belongs to it. No Subresource of a request can be created.
//
// Cost: a copy of the object, its usage (of a pod, a lookup for each container and each resource that any of them
// names), and a sum and a comparison for each bound; for a workload, that of Replicas
// for its pod as well.
func (n *Namespace) Create(obj APIObject, req Attributes) Decision {
	d, _ := n.decide(obj, &req, inPod)
	d.applyReadDefaults()
	return d.Decision
}

// decide is Create up to the write to the store. It also returns the object as quotas count it. The paths
// of a pod that comes from a template are in the place of that.
func (n *Namespace) decide(obj APIObject, req *Attributes, in place) (d decision, counted quota.Object) {
	d = n.newDecision(in)
	if workload.IsNil(obj) {
		return d, counted
	}
	ns := d.namespace
	d.Subject = subjectOf(obj, req)
	if d.isUnserved(obj, req.Subresource) || d.isForeign(obj) {
		return d, counted
	}
	var w workload.Workload
	switch obj := obj.(type) {
	case *corev1.Pod:
		own := &corev1.Pod{TypeMeta: obj.TypeMeta}
		obj.ObjectMeta.DeepCopyInto(&own.ObjectMeta)
		obj.Spec.DeepCopyInto(&own.Spec)
		d.createPod(ns, own)
	case *corev1.PersistentVolumeClaim:
		d.createClaim(ns, obj)
	case *corev1.Service:
		stored := obj.DeepCopy()
		stored.Status = corev1.ServiceStatus{}
		d.Object = stored
	case *resourcev1.ResourceClaim:
		stored := obj.DeepCopy()
		stored.Status = resourcev1.ResourceClaimStatus{}
		setDeviceDefaults(&stored.Spec)
		d.Object = stored
	default:
		d.Object = obj.DeepCopyObject().(APIObject)
		w = workload.Of(d.Object)
		d.checkTemplate(ns, nil, &w, placeOfTemplate(d.Object))
	}
	identify(d.Object, ns, req)
	counted = ns.quotaObject(d.Object, req)
	d.admit(quota.Object{}, counted, "")
	if w.Template != nil {
		d.Pods = ns.podsOf(d.Object, &w, req)
	}
	return d, counted
}

// admit adds the answer of the quotas.
func (d *decision) admit(old, object quota.Object, subresource string) {
	a := quota.Admit(old, object, d.namespace.quotas,
		quota.AdmitOptions{Subresource: subresource, Limited: d.namespace.opts.Limited})
	d.Unenforced, d.Increases = a.Unenforced, a.Increases
	d.Refusals = appendFailures(d.Refusals, a.Failures, d.place)
}

// identify sets the namespace of the request, and the name that the server generated, if the object has none.
func identify(obj APIObject, ns *Namespace, req *Attributes) {
	obj.SetName(cmp.Or(obj.GetName(), req.GeneratedName))
	obj.SetNamespace(cmp.Or(obj.GetNamespace(), ns.name))
}
