package whatif

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// Apply returns what happens if objects are created, or updated if they are there, one after the other. Nil ones
// are ignored. Applying nothing changes nothing, and applying two lists one after the other is the same as
// applying both at once.
//
// What a manifest leaves out of an object that is there stays as it is, if the API server or others may have set it:
// metadata, status, the replicas of a workload, and everything in a template but requests, limits and what
// decides on nodes. Only a change of the template starts an update of the pods.
//
// Cost: that of admit.Namespace.Create for each object and pod, for each pod a search for the node with the
// highest score, and for each different request the scores of all nodes.
func (c *Cluster) Apply(objects ...admit.APIObject) Result {
	d := c.edit()
	for _, obj := range objects {
		if !isNil(obj) {
			d.answer(d.apply(obj))
		}
	}
	return d.result()
}

// answer runs controllers and the scheduler after a change, and completes the answer about it.
func (d *draft) answer(o Object) {
	d.settle()
	if it := d.itemOf(o.Namespace, key{o.Kind, o.Name}); it != nil {
		d.countPods(&o, it)
	}
	d.objects = append(d.objects, o)
}

// isNil reports whether there is no object: nil, or a nil pointer.
func isNil(obj admit.APIObject) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func sourceOf(namespace string, k key) computeresources.Source {
	return computeresources.Source{Kind: k.kind, Namespace: namespace, Name: k.name}
}

// apply creates or updates an object.
func (d *draft) apply(obj admit.APIObject) Object {
	namespace, k := placeOf(obj)
	o := Object{Source: sourceOf(namespace, k)}
	if n, is := obj.(*corev1.Node); is {
		o.Action = d.applyNode(n)
		return o
	}
	if d.isMissing(namespace) {
		return refuse(o, missingNamespace(namespace))
	}
	if p, is := obj.(*corev1.Pod); is {
		return d.applyPod(o, p)
	}
	s := d.space(namespace)
	old := s.items.get(k)
	if old != nil && isStored(old.object, obj) {
		o.Action = Unchanged
		return o
	}
	if errs := validated(old, obj); len(errs) > 0 {
		return refuse(o, apierrors.NewInvalid(schema.GroupKind{Kind: k.kind}, k.name, errs))
	}
	stored := obj
	if namespace != "" {
		o.Decision = d.decide(s, old, obj)
		o.Depends = d.note(s, &o.Decision)
		if err := o.Decision.Err(); err != nil {
			return refuse(o, err)
		}
		s.admission = o.Decision.After()
		stored = o.Decision.Object
	}
	o.Action = Created
	if old != nil {
		o.Action = Updated
	}
	d.store(s, k, stored)
	return o
}

func refuse(o Object, err error) Object {
	o.Action, o.Err = Refused, err
	return o
}

func missingNamespace(name string) error {
	return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, name)
}

// isMissing reports whether nothing can be created in a namespace, because it does not exist.
func (d *draft) isMissing(namespace string) bool {
	if namespace == "" || d.itemOf("", key{"Namespace", namespace}) != nil {
		return false
	}
	s := d.spaces[""]
	if s == nil {
		return false
	}
	for k := range s.items.all {
		if k.kind == "Namespace" {
			return true
		}
	}
	return false
}

// validated returns why the API server does not store a LimitRange or a ResourceQuota.
func validated(old *item, obj admit.APIObject) field.ErrorList {
	if lr, is := obj.(*corev1.LimitRange); is {
		return limitrange.ValidateObject(lr)
	}
	q, is := obj.(*corev1.ResourceQuota)
	if !is || old == nil {
		return quota.ValidateObject(nil, q)
	}
	before, is := old.object.(*corev1.ResourceQuota)
	if !is {
		return nil
	}
	own := q.DeepCopy()
	keepMetadata(own, before)
	if own.ResourceVersion == "" {
		own.ResourceVersion = "1"
	}
	return quota.ValidateObject(before, own)
}

