package admit

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubemath/kubemath/computeresources"
)

// setRuntimeClass sets the overhead of the RuntimeClass of a pod, and on which nodes it may be. Of tolerations, only
// those that are equal to one of the pod are left out. Late refusals come after the bounds of LimitRanges.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/runtimeclass.
func (d *decision) setRuntimeClass(o *Options, spec *corev1.PodSpec) (early, late []*Refusal) {
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
