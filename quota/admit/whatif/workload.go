package whatif

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
)

// sync runs the controller of an object.
func (d *draft) sync(namespace string, k key) {
	it := d.item(namespace, k)
	if it == nil {
		return
	}
	it.missing, it.depends = nil, false
	delete(d.space(namespace).behind, k)
	if it.kind != "Job" && it.object.GetDeletionTimestamp() != nil {
		return // it waits for its finalizers; a Job also counts its pods
	}
	switch object := it.object.(type) {
	case *appsv1.Deployment:
		d.syncDeployment(namespace, it, object)
	case *appsv1.ReplicaSet, *corev1.ReplicationController:
		of := workload.Of(object)
		d.scale(namespace, it, of.Template, of.Wanted)
	case *appsv1.StatefulSet:
		d.syncStatefulSet(namespace, it, object)
	case *appsv1.DaemonSet:
		d.syncDaemonSet(namespace, it, object)
	case *batchv1.Job:
		d.syncJob(namespace, it, object)
	case *batchv1.CronJob:
		d.syncCronJob(namespace, it, object)
	}
}

// scale creates or deletes pods until there are as many as wanted, or one is refused. Its own controller looks again
// after that.
func (d *draft) scale(namespace string, it *item, template *corev1.PodTemplateSpec, want int) {
	for template != nil && len(it.pods) != want {
		pods, related := d.allSeen(d.podsOf(namespace, it.pods), it), []controllers.Pod(nil)
		if len(pods) > want {
			related = d.related(namespace, it)
		}
		created, deleted := controllers.ReplicaSet(want, pods, related, d.opts.Now)
		for _, p := range deleted {
			d.removeNamed(namespace, p.Object.Name)
		}
		d.lookAgain(namespace, it.owner)
		for range created {
			if !d.createNumbered(namespace, it, podFrom(template, it, namespace)) {
				return
			}
		}
	}
}

func (d *draft) removePods(pods []*pod) {
	for _, p := range pods {
		d.removePod(p)
	}
}

// watch shows a controller its pods, and then those that have changed, and lets it do one sync after the other, until
// nothing changes. Pods that are being deleted are gone: there is no clock, and the controller waits for that.
func (d *draft) watch(namespace string, it *item, see func(name string, p *pod), sync func() (changed bool)) {
	d.moved = d.moved[:0]
	for _, name := range slices.Concat(it.pods, it.past) {
		name := types.NamespacedName{Namespace: namespace, Name: name}
		if p := d.podOf(name); p != nil && p.owner == it.key && p.Object.DeletionTimestamp != nil {
			d.removePod(p)
		}
		d.moved = append(d.moved, name)
	}
	for changed := true; changed; changed = sync() {
		for _, name := range d.moved {
			p := d.podOf(name)
			if p != nil && p.owner != it.key {
				p = nil
			}
			if name.Namespace == namespace {
				see(name.Name, p)
			}
		}
		d.moved = d.moved[:0]
		it.missing = nil
		delete(d.space(namespace).behind, it.key)
	}
}

// carryOut does the steps of one batch after the other, until one is refused, and reports whether any has changed
// something.
func carryOut[T any](it *item, batches [][]T, do func(step T) (changed bool)) (changed bool) {
	for _, batch := range batches {
		for _, step := range batch {
			changed = do(step) || changed
		}
		if it.missing != nil {
			break
		}
	}
	return changed
}

// seen returns a pod as its controller looks at it, nil if it is gone.
func (d *draft) seen(p *pod, it *item) *controllers.Pod {
	if p == nil {
		return nil
	}
	return &controllers.Pod{Object: p.Object, Node: p.Node, IsReady: d.isReady(p) && !p.ended,
		IsOutdated: d.isOutdated(p, it)}
}

// allSeen is seen for several pods.
func (d *draft) allSeen(pods []*pod, it *item) []controllers.Pod {
	all := make([]controllers.Pod, len(pods))
	for i, p := range pods {
		all[i] = *d.seen(p, it)
	}
	return all
}