// decide returns the decision of the API server on an object other than a pod. Old is nil for a creation.
func (d *draft) decide(s *space, old *item, obj admit.APIObject) admit.Decision {
	req := admit.Attributes{Now: d.opts.Now}
	if old == nil {
		return withNamespace(s.admission.Create(obj, req), s.name)
	}
	own := obj.DeepCopyObject().(admit.APIObject)
	keepMetadata(own, old.object)
	switch own := own.(type) {
	case *appsv1.Deployment:
		keepReplicas(&own.Spec.Replicas, old.object)
	case *appsv1.StatefulSet:
		keepReplicas(&own.Spec.Replicas, old.object)
	case *appsv1.ReplicaSet:
		keepReplicas(&own.Spec.Replicas, old.object)
	case *corev1.ReplicationController:
		keepReplicas(&own.Spec.Replicas, old.object)
	case *batchv1.Job:
		if before, is := old.object.(*batchv1.Job); is {
			own.Status = *before.Status.DeepCopy()
		}
	}
	decision := s.admission.Update(old.object, own, req)
	if decision.Object == nil { // of another type
		decision.Object = own
	}
	return withNamespace(decision, s.name)
}

// withNamespace sets the namespace of the object of a decision, which is a copy.
func withNamespace(d admit.Decision, namespace string) admit.Decision {
	if d.Object != nil && d.Object.GetNamespace() == "" {
		d.Object.SetNamespace(namespace)
	}
	return d
}

// keepMetadata sets the metadata of an updated object that manifests leave out.
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

// keepReplicas sets the replicas of an updated workload that has none.
func keepReplicas(replicas **int32, old admit.APIObject) {
	if before := replicasOf(old); *replicas == nil && before != nil {
		n := *before
		*replicas = &n
	}
}

// note reports whether the API server may decide otherwise, and notes that further answers depend on it.
func (d *draft) note(s *space, decision *admit.Decision) (depends bool) {
	depends = s.isUncertain()
	if len(s.ranges) < 2 && decision.Admitted() {
		return depends
	}
	o := decision.Possible()
	if len(o.Decisions) < 2 && !o.Incomplete {
		return depends
	}
	if !o.Never {
		s.depends = true
		if _, isPod := decision.Object.(*corev1.Pod); isPod {
			d.depends = true
		}
	}
	return true
}

// store stores an object other than a pod or a node, and tells those whom it concerns.
func (d *draft) store(s *space, k key, stored admit.APIObject) {
	it := d.item(s.name, k)
	isNew := it == nil
	updates := isNew || hasOtherTemplate(it.object, stored)
	if isNew {
		it = &item{token: d.token, key: k, owner: ownerOf(stored)}
		s.items.set(k, it)
		if owner := d.item(s.name, it.owner); owner != nil {
			owner.owned = append(owner.owned, k)
		}
	}
	former := it.object
	it.object = stored
	if lr, is := stored.(*corev1.LimitRange); is {
		s.ranges = append(without(s.ranges, k.name), lr)
		slices.SortFunc(s.ranges, func(a, b *corev1.LimitRange) int { return strings.Compare(a.Name, b.Name) })
		d.recompile(s, s.admission.Quotas())
	}
	switch stored := stored.(type) {
	case *corev1.ResourceQuota:
		quotas := s.admission.Quotas()
		i := slices.IndexFunc(quotas, func(q *corev1.ResourceQuota) bool { return q.Name == k.name })
		var before *corev1.ResourceQuota
		if i >= 0 && former != nil {
			before = quotas[i]
		}
		d.recompile(s, append(without(quotas, k.name), d.withUsage(s, stored, before)))
	case *appsv1.DaemonSet:
		if isNew {
			d.daemons = append(d.daemons, podName{s.name, k.name})
			slices.SortFunc(d.daemons, podName.compare)
		}
	case *batchv1.CronJob:
		it.runs = updates && d.opts.RunCronJobs
	}
	d.lookAgain(s.name, k)
}

// recompile changes the LimitRanges and quotas of a namespace.
func (d *draft) recompile(s *space, quotas []*corev1.ResourceQuota) {
	_ = s.compile(quotas, &d.opts) // each of them has been validated
	d.unlocked[s.name] = true
}

