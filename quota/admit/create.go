package admit

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/quota"
)

// Create returns what becomes of an object that is to be created in the namespace. The object is
// only read. No object, a nil pointer included, is a Decision without refusals.
//
// Like the API server, it takes neither the status of the object for what it is, nor a time of
// deletion: what is created has a fresh status. An object without a namespace is stored in that of
// the LimitRanges and quotas. One that names another is refused for that alone, a
// *NamespaceMismatch; where neither LimitRanges nor quotas name a namespace, any will do.
//
// Cost: that of the copy that is stored, and of the object's usage; a sum and a comparison for
// each bound.
func (n *Namespace) Create(obj APIObject, req Attributes) Decision {
	d, _ := n.decide(obj, &req)
	if n != nil && !d.isMismatch() {
		d.reread(&n.opts)
	}
	return d
}

// decide is Create before the object is read again from the store. It also returns the object as
// quotas count it.
func (n *Namespace) decide(obj APIObject, req *Attributes) (d Decision, counted quota.Object) {
	d.namespace = n
	if isNil(obj) {
		return d, counted
	}
	ns := n.parts()
	d.subject = subjectOf(obj, req)
	if d.isForeign(obj) {
		return d, counted
	}
	var w workload
	switch obj := obj.(type) {
	case *corev1.Pod:
		d.createPod(&ns, obj, req)
	case *corev1.PersistentVolumeClaim:
		d.createClaim(&ns, obj, req)
	case *corev1.Service:
		stored := named(obj.DeepCopy(), req)
		stored.Status = corev1.ServiceStatus{}
		d.Object = stored
	case *resourcev1.ResourceClaim:
		stored := named(obj.DeepCopy(), req)
		stored.Status = resourcev1.ResourceClaimStatus{}
		d.Object = stored
	default:
		d.Object = named(obj.DeepCopyObject().(APIObject), req)
		w = workloadOf(d.Object)
		d.checkTemplate(&ns, &w)
	}
	placed(d.Object, &ns)
	counted = ns.quotaObject(d.Object, req)
	d.admit(quota.AssessmentOf(counted, ns.quotas, ns.admitOptions("")))
	if w.template != nil {
		d.Pods = d.After().podsOf(d.Object, &w, req)
	}
	return d, counted
}

// admit takes over what quotas say.
func (d *Decision) admit(a quota.Assessment) {
	d.quotas = a
	d.Refusals = appendFailures(d.Refusals, a.Failures, d.place)
}

// admitOptions returns how quotas look at a request.
func (n *Namespace) admitOptions(subresource string) quota.AdmitOptions {
	return quota.AdmitOptions{Subresource: subresource, Limited: n.opts.Limited}
}

// named gives an object the name that the server has made.
func named[O APIObject](obj O, req *Attributes) O {
	if obj.GetName() == "" && req.GeneratedName != "" {
		obj.SetName(req.GeneratedName)
	}
	return obj
}

// isNil reports whether there is no object: nil, or a nil pointer.
func isNil(obj APIObject) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
