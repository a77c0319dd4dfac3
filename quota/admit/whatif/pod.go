package whatif

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/quota/admit"
)

// applyPod creates or updates a pod.
func (d *draft) applyPod(o Object, obj *corev1.Pod) Object {
	s := d.space(o.Namespace)
	old := s.pods.Get(obj.Name)
	if old == nil {
		p, decision, depends := d.createPod(s, obj, nil)
		o.Action, o.Decision, o.Depends = Created, decision, depends
		if p == nil {
			return refuse(o, decision.Err())
		}
		o.Depends = p.depends
		d.reclaim(s, p)
		return o
	}
	own := mergedPod(old, obj)
	if equality.Semantic.DeepEqual(own, old.Object) {
		o.Action = Unchanged
		return o
	}
	noteApplied(own, obj)
	if errs := updateErrors(&old.Object.Spec, &own.Spec); len(errs) > 0 {
		return refuse(o, aggregate.Invalid(schema.GroupKind{Kind: "Pod"}, obj.Name, errs))
	}
	o.Decision, o.Depends = d.request(s, old.Object, own)
	if err := o.Decision.Err(); err != nil {
		return refuse(o, err)
	}
	d.take(s, o.Decision)
	d.lower(s, old.Object, o.Decision.Object)
	p := *old
	p.Object = o.Decision.Object.(*corev1.Pod)
	if old.Shape != nil {
		p.Shape = d.shapeOf(p.Object)
	}
	d.putPod(old, &p)
	if p.Node == "" && !p.ended {
		d.place(&p)
	}
	d.reclaim(s, s.pods.Get(p.Name))
	o.Action = Updated
	return o
}

// mergedPod returns the pod that is stored once one is applied over a stored one. The API server adds tolerations, and
// what the label keys of an affinity select, again.
func mergedPod(old *pod, obj *corev1.Pod) *corev1.Pod {
	own, stored := merged(old.Object, obj).(*corev1.Pod), &old.Object.Spec
	for _, t := range stored.Tolerations {
		if !slices.ContainsFunc(own.Spec.Tolerations,
			func(other corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, other) }) {
			own.Spec.Tolerations = append(own.Spec.Tolerations, t)
		}
	}
	if !equality.Semantic.DeepEqual(own.Spec.Affinity, stored.Affinity) {
		own.Spec.Affinity = interpodaffinity.WithLabelKeys(own.Spec.Affinity, own.Labels)
	}
	if own.Spec.NodeName == old.Node {
		own.Spec.NodeName = stored.NodeName
	}
	return own
}

// beyond returns the containers of a spec whose names another one does not have, and the RuntimeClass, if that has
// none. A nil spec has none of them.
func beyond(spec, other *corev1.PodSpec) *corev1.PodSpec {
	more := &corev1.PodSpec{}
	if spec == nil {
		return more
	}
	others := slices.Concat(other.InitContainers, other.Containers)
	add := func(to *[]corev1.Container, all []corev1.Container) {
		for _, c := range all {
			if !slices.ContainsFunc(others, func(o corev1.Container) bool { return o.Name == c.Name }) {
				*to = append(*to, c) // most pods have none, and an array for all would stay
			}
		}
	}
	add(&more.InitContainers, spec.InitContainers)
	add(&more.Containers, spec.Containers)
	if other.RuntimeClassName == nil {
		more.RuntimeClassName, more.Overhead = spec.RuntimeClassName, spec.Overhead
	}
	return more
}

// injected returns a pod of a controller with what a webhook has added to those of the workload that were read.
func (d *draft) injected(namespace string, k key, object *corev1.Pod) *corev1.Pod {
	_, it := d.top(namespace, k)
	if it == nil {
		return object
	}
	own, more := *object, beyond(it.injected, &object.Spec)
	own.Spec.InitContainers = append(more.InitContainers, own.Spec.InitContainers...)
	own.Spec.Containers = slices.Concat(own.Spec.Containers, more.Containers)
	if more.RuntimeClassName != nil {
		own.Spec.RuntimeClassName, own.Spec.Overhead = more.RuntimeClassName, more.Overhead
	}
	return &own
}

// createPod creates a pod, and places it unless it names its node. It returns no pod if it is not admitted, and
// whether that depends on the order of LimitRanges.
func (d *draft) createPod(s *space, object *corev1.Pod, owner *item) (p *pod, decision admit.Decision, depends bool) {
	if owner != nil {
		object = d.injected(s.name, owner.key, object)
	}
	if stored := interpodaffinity.WithLabelKeys(object.Spec.Affinity, object.Labels); stored != object.Spec.Affinity {
		own := *object
		own.Spec.Affinity, object = stored, &own
	}
	decision, depends = d.request(s, nil, object)
	if !decision.Admitted() {
		return nil, decision, depends
	}
	d.take(s, decision)
	d.createEphemeralClaims(s, decision.Object.(*corev1.Pod))
	d.retry()
	p = d.newPod(s.name, decision.Object.(*corev1.Pod))
	p.Node, p.owner, p.unknown = p.Object.Spec.NodeName, ownerOf(object), decision.Unknown
	if owner != nil {
		p.owner, p.template, p.fails = owner.key, templateOf(owner.object), owner.fails
	}
	p.depends = depends || p.Node != "" && d.depends
	d.putPod(nil, p)
	if p.Shape != nil {
		d.place(p)
	}
	return d.podOf(p.NamespacedName), decision, depends
}