// applyPod creates or updates a pod.
func (d *draft) applyPod(o Object, obj *corev1.Pod) Object {
	s := d.space(o.Namespace)
	old := s.pods.get(obj.Name)
	if old == nil {
		var p *pod
		o.Action = Created
		if p, o.Decision, o.Depends = d.createPod(s, obj, nil); p == nil {
			return refuse(o, o.Decision.Err())
		}
		o.Depends = p.depends
		return o
	}
	if covers(reflect.ValueOf(&old.object.Spec), reflect.ValueOf(&obj.Spec)) && coversMeta(old.object, obj) {
		o.Action = Unchanged
		return o
	}
	own := obj.DeepCopy()
	keepMetadata(own, old.object)
	if own.Spec = *updatedSpec(&old.object.Spec, &obj.Spec); changesFixed(&old.object.Spec, &obj.Spec) {
		return refuse(o, apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, obj.Name, field.ErrorList{field.Forbidden(field.NewPath("spec"), fixedFields)}))
	}
	o.Decision = withNamespace(s.admission.Update(old.object, own, admit.Attributes{Now: d.opts.Now}), s.name)
	o.Depends = d.note(s, &o.Decision)
	if err := o.Decision.Err(); err != nil {
		return refuse(o, err)
	}
	s.admission = o.Decision.After()
	p := *old
	p.object = o.Decision.Object.(*corev1.Pod)
	if old.shape != nil {
		p.shape = d.shapeOf(&p.object.Spec)
	}
	d.putPod(old, &p)
	if p.node == "" && !p.ended {
		if i := d.best(p.shape); i >= 0 {
			d.bind(&p, i)
		}
	}
	o.Action = Updated
	return o
}

// fixedFields is the beginning of the message of the API server for a change of fields that are fixed. The difference of the
// two specs follows.
const fixedFields = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// changesFixed reports whether an applied spec sets fields of a pod, other than amounts, that cannot be changed.
func changesFixed(old, applied *corev1.PodSpec) bool {
	own := applied.DeepCopy()
	own.Tolerations, own.ActiveDeadlineSeconds, own.TerminationGracePeriodSeconds = nil, nil, nil
	for _, c := range computeresources.Containers(own) {
		c.Image, c.Resources = "", corev1.ResourceRequirements{}
	}
	return !covers(reflect.ValueOf(old), reflect.ValueOf(own))
}

// updatedSpec returns the spec of a pod with the amounts, tolerations and the deadline of an applied one.
func updatedSpec(old, applied *corev1.PodSpec) *corev1.PodSpec {
	own := old.DeepCopy()
	for _, t := range applied.Tolerations {
		if !slices.ContainsFunc(own.Tolerations, func(other corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, other) }) {
			own.Tolerations = append(own.Tolerations, *t.DeepCopy())
		}
	}
	if applied.ActiveDeadlineSeconds != nil {
		seconds := *applied.ActiveDeadlineSeconds
		own.ActiveDeadlineSeconds = &seconds
	}
	for ref, c := range computeresources.Containers(own) {
		if r := ref.Resources(applied); r != nil {
			c.Resources.Requests = resourcelist.Overlay(r.Requests, c.Resources.Requests)
			c.Resources.Limits = resourcelist.Overlay(r.Limits, c.Resources.Limits)
		}
	}
	return own
}

// createPod creates a pod, and places it unless it names its node. It returns no pod if it is not admitted, and
// whether that depends on the order of LimitRanges.
func (d *draft) createPod(s *space, object *corev1.Pod, owner *item) (p *pod, decision admit.Decision, depends bool) {
	decision = withNamespace(s.admission.Create(d.completed(object), admit.Attributes{}), s.name)
	depends = d.note(s, &decision)
	if !decision.Admitted() {
		return nil, decision, depends
	}
	s.admission = decision.After()
	d.retry()
	p = d.newPod(s.name, decision.Object.(*corev1.Pod))
	p.node, p.owner = p.object.Spec.NodeName, ownerOf(object)
	if owner != nil {
		p.owner, p.template = owner.key, templateOf(owner.object)
	}
	if p.shape != nil {
		if i := d.best(p.shape); i >= 0 {
			p.node = d.nodes[i].name
		}
	}
	p.depends = depends || p.node != "" && d.depends
	d.putPod(nil, p)
	return p, decision, depends
}

// controllerRef returns the reference of objects to their controller.
func controllerRef(owner *item) []metav1.OwnerReference {
	yes := true
	version := "apps/v1"
	switch owner.object.(type) {
	case *corev1.ReplicationController:
		version = "v1"
	case *batchv1.Job, *batchv1.CronJob:
		version = "batch/v1"
	}
	return []metav1.OwnerReference{{APIVersion: version, Kind: owner.kind, Name: owner.name, UID: owner.object.GetUID(), Controller: &yes}}
}

// draw creates an object of a controller with the next name that nothing has.
func draw(owner *item, isTaken func(name string) bool, create func(name string) bool) bool {
	for n := owner.numbers + 1; ; n++ {
		name := fmt.Sprintf("%s-%d", owner.name, n)
		if isTaken(name) {
			continue
		}
		if !create(name) {
			return false
		}
		owner.numbers = n
		return true
	}
}
