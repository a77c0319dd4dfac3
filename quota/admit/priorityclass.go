package admit

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// criticalPriority is the value of system-cluster-critical. That of system-node-critical is larger by 1000. Both exist
// in each cluster.
//
// Source: k8s.io/kubernetes/pkg/apis/scheduling/v1/helpers.go.
const criticalPriority = 2_000_000_000

// setPriority sets the priority of the class of a pod, or of the default class.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/priority.
func (d *decision) setPriority(o *Options, spec *corev1.PodSpec) []*Refusal {
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
