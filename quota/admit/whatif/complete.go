package whatif

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// completed returns a copy of a new pod with what admission plugins set that do not look at amounts.
func (d *draft) completed(object *corev1.Pod) *corev1.Pod {
	p := object.DeepCopy()
	d.setPriority(&p.Spec)
	d.setRuntimeClass(&p.Spec)
	setTolerations(&p.Spec)
	return p
}

// setPriority sets the priority of the class of a pod, or of the default class. If the class is not among the objects, it
// remains unknown, which counts as zero.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/priority.
func (d *draft) setPriority(spec *corev1.PodSpec) {
	if spec.Priority != nil {
		return
	}
	var class *schedulingv1.PriorityClass
	if it := d.itemOf("", key{"PriorityClass", spec.PriorityClassName}); it != nil {
		class, _ = it.object.(*schedulingv1.PriorityClass)
	} else if spec.PriorityClassName == "" {
		class = d.defaultPriority()
	}
	if class == nil {
		return
	}
	priority := class.Value
	spec.PriorityClassName, spec.Priority = class.Name, &priority
	if spec.PreemptionPolicy == nil && class.PreemptionPolicy != nil {
		policy := *class.PreemptionPolicy
		spec.PreemptionPolicy = &policy
	}
}

// defaultPriority returns the PriorityClass of pods that name none: of several, the one with the lowest value, and then the
// first by name.
func (d *draft) defaultPriority() (least *schedulingv1.PriorityClass) {
	s := d.spaces[""]
	if s == nil {
		return nil
	}
	for _, it := range s.items.all {
		class, is := it.object.(*schedulingv1.PriorityClass)
		if is && class.GlobalDefault && (least == nil || class.Value < least.Value || class.Value == least.Value && class.Name < least.Name) {
			least = class
		}
	}
	return least
}

// setRuntimeClass sets the overhead of the RuntimeClass of a pod, and on which nodes it may be.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/runtimeclass.
func (d *draft) setRuntimeClass(spec *corev1.PodSpec) {
	if spec.RuntimeClassName == nil {
		return
	}
	it := d.itemOf("", key{"RuntimeClass", *spec.RuntimeClassName})
	if it == nil {
		return
	}
	class, is := it.object.(*nodev1.RuntimeClass)
	if !is {
		return
	}
	if class.Overhead != nil && len(spec.Overhead) == 0 {
		spec.Overhead = class.Overhead.PodFixed.DeepCopy()
	}
	if s := class.Scheduling; s != nil {
		selector := maps.Clone(s.NodeSelector)
		if selector == nil {
			selector = map[string]string{}
		}
		maps.Copy(selector, spec.NodeSelector)
		spec.NodeSelector = selector
		for _, t := range s.Tolerations {
			if !slices.ContainsFunc(spec.Tolerations, func(other corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, other) }) {
				spec.Tolerations = append(spec.Tolerations, t)
			}
		}
	}
}

// defaultSeconds is for how long pods tolerate a node that is not ready or not reachable.
const defaultSeconds = 300

// setTolerations sets the tolerations that each pod gets.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds.
func setTolerations(spec *corev1.PodSpec) {
	for _, taint := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		isSet := slices.ContainsFunc(spec.Tolerations, func(t corev1.Toleration) bool {
			return (t.Key == taint || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		})
		if !isSet {
			seconds := int64(defaultSeconds)
			spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
				Key: taint, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds,
			})
		}
	}
}
