package admit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubemath/kubemath/computeresources"
)

// The admission plugins Priority, DefaultTolerationSeconds, DefaultStorageClass and RuntimeClass.

const (
	priorityClass = "PriorityClass"
	runtimeClass  = "RuntimeClass"
	storageClass  = "StorageClass"
)

// criticalPriority is the value of system-cluster-critical. That of system-node-critical is larger by 1000. Both exist
// in each cluster.
//
// Source: k8s.io/kubernetes/pkg/apis/scheduling/v1/helpers.go.
const criticalPriority = 2_000_000_000

// defaultSeconds is for how long pods tolerate a node that is not ready or not reachable.
const defaultSeconds = 300

// ownClasses replaces the classes of options by copies of what is used of them, each in the order in which the default
// is chosen: of PriorityClasses, the lowest value; of StorageClasses, the newest; then the first by name.
func (o *Options) ownClasses() {
	preempt := corev1.PreemptLowerPriority
	o.PriorityClasses = ownClasses(o.PriorityClasses,
		func(c *schedulingv1.PriorityClass) (own schedulingv1.PriorityClass) {
			own.Name, own.Value, own.GlobalDefault = c.Name, c.Value, c.GlobalDefault
			policy := *cmp.Or(c.PreemptionPolicy, &preempt)
			own.PreemptionPolicy = &policy
			return own
		}, func(a, b *schedulingv1.PriorityClass) int { return cmp.Compare(a.Value, b.Value) })
	o.RuntimeClasses = ownClasses(o.RuntimeClasses, func(c *nodev1.RuntimeClass) (own nodev1.RuntimeClass) {
		own.Name, own.Overhead, own.Scheduling = c.Name, c.Overhead.DeepCopy(), c.Scheduling.DeepCopy()
		if own.Overhead != nil {
			roundTrip(&own.Overhead.PodFixed)
		}
		return own
	}, func(a, b *nodev1.RuntimeClass) int { return 0 })
	o.StorageClasses = ownClasses(o.StorageClasses, func(c *storagev1.StorageClass) (own storagev1.StorageClass) {
		own.Name, own.CreationTimestamp = c.Name, c.CreationTimestamp
		if c.AllowVolumeExpansion != nil {
			allow := *c.AllowVolumeExpansion
			own.AllowVolumeExpansion = &allow
		}
		for _, key := range []string{defaultClass, betaDefaultClass} {
			if c.Annotations[key] == "true" {
				own.Annotations = map[string]string{key: "true"}
			}
		}
		return own
	}, func(a, b *storagev1.StorageClass) int { return b.CreationTimestamp.Compare(a.CreationTimestamp.Time) })
	o.Incomplete = slices.Clone(o.Incomplete)
}

const (
	defaultClass     = "storageclass.kubernetes.io/is-default-class"
	betaDefaultClass = "storageclass.beta.kubernetes.io/is-default-class"
)

func ownClasses[C any, P interface {
	*C
	GetName() string
}](classes []P, own func(P) C, order func(a, b P) int) []P {
	if classes == nil {
		return nil
	}
	list := make([]P, 0, len(classes))
	for _, c := range classes {
		if c != nil {
			c := own(c)
			list = append(list, &c)
		}
	}
	slices.SortStableFunc(list, func(a, b P) int { return cmp.Or(order(a, b), strings.Compare(a.GetName(), b.GetName())) })
	return list
}

// find returns the first class that is, or the zero value.
func find[P any](classes []P, is func(P) bool) (class P) {
	if i := slices.IndexFunc(classes, is); i >= 0 {
		class = classes[i]
	}
	return class
}

// isComplete reports whether a list has all classes of a kind.
func isComplete[P any](o *Options, kind string, classes []P) bool {
	return classes != nil && !slices.Contains(o.Incomplete, kind)
}

// forbid returns the refusal of an admission plugin, for a field of a pod spec.
func (d *Decision) forbid(field, message, what, remedy string) []*Refusal {
	return []*Refusal{{
		Ref: computeresources.Ref{Kind: computeresources.Pod}, Path: d.place.path().Child(field).String(),
		What: "pod: " + what, Remedy: remedy, Forbidden: message,
	}}
}

// setPriority sets the priority of the class of a pod, or of the default class.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/priority.
func (d *Decision) setPriority(o *Options, spec *corev1.PodSpec) []*Refusal {
	name := spec.PriorityClassName
	value, policy := int32(0), corev1.PreemptLowerPriority
	class := find(o.PriorityClasses, func(c *schedulingv1.PriorityClass) bool {
		return c.Name == name || name == "" && c.GlobalDefault
	})
	isKnown := isComplete(o, priorityClass, o.PriorityClasses)
	switch {
	case class != nil:
		value, policy = class.Value, *class.PreemptionPolicy
		if name == "" {
			d.Classes = append(d.Classes, computeresources.Source{Kind: priorityClass, Name: class.Name, Field: "value"})
			spec.PriorityClassName = class.Name
		}
	case name == "system-cluster-critical":
		value = criticalPriority
	case name == "system-node-critical":
		value = criticalPriority + 1000
	case name == "" && isKnown: // zero
	case name == "":
		return nil
	case isKnown:
		return d.forbid("priorityClassName", fmt.Sprintf("no PriorityClass with name %s was found", name),
			"the PriorityClass "+name+" does not exist", "create it, or name another one")
	default:
		d.Unknown = append(d.Unknown, fmt.Sprintf("%s %q", priorityClass, name))
		return nil
	}
	if p := spec.Priority; p != nil && *p != value {
		return d.forbid("priority", fmt.Sprintf("the integer value of priority (%d) must not be provided in pod spec; "+
			"priority admission controller computed %d from the given PriorityClass name", *p, value),
			fmt.Sprintf("the priority %d is not that of its class, %d", *p, value), "leave it out")
	}
	if p := spec.PreemptionPolicy; p != nil && *p != policy {
		return d.forbid("preemptionPolicy", fmt.Sprintf(
			"the string value of PreemptionPolicy (%s) must not be provided in pod spec; "+
				"priority admission controller computed %s from the given PriorityClass name", *p, policy),
			fmt.Sprintf("the preemption policy %s is not that of its class, %s", *p, policy), "leave it out")
	}
	spec.Priority, spec.PreemptionPolicy = new(int32), new(corev1.PreemptionPolicy)
	*spec.Priority, *spec.PreemptionPolicy = value, policy
	return nil
}

