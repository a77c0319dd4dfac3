package whatif

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// Apply returns what happens if objects are created, or updated if they exist, one after the other. Nil ones
// are ignored. Applying nothing changes nothing, and applying two lists one after the other is the same as
// applying both at once. In the result, a rolling update is stuck if Object.Outdated is above Kept, or Placed with
// Kept below Wanted; Object.Missing says why pods are missing (the message of FailedCreate).
//
// Objects are merged as kubectl apply merges them, and lists by their keys, such as the names of containers. What a
// manifest omits is removed if it was applied before, as kubectl notes in an annotation, and otherwise stays: others
// have added it, such as the API server, an autoscaler or a webhook. Without that annotation, these count as applied
// before: what decides on the amounts and nodes of the pods of a workload, its containers and volumes, how its pods
// are replaced, the pause of a Deployment, and the amounts of ResourceQuotas and LimitRanges. A value of zero or false
// counts as omitted where its type does not tell them apart. The status stays.
//
// Only a change of the template starts an update of the pods. No workload gets more than 32,768 pods.
//
// The cluster that is returned is the one afterwards. It shares with this one what did not change.
//
// Cost: that of admit.Namespace.Create for each object and pod, for each pod a search for the node with the
// highest score, and for each different request the scores of all nodes. A new ResourceQuota counts all objects of its
// namespace; LimitRanges and quotas that follow each other are compiled together.
func (c *Cluster) Apply(objects ...admit.APIObject) (result Result, after *Cluster) {
	d := c.edit()
	for _, obj := range objects {
		if !workload.IsNil(obj) {
			d.answer(d.apply(obj))
		}
	}
	return d.result()
}

// answer runs controllers and the scheduler after a change, and completes the answer about it.
func (d *draft) answer(o Object) {
	d.settle()
	d.answers = append(d.answers, o)
}

func sourceOf(namespace string, k key) computeresources.Source {
	return computeresources.Source{Kind: k.kind, Namespace: namespace, Name: k.name}
}

// apply creates or updates an object.
func (d *draft) apply(obj admit.APIObject) Object {
	namespace, k := placeOf(obj)
	o := Object{Source: sourceOf(namespace, k)}
	if n, ok := obj.(*corev1.Node); ok {
		o.Action = d.applyNode(n)
		return o
	}
	s := d.space(namespace)
	old, p := s.items.Get(k), s.pods.Get(k.name)
	if isNew := old == nil && (k.kind != "Pod" || p == nil); isNew {
		if err := cmp.Or(d.refuseMissing(namespace), d.refuseTerminating(namespace, obj)); err != nil {
			return refuse(o, err)
		}
	}
	if p, ok := obj.(*corev1.Pod); ok {
		return d.applyPod(o, p)
	}
	stored := obj
	if old != nil {
		stored = merged(old.object, obj)
		if equality.Semantic.DeepEqual(stored, old.object) {
			o.Action = Unchanged
			return o
		}
		noteApplied(stored, obj)
	}
	if errs := validated(old, stored, d.opts.Admission.Kubernetes); len(errs) > 0 {
		return refuse(o, aggregate.Invalid(schema.GroupKind{Kind: k.kind}, k.name, errs))
	}
	if namespace != "" {
		o.Decision, o.Depends = d.decide(s, old, stored)
		if err := o.Decision.Err(); err != nil {
			return refuse(o, err)
		}
		d.take(s, o.Decision)
		stored = o.Decision.Object
		if old != nil {
			d.lower(s, old.object, stored)
		}
	}
	o.Action = Created
	if old != nil {
		o.Action = Updated
	}
	d.store(s, k, stored)
	return o
}

func refuse(o Object, err error) Object {
	o.Action, o.Reason = Refused, reasonOf(err)
	return o
}

// The namespaces that the API server creates.
var ownNamespaces = [...]string{
	metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease,
}

// refuseMissing returns why nothing can be created in a namespace that does not exist, nil if it does, or may. A
// cluster that was read without Namespaces may have others than those that were applied.
func (d *draft) refuseMissing(namespace string) error {
	if namespace == "" || !d.hasNamespaces || slices.Contains(ownNamespaces[:], namespace) ||
		d.itemOf("", key{"Namespace", namespace}) != nil {
		return nil
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, namespace)
}

// namesNamespaces reports whether there is a Namespace among the objects.
func (d *draft) namesNamespaces() bool {
	if s := d.spaces[""]; s != nil {
		for k := range s.items.All {
			if k.kind == "Namespace" {
				return true
			}
		}
	}
	return false
}

// refuseTerminating returns why an object cannot be created in a namespace that is being deleted, nil if it can.
//
// Source: Admit of k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle.
func (d *draft) refuseTerminating(namespace string, obj admit.APIObject) error {
	it := d.itemOf("", key{"Namespace", namespace})
	if it == nil {
		return nil
	}
	ns, ok := it.object.(*corev1.Namespace)
	if !ok || ns.Status.Phase != corev1.NamespaceTerminating {
		return nil
	}
	subject := d.bare.Create(obj, admit.Attributes{}).Subject
	err := apierrors.NewForbidden(schema.GroupResource(subject.Resource), obj.GetName(),
		fmt.Errorf("unable to create new content in namespace %s because it is being terminated", namespace))
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type:    corev1.NamespaceTerminatingCause,
		Message: fmt.Sprintf("namespace %s is being terminated", namespace), Field: "metadata.namespace"})
	return err
}

