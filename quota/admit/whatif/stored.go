package whatif

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
)

// isStored reports whether an object is stored already: whether applying it would change nothing.
func isStored(stored, obj admit.APIObject) bool {
	if stored == obj {
		return true
	}
	a, b := reflect.ValueOf(stored), reflect.ValueOf(obj)
	if a.Type() != b.Type() {
		return false
	}
	if q, ok := obj.(*corev1.ResourceQuota); ok &&
		!equality.Semantic.DeepEqual(stored.(*corev1.ResourceQuota).Spec, q.Spec) {
		return false // in which nothing may be missing
	}
	if lr, ok := obj.(*corev1.LimitRange); ok && !equality.Semantic.DeepEqual(stored.(*corev1.LimitRange).Spec, lr.Spec) {
		return false
	}
	if hasOtherTemplate(stored, obj) || !coversMeta(stored, obj) {
		return false
	}
	return coversFields(a.Elem(), b.Elem(),
		func(field string) bool { return field == "TypeMeta" || field == "ObjectMeta" || field == "Status" })
}

// coversMeta reports whether an object has all labels and annotations of another one, but for what kubectl notes.
func coversMeta(stored, obj metav1.Object) bool {
	for name, value := range obj.GetAnnotations() {
		if other, isSet := stored.GetAnnotations()[name]; name != corev1.LastAppliedConfigAnnotation &&
			(!isSet || other != value) {
			return false
		}
	}
	for name, value := range obj.GetLabels() {
		if other, isSet := stored.GetLabels()[name]; !isSet || other != value {
			return false
		}
	}
	return true
}

// covers reports whether a stored value has all that an applied one sets. The API server has added defaults to what it
// stores.
func covers(stored, applied reflect.Value) bool {
	switch applied.Kind() {
	case reflect.Pointer, reflect.Interface:
		if applied.IsNil() {
			return true
		}
		return !stored.IsNil() && stored.Elem().Type() == applied.Elem().Type() && covers(stored.Elem(), applied.Elem())
	case reflect.Struct:
		switch value := applied.Interface().(type) {
		case resource.Quantity:
			own := stored.Interface().(resource.Quantity)
			return own.Cmp(value) == 0
		case metav1.Time:
			own := stored.Interface().(metav1.Time)
			return own.Equal(&value)
		case intstr.IntOrString: // of which zero is not missing
			return stored.Interface() == applied.Interface()
		}
		return coversFields(stored, applied, func(string) bool { return false })
	case reflect.Slice:
		if applied.Len() == 0 {
			return true
		}
		if stored.Len() != applied.Len() {
			return false
		}
		for i := range applied.Len() {
			if !covers(stored.Index(i), applied.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		for _, k := range applied.MapKeys() {
			if own := stored.MapIndex(k); !own.IsValid() || !covers(own, applied.MapIndex(k)) {
				return false
			}
		}
		return true
	}
	return stored.Equal(applied)
}

// coversFields is covers for the fields of a struct that are set.
func coversFields(stored, applied reflect.Value, ignore func(field string) bool) bool {
	for i := range applied.NumField() {
		field := applied.Type().Field(i)
		if field.IsExported() && !applied.Field(i).IsZero() && !ignore(field.Name) &&
			!covers(stored.Field(i), applied.Field(i)) {
			return false
		}
	}
	return true
}

// hasOtherTemplate reports whether the pods of a workload have to be replaced by others.
func hasOtherTemplate(stored, obj admit.APIObject) bool {
	a, b := templateOf(stored), templateOf(obj)
	return a != nil && b != nil && !sameTemplate(a, b)
}

// sameTemplate reports whether an applied template is the stored one. What decides on amounts and nodes has to be
// equal, because the server sets no defaults for it in templates.
func sameTemplate(stored, applied *corev1.PodTemplateSpec) bool {
	a, b := &stored.Spec, &applied.Spec
	return coversMeta(&stored.ObjectMeta, &applied.ObjectMeta) && covers(reflect.ValueOf(a), reflect.ValueOf(b)) &&
		equality.Semantic.DeepEqual(demandOf(a), demandOf(b))
}

// isOutdated reports whether a pod is of a former template of its controller.
func (d *draft) isOutdated(p *pod, it *item) bool {
	now := templateOf(it.object)
	if p.template == nil || now == nil || p.template == now {
		return false
	}
	both := [2]*corev1.PodTemplateSpec{p.template, now}
	same, known := d.same[both]
	if !known {
		if d.same == nil {
			d.same = map[[2]*corev1.PodTemplateSpec]bool{}
		}
		same = sameTemplate(p.template, now)
		d.same[both] = same
	}
	return !same
}

// demand is what decides on the amounts and the nodes of pods. Its fields are exported because only those can be
// compared semantically.
type demand struct {
	Containers  [2][]corev1.ResourceRequirements
	Pod         *corev1.ResourceRequirements
	Overhead    corev1.ResourceList
	Selector    map[string]string
	Tolerations []corev1.Toleration
	Affinity    *corev1.Affinity
	Classes     [2]string
	Deadline    *int64
	Priority    *int32
	Preemption  *corev1.PreemptionPolicy
}

func demandOf(spec *corev1.PodSpec) *demand {
	d := &demand{
		Pod: spec.Resources, Overhead: spec.Overhead, Selector: spec.NodeSelector, Tolerations: spec.Tolerations,
		Affinity: spec.Affinity,
		Classes:  [2]string{spec.PriorityClassName}, Deadline: spec.ActiveDeadlineSeconds,
		Priority: spec.Priority, Preemption: spec.PreemptionPolicy,
	}
	if spec.RuntimeClassName != nil {
		d.Classes[1] = *spec.RuntimeClassName
	}
	for list, containers := range [2][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			d.Containers[list] = append(d.Containers[list], containers[i].Resources)
		}
	}
	return d
}

// templateOf returns the pod template of a workload, nil for other objects.
func templateOf(obj admit.APIObject) *corev1.PodTemplateSpec { return workload.Of(obj).Template }

// replicasOf returns the replicas that a workload sets, nil if it sets none.
func replicasOf(obj admit.APIObject) *int32 {
	if r := workload.Of(obj).Replicas; r != nil {
		return *r
	}
	return nil
}