// setRuntimeClass sets the overhead of the RuntimeClass of a pod, and on which nodes it may be. Of tolerations, only
// those that are equal to one of the pod are left out. Late refusals come after the bounds of LimitRanges.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/runtimeclass.
func (d *Decision) setRuntimeClass(o *Options, spec *corev1.PodSpec) (early, late []*Refusal) {
	class := (*nodev1.RuntimeClass)(nil)
	if name := spec.RuntimeClassName; name != nil {
		class = find(o.RuntimeClasses, func(c *nodev1.RuntimeClass) bool { return c.Name == *name })
		switch {
		case class != nil:
		case isComplete(o, runtimeClass, o.RuntimeClasses):
			return d.forbid("runtimeClassName", fmt.Sprintf("pod rejected: RuntimeClass %q not found", *name),
				"the RuntimeClass "+*name+" does not exist", "create it, or name another one"), nil
		default:
			d.Unknown = append(d.Unknown, fmt.Sprintf("%s %q", runtimeClass, *name))
			return nil, nil
		}
	}
	switch {
	case class == nil || class.Overhead == nil:
		if len(spec.Overhead) > 0 && o.RuntimeClasses != nil {
			late = d.forbid("overhead", "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
				"no RuntimeClass defines its overhead", "leave it out")
		}
	case len(spec.Overhead) > 0 && !equality.Semantic.DeepEqual(class.Overhead.PodFixed, spec.Overhead):
		return d.forbid("overhead", "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
			"the overhead is not that of the RuntimeClass "+class.Name, "leave it out"), nil
	default:
		if len(spec.Overhead) < len(class.Overhead.PodFixed) {
			d.Classes = append(d.Classes, computeresources.Source{Kind: runtimeClass, Name: class.Name,
				Field: "overhead.podFixed"})
		}
		spec.Overhead = class.Overhead.PodFixed.DeepCopy()
	}
	if class == nil || class.Scheduling == nil {
		return nil, late
	}
	for _, key := range slices.Sorted(maps.Keys(class.Scheduling.NodeSelector)) {
		value := class.Scheduling.NodeSelector[key]
		if own, isSet := spec.NodeSelector[key]; isSet && own != value {
			return d.forbid("nodeSelector", fmt.Sprintf("conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; "+
				"pod.spec.nodeSelector[%s] = %s", key, value, key, own),
				fmt.Sprintf("the node selector %s=%s contradicts %s=%s of the RuntimeClass %s", key, own, key, value,
					class.Name), "leave it out"), nil
		}
		if spec.NodeSelector == nil {
			spec.NodeSelector = map[string]string{}
		}
		spec.NodeSelector[key] = value
	}
	for _, t := range class.Scheduling.Tolerations {
		if !slices.ContainsFunc(spec.Tolerations,
			func(other corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, other) }) {
			spec.Tolerations = append(spec.Tolerations, *t.DeepCopy())
		}
	}
	return nil, late
}

// setTolerations sets the tolerations that each pod gets.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds.
func setTolerations(spec *corev1.PodSpec) {
	var seconds *[2]int64 // one for each, in one allocation
	for i, taint := range [2]string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		isSet := slices.ContainsFunc(spec.Tolerations, func(t corev1.Toleration) bool {
			return (t.Key == taint || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		})
		if isSet {
			continue
		}
		if seconds == nil {
			seconds = &[2]int64{defaultSeconds, defaultSeconds}
			spec.Tolerations = slices.Grow(spec.Tolerations, 2)
		}
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
			Key: taint, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds[i],
		})
	}
}

// setStorageClass sets the default class of a new claim without one.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/storage/storageclass/setdefault.
func (d *Decision) setStorageClass(o *Options, claim *corev1.PersistentVolumeClaim) {
	if _, isSet := claimClass(claim); isSet {
		return
	}
	class := find(o.StorageClasses, func(c *storagev1.StorageClass) bool { return len(c.Annotations) > 0 })
	if class == nil {
		return
	}
	name := class.Name
	claim.Spec.StorageClassName = &name
	d.Classes = []computeresources.Source{{Kind: storageClass, Name: name, Field: "metadata.annotations"}}
}

// claimClass returns the class of a claim, and whether it sets one, which may be empty.
func claimClass(claim *corev1.PersistentVolumeClaim) (name string, isSet bool) {
	name, isSet = claim.Annotations[corev1.BetaStorageClassAnnotation]
	if isSet || claim.Spec.StorageClassName == nil {
		return name, isSet
	}
	return *claim.Spec.StorageClassName, true
}