// validated returns why the API server does not store a LimitRange or a ResourceQuota.
func validated(old *item, obj admit.APIObject, kubernetes computeresources.Kubernetes) field.ErrorList {
	if lr, ok := obj.(*corev1.LimitRange); ok {
		return limitrange.ValidateObject(lr)
	}
	if errs := invalidShared(obj, kubernetes); len(errs) > 0 {
		return errs
	}
	q, ok := obj.(*corev1.ResourceQuota)
	if !ok || old == nil {
		return quota.ValidateObject(nil, q, kubernetes)
	}
	before, ok := old.object.(*corev1.ResourceQuota)
	if !ok {
		return nil
	}
	own := *q
	own.ResourceVersion = cmp.Or(q.ResourceVersion, "1")
	return quota.ValidateObject(before, &own, kubernetes)
}

// decide returns the decision of the API server on an object other than a pod, as request does. Old is nil for a
// creation.
func (d *draft) decide(s *space, old *item, obj admit.APIObject) (decision admit.Decision, depends bool) {
	if old == nil {
		return d.request(s, nil, obj)
	}
	before := old.object
	if before.GetResourceVersion() == "" { // of a manifest: only the increase of what is stored counts
		before = before.DeepCopyObject().(admit.APIObject)
		before.SetResourceVersion("1")
	}
	return d.request(s, before, obj)
}

// request returns the decision of the API server on an object, of which old is nil for a creation. It reports whether
// the server may decide otherwise, and notes that further answers depend on it.
func (d *draft) request(s *space, old, obj admit.APIObject) (decision admit.Decision, depends bool) {
	req, o, admission := admit.Attributes{Now: d.opts.Now}, admit.Outcomes{}, d.admissionOf(s, obj)
	switch {
	case len(s.ranges) > 1:
		o = admission.Possible(old, obj, req)
		decision = o.Decisions[0]
	case old == nil:
		decision = admission.Create(obj, req)
	default:
		decision = admission.Update(old, obj, req)
	}
	if len(decision.Refusals) > 1 && o.Decisions == nil { // of several quotas
		o = admission.Possible(old, obj, req)
	}
	if decision.Object == nil { // of another type than old
		decision.Object = obj
	}
	if decision.Object.GetNamespace() == "" {
		decision.Object.SetNamespace(s.name)
	}
	depends = s.isUncertain()
	if len(o.Decisions) < 2 && !o.Incomplete {
		return decision, depends
	}
	if !o.Never {
		s.depends, d.depends = true, true
	}
	return decision, true
}

// keepMetadata sets the metadata of an updated object of another type that manifests leave out.
func keepMetadata(obj, old admit.APIObject) {
	if obj.GetUID() == "" {
		obj.SetUID(old.GetUID())
	}
	if created := obj.GetCreationTimestamp(); created.IsZero() {
		obj.SetCreationTimestamp(old.GetCreationTimestamp())
	}
	if len(obj.GetOwnerReferences()) == 0 {
		obj.SetOwnerReferences(old.GetOwnerReferences())
	}
	if obj.GetResourceVersion() == "" {
		obj.SetResourceVersion(old.GetResourceVersion())
	}
}

// asBound returns a claim that is created as if it were bound, since there is no clock, a volume as if it were
// available, and any other object as it is.
func asBound(obj admit.APIObject) admit.APIObject {
	if volume, ok := obj.(*corev1.PersistentVolume); ok {
		return asAvailable(volume)
	}
	claim, ok := obj.(*corev1.PersistentVolumeClaim)
	if !ok {
		return obj
	}
	own := claim.DeepCopy()
	own.Status.Phase, own.Status.Capacity = corev1.ClaimBound, claim.Spec.Resources.Requests
	return own
}

// store stores an object other than a pod or a node, and tells those whom it concerns.
func (d *draft) store(s *space, k key, stored admit.APIObject) {
	it := d.item(s.name, k)
	isNew := it == nil
	updates := isNew || hasOtherTemplate(it.object, stored)
	if isNew {
		stored = asBound(stored)
		it = d.addItem(s, k, stored, ownerOf(stored))
	}
	it.object, it.fails = stored, it.fails && !updates
	d.referrers[s.name].add(k, stored)
	d.reshape(k.kind)
	if lr, ok := stored.(*corev1.LimitRange); ok {
		s.setRange(k.name, lr)
		d.recompile(s, s.quotasOf())
	}
	switch stored := stored.(type) {
	case *corev1.ResourceQuota:
		quotas := s.quotasOf()
		own, before := *stored, (*corev1.ResourceQuota)(nil)
		if i := slices.IndexFunc(quotas, func(q *corev1.ResourceQuota) bool { return q.Name == k.name }); i >= 0 && !isNew {
			before = quotas[i]
		} else {
			own.Status = corev1.ResourceQuotaStatus{} // as of any object that is created
		}
		quotas = without(quotas, k.name)
		if !d.isProjected(stored) {
			quotas = append(quotas, d.withUsage(s, &own, before))
		}
		d.recompile(s, quotas)
	case *corev1.Namespace:
		d.reselect(k.name)
	case *batchv1.CronJob:
		it.runs = (updates || it.runs) && d.opts.RunCronJobs
		for _, job := range it.owned { // it may wait for one that is done
			if len(s.items.Get(job).uncounted) > 0 {
				d.lookAgain(s.name, job)
			}
		}
	case *appsv1.ReplicaSet, *corev1.ReplicationController, *appsv1.StatefulSet, *appsv1.DaemonSet:
		d.adopt(s, it)
	}
	if describesShared(k.kind) {
		d.setShared()
	}
	d.reclassify(stored, true)
	d.volumesChanged(s.name, k)
	d.lookAgain(s.name, k)
}