// related returns the pods of all ReplicaSets of the controller of a ReplicaSet, none if it has no controller.
func (d *draft) related(namespace string, it *item) (all []controllers.Pod) {
	if it.kind != "ReplicaSet" || it.owner == (key{}) {
		return nil
	}
	owned := []key{it.key}
	if owner := d.itemOf(namespace, it.owner); owner != nil {
		owned = owner.owned
	}
	for _, k := range owned {
		if rs := d.itemOf(namespace, k); rs != nil && k.kind == it.kind {
			all = append(all, d.allSeen(d.podsOf(namespace, rs.pods), rs)...)
		}
	}
	return all
}

// podFrom returns a pod of a template, as its controller creates it, without a name.
func podFrom(template *corev1.PodTemplateSpec, owner *item, namespace string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Labels: template.Labels, Annotations: template.Annotations,
			OwnerReferences: controllerRef(owner),
		},
		Spec: template.Spec,
	}
}

// createFor creates a pod for a controller, which notes why if it is not admitted.
func (d *draft) createFor(namespace string, it *item, object *corev1.Pod) *pod {
	s := d.space(namespace)
	if len(it.pods) >= controllers.MostPods {
		it.missing = tooManyPods{sourceOf(namespace, it.key)}
		return nil
	}
	if s.pods.Get(object.Name) != nil {
		it.missing = apierrors.NewAlreadyExists(schema.GroupResource{Resource: "pods"}, object.Name)
		s.behind[it.key] = true
		return nil
	}
	if err := d.refuseTerminating(namespace, object); err != nil {
		it.missing = err
		return nil
	}
	p, decision, depends := d.createPod(s, object, it)
	it.depends = it.depends || depends
	if p == nil {
		it.missing = decision.Err()
		s.behind[it.key] = true
	}
	return p
}

// createItem creates another object for a controller, which notes why if it is not admitted.
func (d *draft) createItem(s *space, owner *item, object admit.APIObject) *item {
	if err := d.refuseTerminating(s.name, object); err != nil {
		owner.missing = err
		return nil
	}
	decision, depends := d.request(s, nil, object)
	owner.depends = depends || owner.depends
	if err := decision.Err(); err != nil {
		owner.missing = err
		s.behind[owner.key] = true
		return nil
	}
	d.take(s, decision)
	_, k := placeOf(object)
	d.store(s, k, decision.Object)
	return s.items.Get(k)
}

func (d *draft) podsOf(namespace string, names []string) []*pod {
	pods := make([]*pod, len(names))
	for i, name := range names {
		pods[i] = d.podOf(types.NamespacedName{Namespace: namespace, Name: name})
	}
	return pods
}

// ready returns how many of the pods of an object are ready.
func (d *draft) ready(namespace string, it *item) (n int) {
	for _, p := range d.podsOf(namespace, it.pods) {
		if d.isReady(p) {
			n++
		}
	}
	return n
}

// controllerRef returns the reference of objects to their controller.
func controllerRef(owner *item) []metav1.OwnerReference {
	version := appsv1.SchemeGroupVersion
	switch owner.object.(type) {
	case *corev1.ReplicationController:
		version = corev1.SchemeGroupVersion
	case *batchv1.Job, *batchv1.CronJob:
		version = batchv1.SchemeGroupVersion
	}
	return []metav1.OwnerReference{*metav1.NewControllerRef(owner.object, version.WithKind(owner.kind))}
}

// draw creates an object of a controller with the next name that nothing has: web-1.
func (d *draft) draw(namespace string, owner *item, object admit.APIObject, create func() bool) bool {
	_, k := placeOf(object)
	for n := owner.numbers + 1; ; n++ {
		k.name = fmt.Sprintf("%s-%d", owner.name, n)
		isTaken := d.itemOf(namespace, k) != nil
		if k.kind == "Pod" {
			isTaken = d.podOf(types.NamespacedName{Namespace: namespace, Name: k.name}) != nil
		}
		if isTaken {
			continue
		}
		object.SetName(k.name)
		if !create() {
			return false
		}
		owner.numbers = n
		return true
	}
}

// createNumbered is createFor for a pod that gets the next name.
func (d *draft) createNumbered(namespace string, it *item, object *corev1.Pod) (isCreated bool) {
	return d.draw(namespace, it, object, func() bool { return d.createFor(namespace, it, object) != nil })
}
