package whatif

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/workload"
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
	stored := asApplied(&old.Object.Spec, &obj.Spec)
	if covers(reflect.ValueOf(stored), reflect.ValueOf(&obj.Spec)) && coversMeta(old.Object, obj) {
		o.Action = Unchanged
		return o
	}
	own := obj.DeepCopy()
	keepMetadata(own, old.Object)
	if len(old.Object.Labels) > 0 {
		own.Labels = maps.Clone(old.Object.Labels)
		maps.Copy(own.Labels, obj.Labels)
	}
	own.Spec = *updatedSpec(&old.Object.Spec, &obj.Spec)
	if changesFixed(stored, &obj.Spec) {
		errs := field.ErrorList{field.Forbidden(field.NewPath("spec"), workload.FixedPodFields)}
		return refuse(o, apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, obj.Name, errs))
	}
	o.Decision, o.Depends = d.request(s, old.Object, own)
	if err := o.Decision.Err(); err != nil {
		return refuse(o, err)
	}
	s.take(o.Decision)
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

// asApplied returns the stored spec of a pod without what the server or a webhook has added to an applied one: the
// volume of its token, and containers.
func asApplied(stored, applied *corev1.PodSpec) *corev1.PodSpec {
	own, added := stored.DeepCopy(), beyond(stored, applied)
	kept := beyond(stored.DeepCopy(), &added)
	own.InitContainers, own.Containers = kept.InitContainers, kept.Containers
	isAdded := func(volume string) bool {
		return strings.HasPrefix(volume, tokenVolume) &&
			!slices.ContainsFunc(applied.Volumes, func(v corev1.Volume) bool { return v.Name == volume })
	}
	own.Volumes = slices.DeleteFunc(own.Volumes, func(v corev1.Volume) bool { return isAdded(v.Name) })
	for _, c := range computeresources.Containers(own) {
		c.VolumeMounts = slices.DeleteFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return isAdded(m.Name) })
	}
	return own
}

// tokenVolume is how the name begins of the volume that the API server adds for the token of a pod.
const tokenVolume = "kube-api-access-"

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
		if !slices.ContainsFunc(own.Tolerations,
			func(other corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, other) }) {
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

// beyond returns the containers of a spec whose names another one does not have, and the RuntimeClass, if that has
// none.
func beyond(spec, other *corev1.PodSpec) (more corev1.PodSpec) {
	isThere := func(c corev1.Container) bool {
		return slices.ContainsFunc(slices.Concat(other.InitContainers, other.Containers),
			func(o corev1.Container) bool { return o.Name == c.Name })
	}
	more.InitContainers = slices.DeleteFunc(slices.Clone(spec.InitContainers), isThere)
	more.Containers = slices.DeleteFunc(slices.Clone(spec.Containers), isThere)
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
	own, more := *object, beyond(&it.injected, &object.Spec)
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
	s.take(decision)
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
